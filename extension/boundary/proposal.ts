import type { CallKey, IncomingCall } from './call.ts';
import { CodedError, ToolArgsError } from './error-codes.ts';
import type { Json } from './json.ts';
import { JsonFault, parseStrictJson } from './strict-json.ts';

declare const proposalBrand: unique symbol;
/** A tool call as the model wrote it: plain JSON, deep-frozen. Data; it can do nothing. Made by `receive` alone. */
export interface Proposal {
  readonly [proposalBrand]: true;
  readonly call: CallKey;
  readonly id: string;
  readonly name: string;
  readonly arguments: Json;
}

/** In UTF-8 bytes. */
export const maxArgumentsBytes = 1024 * 1024;
const maxNameLength = 200;

/** Text becomes a proposal, or is refused whole: never repaired, never executed. Throws CodedError. */
export function receive(call: IncomingCall): Proposal {
  const bytes = Buffer.byteLength(call.arguments);
  if (bytes > maxArgumentsBytes) {
    throw new CodedError('TOO_LARGE', `The arguments are ${bytes} bytes; at most ${maxArgumentsBytes} (1 MiB) are taken. Do it in several smaller calls.`);
  }
  if (call.cutOff === true) {
    throw new ToolArgsError('The output was cut off at the token limit before this call was complete, so it was not executed. Propose it again, smaller.');
  }
  if (call.duplicate === true) {
    throw new CodedError('DUPLICATE_ID', `A call with the id ${JSON.stringify(call.id.slice(0, 100))} stands in this step already; this one was not executed. Give each call an id of its own.`);
  }
  const proposal = { call: call.call, id: call.id, name: call.name, arguments: parseArguments(call.arguments) };
  return Object.freeze(proposal) as Proposal;
}

function parseArguments(text: string): Json {
  // JSON's white space only: `trim` takes more for blank.
  if (/^[ \t\r\n]*$/.test(text)) return Object.freeze({});
  try {
    return parseStrictJson(text);
  } catch (cause) {
    if (!(cause instanceof JsonFault)) throw cause;
    const where = `at character ${cause.offset + 1}${cause.pointer === '' ? '' : `, in ${cause.pointer}`}`;
    throw new ToolArgsError(
      `The arguments are not strict JSON: ${cause.message} (${where}). Nothing was repaired and nothing was executed; send them again, complete.`,
      [{ pointer: cause.pointer, expected: 'strict JSON', got: cause.message }], cause);
  }
}

/** A name as it may be shown: any text at all can arrive as one. */
export function printableName(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}…`;
}
