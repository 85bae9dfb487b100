import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Frame } from 'playwright-core';
import { openEditor, type EditorPage } from '../../scripts/editor-page.ts';
import { endOnSignal } from '../../scripts/end-on-signal.ts';
import { packageExtension } from '../../scripts/package.ts';
import { personAt, type Person } from '../../scripts/person.ts';
import { vsixFile } from '../../scripts/project-paths.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { startVscodeServer, type VscodeServer } from '../../scripts/vscode-server.ts';
import { call, hold, say } from '../model-server/replies.ts';
import { scriptOf, startModelServer, type ModelServer } from '../model-server/server.ts';
import { atMost, median, type Goal } from './goals.ts';

const runs = 5;
const turns = 7;
const composer = '.composer textarea';
const megabyte = 1024 * 1024;

interface AtLength {
  readonly messages: number;
  readonly enterToWireMs: Goal;
  readonly lastChunkToShownMs: Goal;
  /** Of the editor's page, after a collection of garbage. */
  readonly pageHeapMb: number;
}

interface TurnReport {
  readonly runs: number;
  /** From the click on the icon to a typed key that stands in the input, in a window that has not used the extension before. */
  readonly iconToTypedKeyMs: Goal;
  /** What the view adds to the heap of the editor's page, which it shares: at 1,000 messages, and at none. */
  readonly viewHeapMb: Goal;
  readonly emptyViewHeapMb: number;
  readonly openConversationMs: Goal;
  readonly atLengths: readonly AtLength[];
}

/** One window a run for the opening; one window for the turns, before and after 1,000 messages. */
async function benchTurn(): Promise<TurnReport> {
  await packageExtension();
  const home = await temporaryFolder('bench-turn');
  const model = await startModelServer(scriptOf([]));
  const server = await startVscodeServer({
    extensions: [vsixFile],
    settings: {
      'countersign.models': [{ protocol: 'openai-chat', baseUrl: model.baseUrl, model: 'scripted' }], 'countersign.agent.stepBudget': 1000,
      // The scripted model has no window to fill.
      'countersign.modelCapabilities': { scripted: { contextTokens: 10_000_000 } },
    },
  });
  try {
    const openings: number[] = [];
    for (let run = 0; run < runs; run++) openings.push(await openingMs(server, await folderIn(home.path, `cold-${run}`)));
    const editor = await openEditor({ server, folder: await folderIn(home.path, 'long') });
    try {
      const person = personAt(editor);
      const pageMb = await heapMb(editor);
      await person.openChat();
      const empty = await atLength(editor, person, model, 0);
      await lengthen(person, model, 500);
      const long = await atLength(editor, person, model, 1000);
      return {
        runs, iconToTypedKeyMs: atMost(350, median(openings)), viewHeapMb: atMost(5, long.pageHeapMb - pageMb), emptyViewHeapMb: empty.pageHeapMb - pageMb,
        openConversationMs: atMost(300, await reopenedMs(editor, person)), atLengths: [empty, long],
      };
    } finally {
      await editor.close();
    }
  } finally {
    await server.close();
    await model.close();
    await home.remove();
  }
}

async function folderIn(home: string, name: string): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder);
  return folder;
}

async function openingMs(server: VscodeServer, folder: string): Promise<number> {
  const editor = await openEditor({ server, folder });
  try {
    const tab = editor.page.locator('.activitybar').getByRole('tab', { name: 'Countersign', exact: false });
    await tab.waitFor();
    // What the window still does for itself is not the view's.
    await editor.page.waitForTimeout(3000);
    const start = performance.now();
    await tab.click();
    const input = (await frameOf(editor)).locator(composer);
    await input.focus();
    await editor.page.keyboard.press('x');
    await (await frameOf(editor)).waitForFunction((selector) => document.querySelector<HTMLTextAreaElement>(selector)?.value === 'x', composer, { polling: 5 });
    return performance.now() - start;
  } finally {
    await editor.close();
  }
}

async function frameOf(editor: EditorPage): Promise<Frame> {
  for (;;) {
    for (const frame of editor.page.frames()) {
      if (frame !== editor.page.mainFrame() && await frame.locator(composer).count().catch(() => 0) > 0) return frame;
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function atLength(editor: EditorPage, person: Person, model: ModelServer, messages: number): Promise<AtLength> {
  const wire: number[] = [];
  const shown: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const [begin, end] = [`begin-${messages}-${turn}`, `end-${messages}-${turn}`];
    const gate = hold();
    let arrived = 0;
    // Two chunks of text, and the last one waits.
    model.setScript((request) => {
      arrived = request.at;
      return { ...say([`${begin} `, end]), holdAfter: { chunks: 2, until: gate.until } };
    });
    const frame = await person.frame();
    const input = frame.locator(composer);
    await input.fill(`Message ${turn}`);
    const entered = Date.now();
    await input.press('Enter');
    await shownAt(frame, begin);
    const seen = shownAt(frame, end);
    const sent = Date.now();
    gate.release();
    shown.push(await seen - sent);
    wire.push(arrived - entered);
    await person.idle();
  }
  return { messages, enterToWireMs: atMost(30, median(wire)), lastChunkToShownMs: atMost(50, median(shown)), pageHeapMb: await heapMb(editor) };
}

/** When the page has drawn this text, in milliseconds since 1970. */
function shownAt(frame: Frame, text: string): Promise<number> {
  return frame.evaluate((wanted) => new Promise<number>((resolve) => {
    const look = (): void => {
      if (document.body.textContent.includes(wanted)) resolve(Date.now());
      else requestAnimationFrame(look);
    };
    look();
  }), text);
}

/** Steps that look at the folder: each is an answer and a call. */
async function lengthen(person: Person, model: ModelServer, steps: number): Promise<void> {
  model.setScript((_request, n) => (n < steps ? { kind: 'answer', text: `Step ${n + 1}: I look at the folder.`, calls: [call('list_directory', {})] } : say('Enough.')));
  await person.say('Look around');
  await (await person.frame()).locator('.assistant').filter({ hasText: 'Enough.' }).waitFor({ timeout: 600_000 });
  await person.idle();
}

async function reopenedMs(editor: EditorPage, person: Person): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    await editor.page.locator('.activitybar').getByRole('tab', { name: 'Explorer', exact: false }).click();
    await editor.page.waitForTimeout(500);
    const start = performance.now();
    await editor.page.locator('.activitybar').getByRole('tab', { name: 'Countersign', exact: false }).click();
    const frame = await frameOf(editor);
    await frame.locator('[data-entry]').last().waitFor();
    times.push(performance.now() - start);
  }
  await person.openChat();
  return median(times);
}

async function heapMb(editor: EditorPage): Promise<number> {
  const session = await editor.page.context().newCDPSession(editor.page);
  await session.send('HeapProfiler.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize / megabyte;
}

endOnSignal();
console.log(JSON.stringify(await benchTurn(), null, 2));
