import type { ToolDefinition } from '../boundary/tool-definition.ts';
import { objectSchema, textContent } from './schemas.ts';

interface Args {
  readonly question: string;
  readonly options?: readonly string[];
}

type Value = { readonly answer: string };

export const askUser: ToolDefinition<Args, Value> = {
  name: 'ask_user',
  description: 'Asks the person one question and waits for the answer. Use it where only they can know, not for permission: changes are put before them anyway.',
  parameters: objectSchema({
    question: { type: 'string', minLength: 1, maxLength: 10_000 },
    options: { type: 'array', maxItems: 10, items: { type: 'string', minLength: 1, maxLength: 500 }, description: 'Answers to choose from; they may write their own.' },
  }, ['question']),
  output: {
    schema: objectSchema({ answer: { type: 'string' } }, ['answer']),
    render: (_args, { answer }) => textContent(answer),
  },
  effects: () => ({ effects: [{ kind: 'converse', op: 'ask' }], claims: [], content: new Map() }),
  execute: async ({ question, options = [] }, run) => {
    const [effect] = run.effects;
    if (effect?.kind !== 'converse') throw new Error('ask_user has no question to perform');
    return { answer: await (await run.perform(effect)).ask(question, options) };
  },
  presentCall: () => ({ title: 'Ask you', parts: [] }),
  presentResult: (_args, result) => ({ summary: result.isError ? '' : (result.content[0]?.text ?? '').slice(0, 80) }),
};
