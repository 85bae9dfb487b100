import { mkdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildAll } from './build.ts';
import { writeNotices } from './notices.ts';
import { outDirectory, root, vsixFile } from './project-paths.ts';
import { runCommand } from './run-command.ts';

const vsce = join(root, 'node_modules/@vscode/vsce/vsce');

/** Builds everything and packs it into `out/countersign.vsix`; gives its size in bytes. What may go in says `.vscodeignore`. */
export async function packageExtension(): Promise<number> {
  await buildAll();
  await writeNotices();
  await mkdir(outDirectory, { recursive: true });
  await rm(vsixFile, { force: true });
  await runCommand(process.execPath, [vsce, 'package', '--no-dependencies', '--allow-missing-repository', '--no-rewrite-relative-links', '--out', vsixFile], { cwd: root });
  return (await stat(vsixFile)).size;
}

/** The files that the VSIX would hold, as paths from the root. */
export async function packagedFiles(): Promise<readonly string[]> {
  const listing = await runCommand(process.execPath, [vsce, 'ls', '--no-dependencies'], { cwd: root });
  return listing.split('\n').map((line) => line.trim()).filter((line) => line !== '');
}

if (process.argv[1] === import.meta.filename) {
  const size = await packageExtension();
  console.log(`${vsixFile}: ${(size / 1024).toFixed(0)} kB`);
}
