import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runInEditor } from './in-editor.ts';
import { root } from './project-paths.ts';
import { orEmpty, printFailure, type SuiteResult } from './suite-result.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { bundleVscodeTests, testExtensions } from './vscode-tests-bundle.ts';
import { startVscodeServer } from './vscode-server.ts';

/** Runs test/vscode inside the extension host of a real VS Code, on the extension as it is built in this folder. */
export async function runVscodeSuite(): Promise<SuiteResult> {
  await bundleVscodeTests();
  const home = await temporaryFolder('in-editor');
  try {
    const report = join(home.path, 'report.json');
    const folder = join(home.path, 'workspace');
    await mkdir(folder);
    await writeFile(join(folder, 'note.txt'), 'A file to have one.\n');
    const server = await startVscodeServer({ env: { COUNTERSIGN_TEST_REPORT: report }, extensionFolders: testExtensions });
    try {
      await runInEditor({ server, folder, extension: root, module: 'index.cjs' });
      return orEmpty(parseReport(await readFile(report, 'utf8').catch(() => { throw new Error(`the editor wrote no report:\n${server.log().slice(-3000)}`); })));
    } finally {
      await server.close();
    }
  } finally {
    await home.remove();
  }
}

export function parseReport(text: string): SuiteResult {
  const report = JSON.parse(text) as { passed: number; failures: { title: string; error: string }[] };
  for (const { title, error } of report.failures) printFailure(title, error);
  return { suite: 'vscode', passed: report.passed, failed: report.failures.length, skipped: 0 };
}
