import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endOnSignal } from './end-on-signal.ts';
import { filesMatching } from './files-matching.ts';
import { root } from './project-paths.ts';

/** For one property: long enough for ten thousand runs on a busy machine, and not for ever. */
const timeout = 1_800_000;

/** Every property ten thousand times, or as often as COUNTERSIGN_PROPERTY_RUNS says: `npm run test:properties [-- PART-OF-A-PATH …]`. */
async function main(filters: readonly string[]): Promise<void> {
  const found = await filesMatching('test/unit/properties/*.test.ts');
  const files = found.filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)));
  if (files.length === 0) throw new Error('no file with properties');
  const runs = process.env['COUNTERSIGN_PROPERTY_RUNS'] ?? '10000';
  const child = spawn(process.execPath, ['--test', `--test-timeout=${timeout}`, ...files.map((file) => join(root, file))], {
    cwd: root, stdio: 'inherit', env: { ...process.env, COUNTERSIGN_PROPERTY_RUNS: runs },
  });
  process.on('exit', () => child.kill());
  const code = await new Promise<unknown>((resolve, reject) => child.once('close', resolve).once('error', reject));
  console.log(`${code === 0 ? '✔' : '✖'} properties, ${runs} runs each`);
  process.exitCode = code === 0 ? 0 : 1;
}

endOnSignal();
await main(process.argv.slice(2));
