/**
 * What is used of the SDK: its stream parser and the error that this throws. Its client would load thirty times as much and
 * add headers, retries and environment variables of its own. Imported dynamically alone, with the first request.
 */
export { APIError } from 'openai/core/error';
export { Stream } from 'openai/core/streaming';
