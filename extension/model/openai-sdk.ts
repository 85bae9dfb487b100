/** What is used of the SDK. Imported dynamically alone, so that it is loaded with the first request and not before. */
export { APIConnectionError, APIError, APIUserAbortError, OpenAI } from 'openai';
