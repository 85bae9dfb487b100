import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { updatePlanSchema } from './demonstration-tools.ts';
import { createDemonstration } from '../../../extension/model/demonstration/client.ts';
import type { ModelEvent, ModelMessage } from '../../../extension/model/model-client.ts';
import { systemPromptOf } from '../../../extension/agent/system-prompt.ts';
import { sessionHost, type Session, type SessionSetup } from '../pipeline/session-host.ts';
import { eventsOf, failureIn, finishedIn, realTimer } from './clients.ts';

/** The demonstration in a real session: its calls go through the real pipeline. */
class Tour {
  readonly session: Session;
  readonly messages: ModelMessage[];
  readonly proposed: { readonly name: string; readonly arguments: string }[] = [];
  readonly #plan: boolean;

  constructor(session: Session, folders: readonly string[], plan: boolean) {
    this.session = session;
    this.messages = [{ role: 'system', text: systemPromptOf(folders) }];
    this.#plan = plan;
  }

  /** One turn: the answers of it, joined. */
  async say(text: string): Promise<string> {
    this.messages.push({ role: 'user', text });
    const said: string[] = [];
    for (let step = 0; step < 20; step++) {
      const events = await eventsOf(client, { messages: this.messages, tools: this.#plan ? [updatePlanSchema] : [] });
      const { calls } = finishedIn(events);
      const answer = textIn(events);
      said.push(answer);
      this.messages.push({ role: 'assistant', text: answer, calls });
      if (calls.length === 0) return said.join('\n');
      for (const call of calls) {
        this.proposed.push(call);
        const result = call.name === 'update_plan' ? 'Noted.' : narration(await this.session.propose(call.name, call.arguments));
        this.messages.push({ role: 'tool', callId: call.id, text: result });
      }
    }
    throw new Error('The turn does not end.');
  }
}

const client = createDemonstration({ timer: realTimer, delayMs: 0 });
const narration = ({ result }: Awaited<ReturnType<Session['propose']>>): string => (result?.content ?? []).map((part) => part.text).join('\n');
const textIn = (events: readonly ModelEvent[]): string => events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('');

async function begin(t: TestContext, setup: SessionSetup & { readonly plan?: boolean } = {}): Promise<Tour> {
  const session = await sessionHost(t, setup);
  return new Tour(session, setup.folders ?? ['ws'], setup.plan ?? false);
}

const allow = 'allowed';

test('in an empty folder the tour writes a file, reads it and changes one line of it, each time asking for what it changes', async (t) => {
  const tour = await begin(t, { answer: allow });
  const said = await tour.say('Show me');
  assert.match(said, /demonstration.*a script, not a model/s);
  assert.deepEqual(tour.proposed.map(({ name }) => name), ['list_directory', 'write_file', 'read_file', 'edit_file']);
  assert.equal(tour.session.asks.length, 2);
  assert.match((await tour.session.world())['ws/countersign-demo.md'] ?? '', /- \[x\] one line of it was changed/);
});

test('a name that is taken, in other letters too, is left alone', async (t) => {
  const tour = await begin(t, { answer: allow, files: { 'Countersign-Demo.md': 'mine\n', 'countersign-demo-2.md': 'mine as well\n' } });
  await tour.say('Show me');
  const world = await tour.session.world();
  assert.equal(world['ws/Countersign-Demo.md'], 'mine\n');
  assert.equal(world['ws/countersign-demo-2.md'], 'mine as well\n');
  assert.match(world['ws/countersign-demo-3.md'] ?? '', /you allowed it/);
});

test('a denial is quoted as a model reads it, and answered with something smaller', async (t) => {
  let asked = 0;
  const tour = await begin(t, { answer: () => (asked++ === 0 ? { approval: 'denied', reason: 'shorter, please' } : { approval: 'allowed', reason: '' }) });
  const said = await tour.say('Show me');
  assert.match(said, /> DENIED_BY_PERSON: .*shorter, please/);
  assert.match((await tour.session.world())['ws/countersign-demo.md'] ?? '', /A smaller file that you signed/);
});

test('two denials end the turn, and nothing is written', async (t) => {
  const tour = await begin(t, { answer: 'denied' });
  assert.match(await tour.say('Show me'), /no file was written/);
  assert.deepEqual(Object.keys(await tour.session.world()).filter((path) => path.startsWith('ws/') && path !== 'ws/'), []);
});

test('the second turn proposes something protected, the third looks outside, and then the tour is over', async (t) => {
  const tour = await begin(t, { answer: allow });
  await tour.say('Show me');
  assert.match(await tour.say('Go on'), /protected/);
  assert.match(tour.session.asks.at(-1)?.verdict.reason ?? '', /protected/i);
  assert.match(await tour.say('Go on'), /You let me look/);
  assert.equal(tour.session.asks.length, 4);
  assert.match(await tour.say('And now?'), /The tour is over.*Add a model/s);
  assert.equal(tour.session.asks.length, 4);
});

test('where a rule denies, the tour says so and ends the turn', async (t) => {
  const tour = await begin(t, { policy: { mode: 'plan' } });
  assert.match(await tour.say('Show me'), /> DENIED_BY_POLICY.*Plan/s);
});

test('with several folders, paths begin with the first one\'s name', async (t) => {
  const tour = await begin(t, { answer: allow, folders: ['one', 'two'] });
  await tour.say('Show me');
  assert.match((await tour.session.world())['one/countersign-demo.md'] ?? '', /\[x\] one line/);
  await tour.say('Go on');
  assert.match(await tour.say('Go on'), /You let me look/);
});

test('without a folder the tour says what it needs', async (t) => {
  const tour = await begin(t, { folders: [] });
  assert.match(await tour.say('Show me'), /FS_NOT_FOUND.*Open one/s);
});

test('a plan is kept where the request has the tool for it', async (t) => {
  const tour = await begin(t, { answer: allow, plan: true });
  await tour.say('Show me');
  const plans = tour.proposed.filter(({ name }) => name === 'update_plan').map(({ arguments: text }) => JSON.parse(text) as { readonly items: readonly { readonly status: string }[] });
  assert.deepEqual(plans.map(({ items }) => items.map(({ status }) => status).join()), ['active,pending,pending', 'done,active,pending', 'done,done,active', 'done,done,done']);
});

test('the same request gives the same answer', async () => {
  const request = { messages: [{ role: 'user', text: 'Hello' }], tools: [] } as const;
  assert.deepEqual(await eventsOf(client, request), await eventsOf(client, request));
});

test('a stop counts at once, in the middle of a wait', async () => {
  const stop = new AbortController();
  // A timer that never fires: only the signal can end the wait.
  const waiting = eventsOf(createDemonstration({ timer: () => () => {} }), undefined, stop.signal);
  stop.abort();
  assert.equal(failureIn(await waiting).kind, 'aborted');
});
