import { generateText, jsonSchema, stepCountIs, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { type Samples, sampled } from './call-times.ts';
import { argumentsText, checkedPlan, expectNarration, inWords, isPlan, type PlanArguments, showPlan } from './plan-call.ts';
import * as plan from './plan-call.ts';

const callsEach = 8;

/** The tool loop of the `ai` package with its mock model: loops of so many steps, of 8 calls each, and an answer. */
export async function benchAi(loops: number, steps: number): Promise<Samples> {
  const schema = jsonSchema<PlanArguments>({ ...plan.parameters }, { validate: (value) => (isPlan(value) ? { success: true, value } : { success: false, error: new Error('no plan') }) });
  const tools = { [plan.name]: tool({ description: plan.description, inputSchema: schema, execute: async (args) => inWords(await showPlan(checkedPlan(args))) }) };
  const loop = async (): Promise<undefined> => {
    const { steps: made } = await generateText({ model: mockModel(steps), tools, prompt: 'Go on.', stopWhen: stepCountIs(steps + 1), maxRetries: 0 });
    const results = made.flatMap(({ toolResults }) => toolResults);
    if (results.length !== steps * callsEach) throw new Error(`${results.length} calls, not ${steps * callsEach}`);
    for (const { output } of results) expectNarration(output, 'ai');
  };
  await sampled(Math.ceil(1000 / (steps * callsEach)), steps * callsEach, loop);
  return sampled(loops, steps * callsEach, loop);
}

function mockModel(steps: number): MockLanguageModelV4 {
  let step = 0;
  const usage = { inputTokens: { total: 10, noCache: 10, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 10, text: 10, reasoning: 0 } };
  return new MockLanguageModelV4({
    doGenerate: async () => {
      step += 1;
      if (step > steps) return { content: [{ type: 'text', text: 'Done.' }], finishReason: { unified: 'stop', raw: 'stop' }, usage, warnings: [] };
      const content = Array.from({ length: callsEach }, (_, n) => ({ type: 'tool-call' as const, toolCallId: `c${step}-${n}`, toolName: plan.name, input: argumentsText }));
      return { content, finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage, warnings: [] };
    },
  });
}
