/**
 * What is used of the SDK: its decoder of server-sent events. Its client would load thirty times as much and add headers,
 * retries and environment variables of its own. Imported dynamically alone, with the first request.
 */
export { _iterSSEMessages as readEvents } from 'openai/core/streaming';
