/** A measured value beside the most, or the least, that it may be. */
export interface Goal {
  readonly value: number;
  readonly goal: number;
  readonly met: boolean;
}

export function atMost(goal: number, value: number): Goal {
  return { value: rounded(value), goal, met: value <= goal };
}

export function atLeast(goal: number, value: number): Goal {
  return { value: rounded(value), goal, met: value >= goal };
}

/** Of an even number of values the lower middle one; NaN of none. */
export function median(values: readonly number[]): number {
  return rounded([...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? NaN);
}

export function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
