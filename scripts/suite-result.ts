/** What one suite of tests came to. */
export interface SuiteResult {
  readonly suite: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** The suite itself could not run: counts as one failure, so that the last line and the exit code cannot look well. */
export function brokenSuite(suite: string, why: string): SuiteResult {
  console.log(`✖ ${suite}: ${why}`);
  return { suite, passed: 0, failed: 1, skipped: 0 };
}

/** A suite that ran nothing has shown nothing. */
export function orEmpty(result: SuiteResult): SuiteResult {
  return result.passed + result.failed === 0 ? brokenSuite(result.suite, 'no test ran') : result;
}

export function printFailure(title: string, error: string): void {
  console.log(`✖ ${title}\n${error.replace(/^/gm, '    ')}`);
}
