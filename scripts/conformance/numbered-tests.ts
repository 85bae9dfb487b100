import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { filesMatching } from '../files-matching.ts';
import { root } from '../project-paths.ts';

export type TestEnd =
  | { readonly as: 'passed' }
  | { readonly as: 'failed'; readonly error: string }
  | { readonly as: 'skipped' }
  /** A behaviour that is known to be missing, whether or not its test happens to pass. */
  | { readonly as: 'missing'; readonly what: string };

export interface NumberedTest {
  /** Of the lines that it shows. */
  readonly numbers: readonly string[];
  readonly name: string;
  readonly file: string;
  readonly end: TestEnd;
}

export interface TestReport {
  readonly tests: readonly NumberedTest[];
  /** What failed without a number: a file that cannot be loaded may hold tests of any line. */
  readonly otherFailures: readonly string[];
}

/** For one file: a test that hangs must not hang the run. */
const timeout = 240_000;

/** Runs the unit and contract tests, of which the path contains one of the filters (none: all), with Node's own runner. */
export async function runNumberedTests(filters: readonly string[]): Promise<TestReport> {
  const found = await filesMatching('test/unit/**/*.test.ts', 'test/contract/**/*.test.ts');
  const files = found.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
  if (files.length === 0) throw new Error('no file with tests');
  const tests: NumberedTest[] = [];
  const otherFailures: string[] = [];
  let success: boolean | null = null;
  const note = (name: string, file: string | undefined, end: TestEnd): void => {
    const numbers = numbersOf(name);
    if (numbers.length > 0) tests.push({ numbers, name, file: relative(root, file ?? ''), end });
    else if (end.as === 'failed') otherFailures.push(`${relative(root, file ?? '')} › ${name}: ${end.error.split('\n')[0]}`);
  };
  const stream = run({ files: files.map((file) => join(root, file)), cwd: root, timeout, isolation: 'process', concurrency: availableParallelism() });
  stream.on('test:pass', ({ name, file, details, skip, todo }) => {
    if (details.type === 'suite') return;
    if (todo !== undefined) note(name, file, missing(todo));
    else note(name, file, { as: skip === undefined ? 'passed' : 'skipped' });
  });
  stream.on('test:fail', ({ name, file, details, todo }) => {
    const { error } = details;
    if (todo !== undefined) note(name, file, missing(todo));
    else if (!('failureType' in error) || error.failureType !== 'subtestsFailed') note(name, file, { as: 'failed', error: inspect(error.cause ?? error) });
  });
  stream.on('test:summary', (summary) => { if (summary.file === undefined) success = summary.success; });
  stream.resume();
  await new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject));
  if (success !== true && otherFailures.length === 0 && tests.every(({ end }) => end.as !== 'failed')) otherFailures.push('the runner reports a failure that no test explains');
  return { tests, otherFailures };
}

/** `B2 B10 a proposal …` shows B2 and B10. Digits alone are no number: `E2E` and `ABC` are words. */
export function numbersOf(name: string): readonly string[] {
  const numbers: string[] = [];
  for (const word of name.split(' ')) {
    if (!/^[A-I]\d{1,2}$/.test(word)) break;
    numbers.push(word);
  }
  return numbers;
}

function missing(todo: string | boolean): TestEnd {
  return { as: 'missing', what: typeof todo === 'string' ? todo : 'not said' };
}
