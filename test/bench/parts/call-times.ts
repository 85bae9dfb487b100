import { median, rounded } from './goals.ts';

/** Of one call, in microseconds. */
export interface CallTimes {
  readonly calls: number;
  readonly median: number;
  readonly p99: number;
  /** Of the thread that runs them, by the number of calls: its garbage collection is in it, and other processes are not. */
  readonly processor: number;
}

/** What was measured, before it is put in order. */
export interface Samples {
  /** Microseconds of one call; of one that is among several, its share. */
  readonly values: Float64Array;
  readonly callsEach: number;
  /** Microseconds of all of them. */
  readonly processor: number;
}

/** Runs `once` so often, one after another; it makes so many calls and gives the time of them in milliseconds where that is not its own. */
export async function sampled(runs: number, callsEach: number, once: () => Promise<number | undefined>): Promise<Samples> {
  const values = new Float64Array(runs);
  const before = process.threadCpuUsage();
  for (let run = 0; run < runs; run += 1) {
    const start = performance.now();
    const ms = await once() ?? performance.now() - start;
    values[run] = (ms * 1000) / callsEach;
  }
  const { user, system } = process.threadCpuUsage(before);
  return { values, callsEach, processor: user + system };
}

/** Of all rounds together. */
export function timesOf(rounds: readonly Samples[]): CallTimes {
  const sorted = rounds.flatMap(({ values }) => [...values]).sort((a, b) => a - b);
  const calls = rounds.reduce((sum, { values, callsEach }) => sum + values.length * callsEach, 0);
  const processor = rounds.reduce((sum, round) => sum + round.processor, 0) / calls;
  return { calls, median: median(sorted), p99: rounded(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? Number.NaN), processor: rounded(processor) };
}
