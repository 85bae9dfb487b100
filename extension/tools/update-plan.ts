import { ToolArgsError } from '../boundary/error-codes.ts';
import type { ToolDefinition } from '../boundary/tool-definition.ts';
import { countSchema, objectSchema, textContent } from './schemas.ts';

interface Args {
  readonly items: readonly { readonly text: string; readonly status: 'pending' | 'active' | 'done' }[];
}

type Value = { readonly done: number; readonly total: number };

export const updatePlan: ToolDefinition<Args, Value> = {
  name: 'update_plan',
  description: 'Shows the person your plan, or how far it is. Give the whole list each time: it replaces the one before. At most one item is active. For work of several steps; not for a single one.',
  parameters: objectSchema({
    items: {
      type: 'array', maxItems: 100,
      items: objectSchema({
        text: { type: 'string', minLength: 1, maxLength: 2000 },
        status: { type: 'string', enum: ['pending', 'active', 'done'] },
      }, ['text', 'status']),
    },
  }, ['items']),
  output: {
    schema: objectSchema({ done: countSchema, total: countSchema }, ['done', 'total']),
    render: (_args, { done, total }) => textContent(total === 0 ? 'The plan is empty now.' : `The plan is shown: ${done} of ${total} done.`),
  },
  effects: ({ items }) => {
    const active = items.filter(({ status }) => status === 'active').length;
    if (active > 1) throw new ToolArgsError(`At most one item of a plan is active; ${active} are. Set the others to "pending" or "done".`);
    return { effects: [{ kind: 'converse', op: 'plan' }], claims: [], content: new Map() };
  },
  execute: async ({ items }, run) => {
    const [effect] = run.effects;
    if (effect?.kind !== 'converse') throw new Error('update_plan has no plan to show');
    await run.perform(effect);
    return { done: doneIn(items), total: items.length };
  },
  presentCall: ({ items }) => ({ title: items.length === 0 ? 'Clear the plan' : 'Update the plan', parts: [] }),
  presentResult: ({ items }, result) => ({ summary: result.isError || items.length === 0 ? '' : `${doneIn(items)} of ${items.length} done` }),
};

function doneIn(items: Args['items']): number {
  return items.filter(({ status }) => status === 'done').length;
}
