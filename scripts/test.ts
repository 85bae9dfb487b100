import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildAll } from './build.ts';
import { endOnSignal } from './end-on-signal.ts';
import { runNodeSuite } from './node-suite.ts';
import { packageExtension } from './package.ts';
import { root } from './project-paths.ts';
import { brokenSuite, type SuiteResult } from './suite-result.ts';
import { runVscodeSuite } from './vscode-suite.ts';

/** In the order in which they run: the quick ones first. */
const kinds = ['check', 'unit', 'models', 'webview', 'vscode', 'e2e'] as const;
type Kind = (typeof kinds)[number];

function isKind(word: string): word is Kind {
  return kinds.some((kind) => kind === word);
}

async function runKind(kind: Kind, filters: readonly string[]): Promise<SuiteResult> {
  switch (kind) {
    case 'check': return runCheck();
    case 'unit': return runNodeSuite({ name: kind, files: ['test/unit/**/*.test.ts', 'test/contract/**/*.test.ts'], order: 'parallel', filters });
    case 'models': return runNodeSuite({ name: kind, files: ['test/models/**/*.test.ts'], order: 'one by one', filters, shows: 'what its files write' });
    case 'webview': return runNodeSuite({ name: kind, files: ['test/webview/**/*.test.ts'], order: 'one by one', filters });
    case 'vscode': return runVscodeSuite();
    case 'e2e': return runNodeSuite({ name: kind, files: ['test/e2e/**/*.test.ts'], order: 'one by one', filters });
  }
}

/** Types, lint and dead code count as one test. */
async function runCheck(): Promise<SuiteResult> {
  const child = spawn(process.execPath, [join(root, 'scripts/check.ts')], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => { output += chunk.toString('utf8'); });
  const code = await new Promise((resolve) => child.once('close', resolve));
  return code === 0 ? { suite: 'check', passed: 1, failed: 0, skipped: 0 } : brokenSuite('check', `types, lint or dead code:\n${output.replace(/^/gm, '    ')}`);
}

async function runGuarded(kind: Kind, filters: readonly string[]): Promise<SuiteResult> {
  const start = performance.now();
  const result = await runKind(kind, filters).catch((error: unknown) => brokenSuite(kind, error instanceof Error ? error.message : String(error)));
  const seconds = ((performance.now() - start) / 1000).toFixed(1);
  console.log(`${kind}: ${result.passed} passed, ${result.failed} failed${result.skipped > 0 ? `, ${result.skipped} skipped` : ''} (${seconds} s)`);
  return result;
}

/** What a kind needs made before it runs; made once, however many need it. */
async function prepare(chosen: readonly Kind[]): Promise<void> {
  if (chosen.includes('e2e')) await packageExtension();
  else if (chosen.some((kind) => kind !== 'check')) await buildAll();
}

async function main(words: readonly string[]): Promise<void> {
  const named = words.filter(isKind);
  const filters = words.filter((word) => !isKind(word));
  const chosen = named.length === 0 ? [...kinds] : kinds.filter((kind) => named.includes(kind));
  const results: SuiteResult[] = [];
  try {
    await prepare(chosen);
  } catch (error) {
    results.push(brokenSuite('build', error instanceof Error ? error.message : String(error)));
  }
  // After a build that failed, the types still say why; the rest would only repeat it.
  for (const kind of chosen) if (results.length === 0 || kind === 'check' || results[0]?.suite !== 'build') results.push(await runGuarded(kind, filters));
  const passed = results.reduce((sum, result) => sum + result.passed, 0);
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
  console.log(`${passed} passed, ${failed} failed`);
}

endOnSignal();
await main(process.argv.slice(2));
// Whatever still holds the process open is a leak; it may delay the end, not prevent it.
setTimeout(() => process.exit(), 5000).unref();
