import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Effect } from '../../../extension/boundary/effect.ts';
import type { CallOutcome } from '../../../extension/boundary/call.ts';
import type { AnyTool } from './session-host.ts';

export const converse: Effect = { kind: 'converse', op: 'ask' };
/** An effect that no rule allows by itself, and that touches nothing. */
export const asking: Effect = { kind: 'fetch', url: 'https://example.test/', grant: sha256('') };

/** A tool that is allowed, does nothing and gives `"done"`; a test replaces what it is about. */
export function plainTool(over: Partial<AnyTool> = {}, effect: Effect = converse): AnyTool {
  return {
    name: 'plain', description: 'A tool of the tests.', parameters: { type: 'object' },
    output: { schema: {}, render: (_args, value) => [{ type: 'text', text: JSON.stringify(value) }] },
    effects: () => ({ effects: [effect], claims: [], content: new Map() }),
    execute: () => Promise.resolve('done'),
    ...over,
  };
}

/** The code of the error, or `well`. */
export function codeOf({ result }: CallOutcome): string {
  return result === null ? 'no result' : result.error?.code ?? 'well';
}

/** What the model reads. */
export function textOf({ result }: CallOutcome): string {
  return (result?.content ?? []).map(({ text }) => text).join('\n');
}
