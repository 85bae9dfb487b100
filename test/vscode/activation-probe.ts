import { statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { extensions, type Extension } from 'vscode';

interface Memory {
  readonly heap: number;
  readonly rss: number;
}

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

function memory(): Memory {
  if (typeof collectGarbage === 'function') for (let round = 0; round < 3; round++) collectGarbage();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

/** Waits until the extension host has done what a start brings along: else the first measurement would contain it. */
async function whenQuiet(): Promise<void> {
  const deadline = performance.now() + 20_000;
  for (let quiet = 0; quiet < 20 && performance.now() < deadline;) {
    const before = performance.now();
    await new Promise((resolve) => setTimeout(resolve, 50));
    quiet = performance.now() - before < 60 ? quiet + 1 : 0;
  }
}

/** Activates it and says what that took, in milliseconds and bytes. */
async function measure(extension: Extension<unknown>): Promise<object> {
  const activeBefore = extension.isActive;
  const before = memory();
  const start = performance.now();
  await extension.activate();
  const milliseconds = performance.now() - start;
  const after = memory();
  const home = dirname(extension.extensionPath) + sep + basename(extension.extensionPath) + sep;
  const loaded = Object.keys(createRequire(__filename).cache).filter((file) => file.startsWith(home) && !file.endsWith('package.json'));
  return {
    activeBefore, milliseconds, heap: after.heap - before.heap, rss: after.rss - before.rss,
    loaded: loaded.map((file) => ({ file: file.slice(home.length), bytes: statSync(file).size })),
  };
}

/** Called by the extension host: measures the two extensions that the environment names, and writes what it found. */
export async function run(): Promise<void> {
  const target = process.env['COUNTERSIGN_PROBE_REPORT'] ?? '';
  const report: Record<string, object> = {};
  await whenQuiet();
  for (const id of (process.env['COUNTERSIGN_PROBE_EXTENSIONS'] ?? '').split(' ')) {
    const extension = extensions.getExtension(id);
    report[id] = extension === undefined ? { missing: true } : await measure(extension);
  }
  writeFileSync(target, JSON.stringify(report));
}
