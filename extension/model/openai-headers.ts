/**
 * How a key is shown to a server of OpenAI's protocols. Azure wants a key of its own as `api-key`, and proxies before it
 * want both; a token of Entra's, which is a JSON Web Token, goes into `authorization` alone.
 */
export function openAIHeaders(key: string | undefined, host: string): Readonly<Record<string, string>> {
  if (key === undefined) return {};
  const wantsApiKey = /\.(azure\.(com|us|cn)|azure-api\.net)(:\d+)?$/.test(host) && !/^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(key);
  return { authorization: `Bearer ${key}`, ...(wantsApiKey ? { 'api-key': key } : {}) };
}
