import { Context } from '@deepseek-ai/cordis';
import { CallId } from '@deepseek-ai/dsh-llm';
import { SystemPrompt } from '@deepseek-ai/dsh-system-prompt';
import { ToolRuntime } from '@deepseek-ai/dsh-tools';
import { type Samples, sampled } from './call-times.ts';
import { argumentsText, checkedPlan, expectNarration, inWords, showPlan } from './plan-call.ts';
import * as plan from './plan-call.ts';

/** The harness that this design comes from, as published: its whole pipeline with nobody listening. It writes no log. */
export async function benchDshTools(calls: number): Promise<Samples> {
  const root = new Context();
  await root.plugin(SystemPrompt, {});
  await root.plugin(ToolRuntime, { mode: 'native' });
  const { signal } = new AbortController();
  try {
    root.tools.register({
      name: plan.name, description: plan.description, parameters: { ...plan.parameters },
      output: {
        schema: { type: 'object', properties: { done: { type: 'integer' }, total: { type: 'integer' } }, required: ['done', 'total'], additionalProperties: false },
        render: (_args, value) => [{ type: 'text', text: inWords(countsOf(value)) }],
      },
      execute: async (args) => showPlan(checkedPlan(args)),
    });
    let ids = 0;
    const call = async (): Promise<undefined> => {
      const args: unknown = JSON.parse(argumentsText);
      const { content } = await root.tools.execute({ callId: CallId(`c${++ids}`), name: plan.name, arguments: args, signal });
      const [first] = content;
      expectNarration(first?.type === 'text' ? first.text : first, 'dsh-tools');
    };
    await sampled(500, 1, call);
    return await sampled(calls, 1, call);
  } finally {
    await root.fiber.dispose();
  }
}

function countsOf(value: unknown): { readonly done: number; readonly total: number } {
  if (typeof value === 'object' && value !== null && 'done' in value && 'total' in value && typeof value.done === 'number' && typeof value.total === 'number') return { done: value.done, total: value.total };
  throw new Error('no counts');
}
