import { updatePlan } from '../../../extension/tools/update-plan.ts';
import { texts, validators } from '../../../generated/tool-schemas.js';

/**
 * The call that everyone makes: the extension's own tool that does no I/O, with the same text of arguments, the same check of them and the same
 * answer. Whoever has no check of JSON Schemas is given ours, which was compiled ahead.
 */
export const { name, description, parameters } = updatePlan;

export const argumentsText = JSON.stringify({ items: [{ text: 'Read the parser and its tests', status: 'done' }, { text: 'Mend the case of the empty list', status: 'active' }] });

/** What the tool says to that, as the model reads it. */
export const narration = 'The plan is shown: 1 of 2 done.';

export interface PlanArguments {
  readonly items: readonly { readonly text: string; readonly status: string }[];
}

const check = compiledCheck();

function compiledCheck(): (value: unknown) => boolean {
  const compiled = validators[texts.indexOf(JSON.stringify(parameters))];
  if (compiled === undefined) throw new Error(`the schema of ${name} was not compiled ahead`);
  return compiled;
}

export function isPlan(value: unknown): value is PlanArguments {
  return check(value);
}

/** For whoever hands over arguments that nobody has checked. */
export function checkedPlan(value: unknown): PlanArguments {
  if (!isPlan(value)) throw new Error(`the arguments do not fit ${name}`);
  return value;
}

/** The body, as a host without effects and permits has it. */
export async function showPlan({ items }: PlanArguments): Promise<{ readonly done: number; readonly total: number }> {
  return { done: items.filter(({ status }) => status === 'done').length, total: items.length };
}

export function inWords({ done, total }: { readonly done: number; readonly total: number }): string {
  return `The plan is shown: ${done} of ${total} done.`;
}

/** A benchmark of calls that fail is none. */
export function expectNarration(text: unknown, who: string): void {
  if (text !== narration) throw new Error(`${who} answered ${JSON.stringify(text)}, not ${JSON.stringify(narration)}`);
}
