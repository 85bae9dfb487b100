import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEditor } from '../../scripts/editor-page.ts';
import { endOnSignal } from '../../scripts/end-on-signal.ts';
import { packageExtension } from '../../scripts/package.ts';
import { vsixFile } from '../../scripts/project-paths.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { startVscodeServer } from '../../scripts/vscode-server.ts';
import { countHands, demonstrationFile, firstSteps, type Hands } from '../e2e/first-steps.ts';
import { atMost, median, type Goal } from './parts/goals.ts';

const runs = 3;

interface FirstUse {
  readonly seconds: number;
  readonly clicks: number;
  readonly keys: number;
}

interface FirstUseReport {
  readonly runs: number;
  /** From the start of the VSIX's installation into an editor that nobody has used, with the editor's own start, to the first change that was allowed and stands on disk. */
  readonly seconds: Goal;
  readonly clicks: Goal;
  readonly keys: number;
}

async function benchFirstUse(): Promise<FirstUseReport> {
  await packageExtension();
  const home = await temporaryFolder('bench-first-use');
  try {
    const uses: FirstUse[] = [];
    for (let run = 0; run < runs; run++) uses.push(await firstUse(join(home.path, `folder-${run}`)));
    const of = (value: (use: FirstUse) => number): number => median(uses.map(value));
    return { runs, seconds: atMost(60, of(({ seconds }) => seconds)), clicks: atMost(6, of(({ clicks }) => clicks)), keys: of(({ keys }) => keys) };
  } finally {
    await home.remove();
  }
}

async function firstUse(folder: string): Promise<FirstUse> {
  await mkdir(folder);
  const start = performance.now();
  const server = await startVscodeServer({ extensions: [vsixFile], trust: 'ask', look: 'as installed' });
  try {
    let hands: Hands = { clicks: 0, keys: 0 };
    const editor = await openEditor({ server, folder, prepare: async (page) => { hands = await countHands(page); } });
    try {
      await firstSteps(editor);
      const seconds = (performance.now() - start) / 1000;
      if (!existsSync(join(folder, demonstrationFile))) throw new Error('What was allowed is not on disk.');
      return { seconds, ...hands };
    } finally {
      await editor.close();
    }
  } finally {
    await server.close();
  }
}

endOnSignal();
console.log(JSON.stringify(await benchFirstUse(), null, 2));
