import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runTests } from '@vscode/test-electron';
import { buildAll } from './build.ts';
import { endOnSignal } from './end-on-signal.ts';
import { root } from './project-paths.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { bundleVscodeTests, testExtensions, vscodeTestsDirectory } from './vscode-tests-bundle.ts';
import { parseReport } from './vscode-suite.ts';

const usage = `npm run test:electron [-- OPTIONS]
  Runs the in-editor suites in a desktop VS Code, which is downloaded and kept in .vscode-test.
  --version VERSION   "stable" (the default), "insiders", or a number such as 1.106.0: the oldest that is supported
  --executable FILE   a VS Code that is installed already; nothing is downloaded then`;

/** The same suites as `npm test -- vscode`, under Electron. Prints the same last line. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { version: { type: 'string' }, executable: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help === true) return console.log(usage);
  await buildAll();
  await bundleVscodeTests();
  const home = await temporaryFolder('electron');
  try {
    const report = join(home.path, 'report.json');
    const folder = join(home.path, 'workspace');
    await mkdir(folder);
    await writeFile(join(folder, 'note.txt'), 'A file to have one.\n');
    const ended = await runTests({
      ...(values.executable === undefined ? { version: values.version ?? 'stable' } : { vscodeExecutablePath: values.executable }),
      extensionDevelopmentPath: [root, ...testExtensions], extensionTestsPath: join(vscodeTestsDirectory, 'index.cjs'),
      extensionTestsEnv: { COUNTERSIGN_TEST_REPORT: report },
      launchArgs: [folder, '--disable-workspace-trust', '--skip-welcome', '--user-data-dir', join(home.path, 'user'), ...asRoot()],
    }).then(() => '', (error: unknown) => (error instanceof Error ? error.message : String(error)));
    const text = await readFile(report, 'utf8').catch(() => null);
    if (text === null) throw new Error(`The editor wrote no report: ${ended}. Where VS Code cannot be downloaded, name an installed one by --executable.`);
    const { passed, failed } = parseReport(text);
    process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
    console.log(`${passed} passed, ${failed} failed`);
  } finally {
    await home.remove();
  }
}

/** Electron refuses to start as root in its own sandbox. */
function asRoot(): readonly string[] {
  return process.getuid?.() === 0 ? ['--no-sandbox'] : [];
}

endOnSignal();
await main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
});
