/**
 * What is used of the SDK: its parser of server-sent events. Its client would load far more, and add headers, retries and
 * environment variables of its own. Imported dynamically alone, with the first request.
 */
export { Stream } from '@anthropic-ai/sdk/core/streaming';
