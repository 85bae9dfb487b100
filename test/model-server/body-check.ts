import type { HttpError } from './replies.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What is wrong with a request, in the server's words: thrown while its body is read. */
export class Refused extends Error {
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

/** Runs the checks of a body, and turns the first that fails into the server's answer. */
export function refusalBy(check: () => void, errorBody: (status: number, message: string) => object): HttpError | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { kind: 'error', status: error.status, body: errorBody(error.status, error.message) };
  }
}

/** An object with these members and no others; `?` marks those that may be absent. */
export function objectWith(value: unknown, members: readonly string[], at: string): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refused(`Invalid type for '${at}': expected an object.`);
  const fields = value as Fields;
  const known = members.map((member) => member.replace('?', ''));
  for (const key of Object.keys(fields)) if (!known.includes(key)) throw new Refused(`Unknown parameter: '${at}.${key}'.`);
  for (const member of members) if (!member.endsWith('?') && !(member in fields)) throw new Refused(`Missing required parameter: '${at}.${member}'.`);
  return fields;
}

export function listIn(value: unknown, at: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw new Refused(`Invalid '${at}': expected a list that is not empty.`);
  return value;
}

export function textIn(value: unknown, at: string): string {
  if (typeof value !== 'string') throw new Refused(`Invalid type for '${at}': expected a string.`);
  if (!value.isWellFormed()) throw new Refused(`Invalid '${at}': lone surrogate.`);
  return value;
}

export function toolName(value: unknown, at: string): string {
  const name = textIn(value, at);
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name)) throw new Refused(`Invalid '${at}': string does not match pattern '^[a-zA-Z0-9_-]+$'.`);
  return name;
}

/** Bytes of an image that a server takes; a real one takes more, and refuses in the same way. */
export const imageLimit = 200_000;

/** A `data:` address, or its base64 alone. */
export function imageIn(value: unknown, at: string): void {
  const url = textIn(value, at);
  const base64 = url.replace(/^data:image\/(png|jpeg|gif|webp);base64,/, '');
  if (!/^[A-Za-z0-9+/]+=*$/.test(base64)) throw new Refused(`Invalid '${at}': the image data is not valid.`);
  if (base64.length * 0.75 > imageLimit) throw new Refused(`Invalid '${at}': the image is larger than ${imageLimit} bytes.`);
}
