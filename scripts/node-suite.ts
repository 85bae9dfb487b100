import { availableParallelism } from 'node:os';
import { join, relative } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { filesMatching } from './files-matching.ts';
import { root } from './project-paths.ts';
import { brokenSuite, orEmpty, printFailure, type SuiteResult } from './suite-result.ts';

export interface NodeSuite {
  readonly name: string;
  /** Globs, from the root of the project. */
  readonly files: readonly string[];
  /** Whether several files may run at once: not where each starts an editor. */
  readonly order: 'parallel' | 'one by one';
  /** Only files whose path contains one of these; empty: all. */
  readonly filters: readonly string[];
  /** By default, what a file writes is shown where one of its tests fails. */
  readonly shows?: 'what its files write';
}

interface FileRecord {
  passed: number;
  failed: number;
  output: string;
}

/** For one file: a test that hangs must not hang the run. */
const timeout = 240_000;

/** Runs the files with Node's own test runner, each in a process of its own, and says what failed as it fails. */
export async function runNodeSuite(suite: NodeSuite): Promise<SuiteResult> {
  const found = await filesMatching(...suite.files);
  const files = found.filter((file) => suite.filters.length === 0 || suite.filters.some((filter) => file.includes(filter)));
  if (files.length === 0) return brokenSuite(suite.name, 'no file with tests');
  const records = new Map<string, FileRecord>();
  const recordOf = (file: string | undefined): FileRecord => {
    const path = file ?? '';
    const record = records.get(path) ?? { passed: 0, failed: 0, output: '' };
    records.set(path, record);
    return record;
  };
  let skipped = 0;
  let success = false;
  const stream = run({
    files: files.map((file) => join(root, file)), cwd: root, timeout, isolation: 'process',
    concurrency: suite.order === 'parallel' ? availableParallelism() : 1,
  });
  stream.on('test:stdout', ({ file, message }) => { recordOf(file).output += message; });
  stream.on('test:stderr', ({ file, message }) => { recordOf(file).output += message; });
  stream.on('test:pass', ({ name, file, details, skip, todo }) => {
    if (details.type === 'suite') return;
    if (skip !== undefined || todo !== undefined) skipped++;
    // Node reports a file without a test as one test that passed.
    else if (name === file) fail(file, relative(root, file), 'no test ran in this file');
    else recordOf(file).passed++;
  });
  stream.on('test:fail', ({ name, file, details, todo }) => {
    const { error } = details;
    if (todo !== undefined) skipped++;
    else if (!('failureType' in error) || error.failureType !== 'subtestsFailed') {
      fail(file, file === undefined || name === file ? relative(root, name) : `${relative(root, file)} › ${name}`, readable(error.cause ?? error));
    }
  });
  stream.on('test:summary', (summary) => { if (summary.file === undefined) success = summary.success; });

  function fail(file: string | undefined, title: string, error: string): void {
    recordOf(file).failed++;
    printFailure(title, error);
  }

  stream.resume();
  await new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject));

  if (!success && [...records.values()].every((record) => record.failed === 0)) fail(undefined, suite.name, 'the runner reports a failure that no test explains');
  let passed = 0;
  let failed = 0;
  for (const [file, record] of records) {
    passed += record.passed;
    failed += record.failed;
    if (record.failed === 0 && suite.shows !== undefined) process.stdout.write(record.output);
    if (record.failed > 0 && record.output !== '') console.log(`— what ${relative(root, file)} wrote:\n${record.output.slice(-8000).replace(/^/gm, '    ')}`);
  }
  return orEmpty({ suite: suite.name, passed, failed, skipped });
}

/** Without the frames of the test runner itself. */
function readable(error: unknown): string {
  return (typeof error === 'string' ? error : inspect(error)).split('\n').filter((line) => !/^\s+at .*\(?node:(internal\/test_runner|async_hooks)/.test(line)).join('\n');
}
