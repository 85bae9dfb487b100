/** A lone surrogate has no UTF-8, and servers refuse its escape. */
export function wellFormed(text: string): string {
  return text.toWellFormed();
}

/**
 * Many servers parse the arguments of past calls and refuse the whole conversation where one is no JSON, for ever after.
 * So a malformed text is quoted; the result that follows it says what was wrong.
 */
export function wireArguments(text: string): string {
  if (text.trim() === '') return '{}';
  try {
    JSON.parse(text);
    return wellFormed(text);
  } catch {
    return JSON.stringify({ not_json: wellFormed(text) });
  }
}

/** The name of a past call as every provider takes it: a name that a model made up may hold anything, and would be refused for ever after. */
export function wireName(name: string): string {
  const plain = name.replace(/[^\w-]/g, '_').replace(/^(?=[\d-])/, '_').slice(0, 64);
  return plain === '' ? 'unnamed' : plain;
}
