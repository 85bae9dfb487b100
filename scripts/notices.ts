import { readFile, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { filesMatching } from './files-matching.ts';
import { root } from './project-paths.ts';

/** Copied into dist/ as files, so that no bundle's metafile names them. */
const copied = ['node_modules/@vscode/codicons'];

/** Writes the licences of every package that a bundle contains, as esbuild's metafiles tell, into `dist/THIRD-PARTY-NOTICES.txt`. */
export async function writeNotices(): Promise<void> {
  const folders = new Set(copied);
  for (const file of await filesMatching('out/meta/*.json')) {
    const meta = JSON.parse(await readFile(join(root, file), 'utf8')) as { inputs: Record<string, unknown> };
    for (const input of Object.keys(meta.inputs)) {
      const folder = /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(input)?.[0];
      if (folder !== undefined) folders.add(folder);
    }
  }
  const notices = await Promise.all([...folders].sort().map(noticeOf));
  await writeFile(join(root, 'dist/THIRD-PARTY-NOTICES.txt'), `Countersign contains these packages:\n\n${notices.join('\n')}`);
}

async function noticeOf(folder: string): Promise<string> {
  const manifest = JSON.parse(await readFile(join(root, folder, 'package.json'), 'utf8')) as { name: string; version: string; license?: string };
  const file = (await readdir(join(root, folder))).find((name) => /^licen[cs]e/i.test(name));
  if (file === undefined && manifest.license === undefined) throw new Error(`${folder} states no licence: it cannot be shipped`);
  const text = file === undefined ? '' : `\n${(await readFile(join(root, folder, file), 'utf8')).trim()}\n`;
  return `${'-'.repeat(80)}\n${manifest.name} ${manifest.version} (${manifest.license ?? 'see below'})\n${text}`;
}
