import { type Samples, sampled } from './call-times.ts';
import { argumentsText, checkedPlan, expectNarration, inWords, showPlan } from './plan-call.ts';

/** What a call cannot do without: the text is read, checked, and given to an asynchronous function. */
export async function benchFloor(calls: number): Promise<Samples> {
  const call = async (): Promise<undefined> => {
    const args: unknown = JSON.parse(argumentsText);
    expectNarration(inWords(await showPlan(checkedPlan(args))), 'the floor');
  };
  await sampled(2000, 1, call);
  return sampled(calls, 1, call);
}
