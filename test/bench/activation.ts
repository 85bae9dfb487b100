import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endOnSignal } from '../../scripts/end-on-signal.ts';
import { runInEditor } from '../../scripts/in-editor.ts';
import { packageExtension } from '../../scripts/package.ts';
import { root, vsixFile } from '../../scripts/project-paths.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { startVscodeServer } from '../../scripts/vscode-server.ts';
import { bundleVscodeTests } from '../../scripts/vscode-tests-bundle.ts';
import { atMost, median, type Goal } from './parts/goals.ts';

const ours = 'countersign.countersign';
const empty = 'bench.empty';
const runs = 5;
const megabyte = 1024 * 1024;

interface Cost {
  readonly milliseconds: number;
  readonly heap: number;
  readonly rss: number;
  readonly loaded: readonly { readonly file: string; readonly bytes: number }[];
}

interface Sample {
  readonly ours: { readonly activeBefore: boolean; readonly activation: Cost; readonly opening: Cost };
  readonly empty: { readonly activation: Cost };
}

interface ActivationReport {
  readonly runs: number;
  readonly activeBeforeUse: boolean;
  readonly activationMs: Goal;
  readonly emptyActivationMs: number;
  /** Resident memory of the extension host, after a collection of garbage. */
  readonly activationMemoryMb: Goal;
  readonly activationHeapMb: number;
  readonly emptyActivationMemoryMb: number;
  readonly loadedAtActivation: Cost['loaded'];
  readonly loadedAtActivationMb: Goal;
  /** Activation and the open view together, once everything that it loads by itself is there. */
  readonly withViewMemoryMb: Goal;
  readonly withViewHeapMb: number;
  readonly loadedWithView: Cost['loaded'];
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
    const of = (value: (sample: Sample) => number): number => median(samples.map(value));
    const last = samples.at(-1);
    const loadedAtActivation = last?.ours.activation.loaded ?? [];
    return {
      runs,
      activeBeforeUse: samples.some(({ ours: { activeBefore } }) => activeBefore),
      activationMs: atMost(50, of((sample) => sample.ours.activation.milliseconds)),
      emptyActivationMs: of((sample) => sample.empty.activation.milliseconds),
      activationMemoryMb: atMost(15, of((sample) => sample.ours.activation.rss / megabyte)),
      activationHeapMb: of((sample) => sample.ours.activation.heap / megabyte),
      emptyActivationMemoryMb: of((sample) => sample.empty.activation.rss / megabyte),
      loadedAtActivation,
      loadedAtActivationMb: atMost(0.4, loadedAtActivation.reduce((sum, { bytes }) => sum + bytes, 0) / megabyte),
      withViewMemoryMb: atMost(40, of((sample) => (sample.ours.activation.rss + sample.ours.opening.rss) / megabyte)),
      withViewHeapMb: of((sample) => (sample.ours.activation.heap + sample.ours.opening.heap) / megabyte),
      loadedWithView: last?.ours.opening.loaded ?? [],
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
    env: { COUNTERSIGN_PROBE_REPORT: report, COUNTERSIGN_PROBE_EXTENSIONS: order.join(' '), COUNTERSIGN_PROBE_COMMAND: 'countersign.focusChat' },
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
  const report = JSON.parse(text) as { [ours]: Sample['ours']; [empty]: Sample['empty'] };
  return { ours: report[ours], empty: report[empty] };
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
