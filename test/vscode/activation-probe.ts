import { statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { sep } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { commands, extensions, type Extension } from 'vscode';

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

interface Cost {
  readonly milliseconds: number;
  readonly heap: number;
  readonly rss: number;
  /** Every file of the extension that is loaded by then. */
  readonly loaded: readonly { readonly file: string; readonly bytes: number }[];
}

/** What an action adds to this extension host, in milliseconds and bytes. */
async function costOf(extension: Extension<unknown>, act: () => Thenable<unknown>, settle: () => Promise<void>): Promise<Cost> {
  const before = memory();
  const start = performance.now();
  await act();
  const milliseconds = performance.now() - start;
  await settle();
  const after = memory();
  const home = extension.extensionPath + sep;
  const loaded = Object.keys(createRequire(__filename).cache).filter((file) => file.startsWith(home) && !file.endsWith('package.json'));
  return {
    milliseconds, heap: after.heap - before.heap, rss: after.rss - before.rss,
    loaded: loaded.map((file) => ({ file: file.slice(home.length), bytes: statSync(file).size })),
  };
}

/** Called by the extension host: measures what the environment names, in its order, and writes what it found. */
export async function run(): Promise<void> {
  const target = process.env['COUNTERSIGN_PROBE_REPORT'] ?? '';
  const command = process.env['COUNTERSIGN_PROBE_COMMAND'] ?? '';
  const report: Record<string, object> = {};
  const found: Extension<unknown>[] = [];
  await whenQuiet();
  for (const id of (process.env['COUNTERSIGN_PROBE_EXTENSIONS'] ?? '').split(' ')) {
    const extension = extensions.getExtension(id);
    if (extension === undefined) throw new Error(`The editor does not know ${id}`);
    found.push(extension);
    const activeBefore = extension.isActive;
    report[id] = { activeBefore, activation: await costOf(extension, () => extension.activate(), async () => {}) };
  }
  for (const extension of found) {
    if (!command.startsWith(`${extension.packageJSON.name}.`)) continue;
    // What the view loads by itself a moment later belongs to it.
    report[extension.id] = { ...report[extension.id], opening: await costOf(extension, () => commands.executeCommand(command), whenQuiet) };
  }
  writeFileSync(target, JSON.stringify(report));
}
