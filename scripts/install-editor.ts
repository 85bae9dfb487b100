import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cacheDirectory } from './project-paths.ts';
import { runNpm } from './run-command.ts';

/** code-server 4.139 carries VS Code 1.139 as a server for browsers; our own Node 24 runs it. */
const codeServer = '4.139.1';
const home = join(cacheDirectory, 'vscode');

/** The entry file of a real VS Code, installed into the cache on first use (half a minute). */
export async function ensureEditor(): Promise<string> {
  const entry = join(home, 'node_modules/code-server/lib/vscode/out/server-main.js');
  if ((await readStamp()) === codeServer) return entry;
  console.error(`Installing VS Code (code-server ${codeServer}) into .cache/vscode …`);
  await mkdir(cacheDirectory, { recursive: true });
  // Made aside and renamed, so that an interrupted installation never looks like a whole one.
  const staging = await mkdtemp(join(cacheDirectory, 'vscode-'));
  try {
    await writeFile(join(staging, 'package.json'), '{ "private": true }\n');
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund'];
    await runNpm(['install', `code-server@${codeServer}`, ...flags], { cwd: staging });
    await runNpm(['install', '--omit=dev', ...flags], { cwd: join(staging, 'node_modules/code-server/lib/vscode') });
    await writeFile(join(staging, 'version'), codeServer);
    await rm(home, { recursive: true, force: true });
    await rename(staging, home);
  } catch (error) {
    await rm(staging, { recursive: true, force: true });
    if ((await readStamp()) !== codeServer) throw error;
  }
  return entry;
}

async function readStamp(): Promise<string> {
  return readFile(join(home, 'version'), 'utf8').catch(() => '');
}
