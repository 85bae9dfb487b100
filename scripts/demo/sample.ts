import { cp, mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../project-paths.ts';
import { runCommand, runNpm } from '../run-command.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** Small, MIT-licensed, with real source. */
const sample = { name: 'ms', version: '2.1.3' } as const;

/** A fresh copy of the sample package in a temporary folder, to be opened as a workspace; fetched once. */
export async function copySample(): Promise<{ readonly folder: string; remove(): Promise<void> }> {
  const source = await fetchSample();
  const home = await temporaryFolder('sample');
  const folder = join(home.path, sample.name);
  await cp(source, folder, { recursive: true });
  return { folder, remove: home.remove };
}

async function fetchSample(): Promise<string> {
  const folder = join(cacheDirectory, 'sample', `${sample.name}-${sample.version}`);
  if (existsSync(folder)) return folder;
  await mkdir(join(cacheDirectory, 'sample'), { recursive: true });
  const staging = await mkdtemp(join(cacheDirectory, 'sample', 'new-'));
  try {
    await runNpm(['pack', `${sample.name}@${sample.version}`, '--silent', '--pack-destination', staging], { cwd: staging });
    await runCommand('tar', ['-xzf', join(staging, `${sample.name}-${sample.version}.tgz`), '-C', staging]);
    await rename(join(staging, 'package'), folder);
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
  return folder;
}
