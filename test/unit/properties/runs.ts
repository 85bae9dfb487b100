/** How often each property is tried: 500 times among the other tests, as often as is asked for alone. */
export const numRuns = runsFrom(process.env['COUNTERSIGN_PROPERTY_RUNS']);

/** A number that cannot be read is an error: one run instead of ten thousand would look just as green. */
function runsFrom(text: string | undefined): number {
  if (text === undefined || text === '') return 500;
  const runs = Number(text);
  if (!Number.isSafeInteger(runs) || runs < 1) throw new Error(`COUNTERSIGN_PROPERTY_RUNS is no number of runs: ${text}`);
  return runs;
}
