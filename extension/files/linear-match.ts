import type { Step } from './regex-program.ts';

/**
 * Whether the program matches from the start of the text. No pair of step and offset is tried twice, so the time is at most
 * their product, whatever the pattern: where a backtracking engine would take for ever, this one does not.
 */
export function runProgram(steps: readonly Step[], text: string): boolean {
  return reaches(steps, text, 0, 0, new Uint8Array(steps.length * (text.length + 1)));
}

function reaches(steps: readonly Step[], text: string, from: number, offset: number, tried: Uint8Array): boolean {
  const width = text.length + 1;
  const pending = [from * width + offset];
  const marked: number[] = [];
  for (let state = pending.pop(); state !== undefined; state = pending.pop()) {
    if (tried[state] === 1) continue;
    tried[state] = 1;
    marked.push(state);
    const index = Math.floor(state / width);
    const at = state % width;
    const step = steps[index];
    if (step === undefined) continue;
    const next = state + width;
    switch (step.op) {
      case 'unit':
        if (text.charCodeAt(at) === step.unit) pending.push(next + 1);
        break;
      case 'any':
        if (at < text.length) pending.push(next + 1);
        break;
      case 'set':
        if (at < text.length && step.has(text.charCodeAt(at))) pending.push(next + 1);
        break;
      case 'start':
        if (at === 0) pending.push(next);
        break;
      case 'end':
        if (at === text.length) pending.push(next);
        break;
      case 'jump':
        pending.push(step.to * width + at);
        break;
      case 'fork':
        pending.push(step.second * width + at, step.first * width + at);
        break;
      case 'look':
        if (reaches(steps, text, step.body, at, tried) !== step.negated) pending.push(step.to * width + at);
        break;
      case 'done':
        // What was tried on the way to a success may succeed again from elsewhere; only failures are remembered.
        for (const one of marked) tried[one] = 0;
        return true;
    }
  }
  return false;
}
