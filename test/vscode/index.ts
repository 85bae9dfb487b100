import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';

/** What the runner outside the editor reads: the path of this file's JSON comes in the environment. */
interface Report {
  passed: number;
  readonly failures: { readonly title: string; readonly error: string }[];
}

/** Called by VS Code's extension host: runs every suite that was built beside this file, and throws where a test failed. */
export function run(): Promise<void> {
  const target = process.env['COUNTERSIGN_TEST_REPORT'];
  if (target === undefined) return Promise.reject(new Error('COUNTERSIGN_TEST_REPORT names no file.'));
  const mocha = new Mocha({ ui: 'tdd', timeout: 60_000, reporter: 'min' });
  for (const file of readdirSync(__dirname).sort()) if (file.endsWith('.test.cjs')) mocha.addFile(join(__dirname, file));
  const report: Report = { passed: 0, failures: [] };
  return new Promise((resolve, reject) => {
    mocha.run((failures) => {
      writeFileSync(target, JSON.stringify(report));
      if (failures === 0) resolve();
      else reject(new Error(`${failures} failed`));
    })
      .on('pass', () => { report.passed++; })
      .on('fail', (test, error: Error) => { report.failures.push({ title: test.fullTitle(), error: error.stack ?? error.message }); });
  });
}
