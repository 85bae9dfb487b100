import { Agent, Runner, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents/testing';
import { type Samples, sampled } from './call-times.ts';
import { argumentsText, checkedPlan, expectNarration, inWords, showPlan } from './plan-call.ts';
import * as plan from './plan-call.ts';

const callsEach = 8;

/** The loop of `@openai/agents` with its scripted model, without tracing: loops of so many steps, of 8 calls each, and an answer. */
export async function benchOpenAiAgents(loops: number, steps: number): Promise<Samples> {
  const shown = tool({
    name: plan.name, description: plan.description, strict: false,
    parameters: { type: 'object', properties: { items: { type: 'array', items: { type: 'object' } } }, required: ['items'], additionalProperties: true },
    execute: async (args) => inWords(await showPlan(checkedPlan(args))),
  });
  const runner = new Runner({ tracingDisabled: true });
  const loop = async (): Promise<undefined> => {
    const agent = new Agent({ name: 'bench', instructions: 'Go on.', model: scriptedModel(steps), tools: [shown] });
    const { newItems } = await runner.run(agent, 'Go on.', { maxTurns: steps + 1 });
    const outputs = newItems.flatMap((item) => (item.type === 'tool_call_output_item' ? [item.output] : []));
    if (outputs.length !== steps * callsEach) throw new Error(`${outputs.length} calls, not ${steps * callsEach}`);
    for (const output of outputs) expectNarration(output, '@openai/agents');
  };
  await sampled(Math.ceil(200 / (steps * callsEach)), steps * callsEach, loop);
  return sampled(loops, steps * callsEach, loop);
}

function scriptedModel(steps: number): ScriptedModel {
  const calls = (step: number): ReturnType<typeof functionCall>[] => Array.from({ length: callsEach }, (_, n) => functionCall(plan.name, argumentsText, { callId: `c${step}-${n}` }));
  return new ScriptedModel([...Array.from({ length: steps }, (_, step) => calls(step)), [assistantMessage('Done.')]]);
}
