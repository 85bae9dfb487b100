import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openEditor, type EditorPage } from '../../scripts/editor-page.ts';
import { endOnSignal } from '../../scripts/end-on-signal.ts';
import { packageExtension } from '../../scripts/package.ts';
import { personAt, type Person } from '../../scripts/person.ts';
import { vsixFile } from '../../scripts/project-paths.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { startVscodeServer, type VscodeServer } from '../../scripts/vscode-server.ts';
import { call, hold, say } from '../model-server/replies.ts';
import { scriptOf, startModelServer, type ModelServer } from '../model-server/server.ts';
import { emptyViewTitle, writeEmptyView } from './parts/empty-view.ts';
import { atMost, median, type Goal } from './parts/goals.ts';
import { pageClock, type PageClock } from './parts/page-clock.ts';

const runs = 5;
const turns = 15;
const ours = 'Countersign';
const megabyte = 1024 * 1024;

/** Of one cold start: a window that has not shown the view before. */
interface Opening {
  /** From the click on the icon until something of the view is drawn. */
  readonly drawnMs: number;
  /** From the click on the icon to a typed key that stands in the input. */
  readonly typedKeyMs: number;
  /** What the view adds to the heap of the page and its frames. */
  readonly heapMb: number;
}

interface AtLength {
  readonly messages: number;
  readonly enterToWireMs: Goal;
  readonly lastChunkToShownMs: Goal;
}

interface TurnReport {
  readonly runs: number;
  readonly iconToTypedKeyMs: Goal;
  readonly bareIconToTypedKeyMs: number;
  /** Over a view with nothing in it. */
  readonly firstPaintAddedMs: Goal;
  readonly emptyViewHeapMb: Goal;
  readonly bareViewHeapMb: number;
  /** With 1,000 messages. */
  readonly viewHeapMb: Goal;
  readonly openConversationMs: Goal;
  readonly bareEnterToWireMs: number;
  readonly atLengths: readonly AtLength[];
}

/** A window a run for the opening of the view and of a bare one; one window for the turns, before and after 1,000 messages. */
async function benchTurn(): Promise<TurnReport> {
  await packageExtension();
  const home = await temporaryFolder('bench-turn');
  const model = await startModelServer(scriptOf([]));
  const server = await startVscodeServer({
    extensions: [vsixFile],
    extensionFolders: [await writeEmptyView(join(home.path, 'empty-view'), `${model.baseUrl}/chat/completions`)],
    settings: {
      'countersign.models': [{ protocol: 'openai-chat', baseUrl: model.baseUrl, model: 'scripted' }], 'countersign.agent.stepBudget': 1000,
      // The scripted model has no window to fill.
      'countersign.modelCapabilities': { scripted: { contextTokens: 10_000_000 } },
    },
  });
  try {
    const opened = { [ours]: [] as Opening[], [emptyViewTitle]: [] as Opening[] };
    for (let run = 0; run < runs; run++) {
      for (const title of [ours, emptyViewTitle] as const) opened[title].push(await opening(server, await folderIn(home.path, `cold-${run}`), title));
    }
    const of = (title: keyof typeof opened, value: (one: Opening) => number): number => median(opened[title].map(value));
    return {
      runs,
      iconToTypedKeyMs: atMost(350, of(ours, ({ typedKeyMs }) => typedKeyMs)), bareIconToTypedKeyMs: of(emptyViewTitle, ({ typedKeyMs }) => typedKeyMs),
      firstPaintAddedMs: atMost(100, of(ours, ({ drawnMs }) => drawnMs) - of(emptyViewTitle, ({ drawnMs }) => drawnMs)),
      emptyViewHeapMb: atMost(5, of(ours, (one) => one.heapMb)), bareViewHeapMb: of(emptyViewTitle, (one) => one.heapMb),
      ...await longConversation(server, model, await folderIn(home.path, 'long')),
    };
  } finally {
    await server.close();
    await model.close();
    await home.remove();
  }
}

async function folderIn(home: string, name: string): Promise<string> {
  const folder = join(home, name);
  await mkdir(folder, { recursive: true });
  return folder;
}

async function withEditor<T>(server: VscodeServer, folder: string, use: (editor: EditorPage, clock: PageClock) => Promise<T>): Promise<T> {
  let clock: PageClock | undefined;
  const editor = await openEditor({ server, folder, prepare: async (page) => { clock = await pageClock(page); } });
  try {
    if (clock === undefined) throw new Error('The page has no clock.');
    return await use(editor, clock);
  } finally {
    await editor.close();
  }
}

/** What the window still does for itself, seconds after it can be used, is not the view's. */
async function untilQuiet(editor: EditorPage): Promise<void> {
  await editor.page.waitForFunction(() => performance.getEntriesByName('code/didCreateWorkbenchContributions/4').length > 0);
  await editor.page.waitForTimeout(3000);
}

function opening(server: VscodeServer, folder: string, title: string): Promise<Opening> {
  return withEditor(server, folder, async (editor, clock) => {
    const tab = editor.page.locator('.activitybar').getByRole('tab', { name: title, exact: false });
    await tab.waitFor();
    await untilQuiet(editor);
    const before = await heapMb(editor);
    const start = Date.now();
    const [clicked, drawn, typed] = [clock.next(({ what }) => what === 'click', start), clock.next(({ what }) => what === 'drawn', start), clock.next(({ what }) => what === 'typed', start)];
    await tab.click();
    let done = false;
    void typed.finally(() => { done = true; });
    // As a person who types at once: whatever has the focus gets the key. Faster, it would hold the window itself.
    while (!done) await Promise.all([editor.page.keyboard.press('x'), editor.page.waitForTimeout(20)]);
    const at = (await clicked).at;
    const times = { drawnMs: (await drawn).at - at, typedKeyMs: (await typed).at - at };
    await editor.page.waitForTimeout(2000);
    return { ...times, heapMb: await heapMb(editor) - before };
  });
}

function longConversation(server: VscodeServer, model: ModelServer, folder: string): Promise<Pick<TurnReport, 'viewHeapMb' | 'openConversationMs' | 'bareEnterToWireMs' | 'atLengths'>> {
  return withEditor(server, folder, async (editor, clock) => {
    const person = personAt(editor);
    await untilQuiet(editor);
    const before = await heapMb(editor);
    await person.openChat();
    const empty = await atLength(person, clock, model, 0);
    await lengthen(person, model, 500);
    const long = await atLength(person, clock, model, 1000);
    await editor.page.waitForTimeout(2000);
    const heap = await heapMb(editor) - before;
    const openConversationMs = atMost(300, await reopenedMs(editor, clock));
    return { viewHeapMb: atMost(5, heap), openConversationMs, bareEnterToWireMs: await bareEnterToWireMs(editor, clock, model), atLengths: [empty, long] };
  });
}

async function atLength(person: Person, clock: PageClock, model: ModelServer, messages: number): Promise<AtLength> {
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
    const input = (await person.frame()).locator('.composer textarea');
    await input.fill(`Message ${turn}`);
    const start = Date.now();
    const began = clock.next(({ what, text }) => what === 'drawn' && text.includes(begin), start);
    const entered = clock.next(({ what, text }) => what === 'keydown' && text === 'Enter', start);
    await input.press('Enter');
    await began;
    const sent = Date.now();
    const ended = clock.next(({ what, text }) => what === 'drawn' && text.includes(end), sent);
    gate.release();
    shown.push((await ended).at - sent);
    wire.push(arrived - (await entered).at);
    await person.idle();
  }
  return { messages, enterToWireMs: atMost(30, median(wire)), lastChunkToShownMs: atMost(50, median(shown)) };
}

/** The way of a message through the editor's processes, with nothing done on it. */
async function bareEnterToWireMs(editor: EditorPage, clock: PageClock, model: ModelServer): Promise<number> {
  await editor.openView(emptyViewTitle);
  const input = (await editor.frameWith('body > p + textarea')).locator('textarea');
  const times: number[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const arrived = new Promise<number>((resolve) => {
      model.setScript((request) => {
        resolve(request.at);
        return say('Bare.');
      });
    });
    const entered = clock.next(({ what, text }) => what === 'keydown' && text === 'Enter');
    await input.press('Enter');
    times.push(await arrived - (await entered).at);
    await editor.page.waitForTimeout(200);
  }
  return median(times);
}

/** Steps that look at the folder: each is an answer and a call. */
async function lengthen(person: Person, model: ModelServer, steps: number): Promise<void> {
  model.setScript((_request, n) => (n < steps ? { kind: 'answer', text: `Step ${n + 1}: I look at the folder.`, calls: [call('list_directory', {})] } : say('Enough.')));
  await person.say('Look around');
  await (await person.frame()).locator('.assistant').filter({ hasText: 'Enough.' }).waitFor({ timeout: 600_000 });
  await person.idle();
}

/** From the click on the icon until the end of the conversation is drawn, in a page of the view that is made anew. */
async function reopenedMs(editor: EditorPage, clock: PageClock): Promise<number> {
  const times: number[] = [];
  for (let run = 0; run < runs; run++) {
    await editor.page.locator('.activitybar').getByRole('tab', { name: 'Explorer', exact: false }).click();
    await editor.page.waitForTimeout(1000);
    const start = Date.now();
    const [clicked, drawn] = [clock.next(({ what }) => what === 'click', start), clock.next(({ what, text }) => what === 'drawn' && text.includes(`end-1000-${turns - 1}`), start)];
    await editor.page.locator('.activitybar').getByRole('tab', { name: ours, exact: false }).click();
    times.push((await drawn).at - (await clicked).at);
  }
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
