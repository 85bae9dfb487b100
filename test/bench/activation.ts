import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endOnSignal } from '../../scripts/end-on-signal.ts';
import { runInEditor } from '../../scripts/in-editor.ts';
import { packageExtension } from '../../scripts/package.ts';
import { root, vsixFile } from '../../scripts/project-paths.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { startVscodeServer } from '../../scripts/vscode-server.ts';
import { bundleVscodeTests } from '../../scripts/vscode-tests-bundle.ts';
import { atMost, median, type Goal } from './goals.ts';

const ours = 'countersign.countersign';
const empty = 'bench.empty';
const runs = 5;
const megabyte = 1024 * 1024;

interface Measured {
  readonly activeBefore: boolean;
  readonly milliseconds: number;
  readonly heap: number;
  readonly rss: number;
  readonly loaded: readonly { readonly file: string; readonly bytes: number }[];
}

interface Sample {
  readonly ours: Measured;
  readonly empty: Measured;
}

export interface ActivationReport {
  readonly runs: number;
  readonly activeBeforeUse: boolean;
  readonly activationMs: Goal;
  readonly emptyActivationMs: number;
  /** Of the extension host, after a collection of garbage. */
  readonly memoryAddedMb: Goal;
  readonly heapAddedMb: number;
  readonly emptyMemoryAddedMb: number;
  readonly emptyHeapAddedMb: number;
  readonly loadedAtStart: readonly { readonly file: string; readonly bytes: number }[];
  readonly loadedAtStartMb: Goal;
  readonly webviewScriptMb: Goal;
  readonly vsixMb: Goal;
}

/** Cold starts of the packed extension in a real VS Code, beside an extension that does nothing, in the same extension host. */
export async function benchActivation(): Promise<ActivationReport> {
  await packageExtension();
  await bundleVscodeTests();
  const home = await temporaryFolder('bench');
  try {
    const emptyExtension = await writeEmptyExtension(join(home.path, 'empty'));
    const samples: Sample[] = [];
    for (let index = 0; index < runs; index++) {
      const folder = join(home.path, `workspace-${index}`);
      await mkdir(folder);
      // In turns, so that neither always has the advantage of the other's having been there.
      const order = index % 2 === 0 ? [empty, ours] : [ours, empty];
      samples.push(await coldStart({ folder, extension: emptyExtension, report: join(home.path, `report-${index}.json`), order }));
    }
    const of = (which: 'ours' | 'empty', value: (measured: Measured) => number): number => median(samples.map((sample) => value(sample[which])));
    const loaded = samples[0]?.ours.loaded ?? [];
    return {
      runs,
      activeBeforeUse: samples.some((sample) => sample.ours.activeBefore),
      activationMs: atMost(50, of('ours', ({ milliseconds }) => milliseconds)),
      emptyActivationMs: of('empty', ({ milliseconds }) => milliseconds),
      memoryAddedMb: atMost(15, of('ours', ({ rss }) => rss) / megabyte),
      heapAddedMb: of('ours', ({ heap }) => heap) / megabyte,
      emptyMemoryAddedMb: of('empty', ({ rss }) => rss) / megabyte,
      emptyHeapAddedMb: of('empty', ({ heap }) => heap) / megabyte,
      loadedAtStart: loaded,
      loadedAtStartMb: atMost(0.4, loaded.reduce((sum, { bytes }) => sum + bytes, 0) / megabyte),
      webviewScriptMb: atMost(0.2, (await stat(join(root, 'dist/webview/chat.js'))).size / megabyte),
      vsixMb: atMost(9, (await stat(vsixFile)).size / megabyte),
    };
  } finally {
    await home.remove();
  }
}

interface ColdStart {
  readonly folder: string;
  readonly extension: string;
  readonly report: string;
  readonly order: readonly string[];
}

async function coldStart({ folder, extension, report, order }: ColdStart): Promise<Sample> {
  const server = await startVscodeServer({
    extensions: [vsixFile],
    env: { COUNTERSIGN_PROBE_REPORT: report, COUNTERSIGN_PROBE_EXTENSIONS: order.join(' ') },
  });
  try {
    await runInEditor({ server, folder, extension, module: 'activation-probe.cjs' });
    const text = await readFile(report, 'utf8').catch(() => { throw new Error(`the probe wrote no report:\n${server.log().slice(-3000)}`); });
    return parseReport(text);
  } finally {
    await server.close();
  }
}

function parseReport(text: string): Sample {
  const report = JSON.parse(text) as Record<string, Measured>;
  const [mine, other] = [report[ours], report[empty]];
  if (mine?.milliseconds === undefined || other?.milliseconds === undefined) throw new Error(`An extension is missing in the editor: ${text}`);
  return { ours: mine, empty: other };
}

async function writeEmptyExtension(folder: string): Promise<string> {
  await mkdir(folder);
  const manifest = { name: 'empty', publisher: 'bench', version: '0.0.1', main: './main.cjs', engines: { vscode: '^1.106.0' }, activationEvents: [] };
  await writeFile(join(folder, 'package.json'), JSON.stringify(manifest));
  await writeFile(join(folder, 'main.cjs'), 'exports.activate = () => {};\n');
  return folder;
}

if (process.argv[1] === import.meta.filename) {
  endOnSignal();
  console.log(JSON.stringify(await benchActivation(), null, 2));
}
