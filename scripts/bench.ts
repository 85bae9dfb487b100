import { spawn } from 'node:child_process';
import { basename, join } from 'node:path';
import { endOnSignal } from './end-on-signal.ts';
import { filesMatching } from './files-matching.ts';
import { root } from './project-paths.ts';

/** `npm run bench -- NAME`: runs test/bench/NAME.ts, whose only output is JSON. */
async function main(name: string | undefined): Promise<void> {
  const names = (await filesMatching('test/bench/*.ts')).map((file) => basename(file, '.ts'));
  if (name === undefined || !names.includes(name)) {
    console.error(`usage: npm run bench --silent -- NAME, with NAME one of: ${names.join(', ')}`);
    process.exitCode = 2;
    return;
  }
  const child = spawn(process.execPath, [join(root, 'test/bench', `${name}.ts`)], { cwd: root, stdio: 'inherit' });
  process.once('exit', () => child.kill());
  process.exitCode = await new Promise<number>((resolve) => child.once('exit', (code) => resolve(code ?? 1)));
}

endOnSignal();
await main(process.argv[2]);
