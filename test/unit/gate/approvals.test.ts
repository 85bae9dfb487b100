import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Answer, Ask } from '../../../extension/boundary/ask.ts';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { ApprovalDesk, restMs, type AskPlace, type GivenAnswer } from '../../../extension/gate/approvals.ts';
import { policyOf, verdictOf } from './gates.ts';

const unseenMs = 60_000;

/** A desk with a clock that only the test moves. */
function deskWithClock(onOpen: (ask: Ask) => void = () => undefined) {
  let now = 1000;
  const timers = new Set<{ readonly at: number; readonly run: () => void }>();
  const opened: string[] = [];
  const closed: string[] = [];
  const desk = new ApprovalDesk({
    now: () => now, unseenMs: () => unseenMs,
    after: (ms, run) => {
      const timer = { at: now + ms, run };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    onOpen: (ask) => { opened.push(ask.call); onOpen(ask); },
    onClose: (ask, { approval }) => closed.push(`${ask.call} ${approval}`),
  });
  const pass = (ms: number): void => {
    now += ms;
    for (const timer of timers) if (timer.at <= now && timers.delete(timer)) timer.run();
  };
  return { desk, pass, timers, opened, closed };
}

function askFor(call: string, content = call): Ask {
  return { call, digest: sha256(content), verdict: verdictOf(policyOf([]), { effects: [] }), content: { effects: [], claims: [], diffs: [], warnings: [] }, files: [] };
}

/** The answer, once it has come; null before. */
function pending(desk: ApprovalDesk, ask: Ask, signal = new AbortController().signal): { readonly answer: () => Promise<Answer | null> } {
  let given: Answer | null = null;
  void desk.ask(ask, signal).then((answer) => { given = answer; });
  return { answer: async () => { await Promise.resolve(); await Promise.resolve(); return given; } };
}

const click = (call: string, over: Partial<GivenAnswer> = {}): GivenAnswer => ({ call, digest: sha256(call), place: 'card', answer: 'allow', reason: '', ...over });

test('D6 an answer with the call and the digest that was shown, after it has rested, allows', async () => {
  const { desk, pass, opened, closed, timers } = deskWithClock();
  const one = pending(desk, askFor('c1'));
  desk.shown('c1', sha256('c1'), 'card');
  pass(restMs);
  assert.equal(desk.answer(click('c1')), null);
  assert.deepEqual(await one.answer(), { approval: 'allowed', reason: '' });
  assert.deepEqual([opened, closed, desk.open.length, timers.size], [['c1'], ['c1 allowed'], 0, 0]);
});

test('D7 an ask that nobody has seen waits on while the person has another one before them, and ends when they have gone', async () => {
  const { desk, pass, closed } = deskWithClock();
  const [one, other] = [pending(desk, askFor('c1')), pending(desk, askFor('c2'))];
  desk.shown('c1', sha256('c1'), 'card');
  for (let n = 0; n < 3; n++) pass(unseenMs);
  assert.deepEqual([await one.answer(), await other.answer()], [null, null]);
  assert.equal(desk.answer(click('c1')), null);
  pass(unseenMs);
  assert.deepEqual(await other.answer(), { approval: 'unavailable', reason: '' });
  assert.deepEqual(closed, ['c1 allowed', 'c2 unavailable']);
});

test('a denial brings its reason; an approval has none', async () => {
  for (const [answer, expected] of [['deny', { approval: 'denied', reason: 'use tabs' }], ['allow', { approval: 'allowed', reason: '' }]] as const) {
    const { desk, pass } = deskWithClock();
    const one = pending(desk, askFor('c1'));
    desk.shown('c1', sha256('c1'), 'card');
    pass(restMs);
    desk.answer(click('c1', { answer, reason: 'use tabs' }));
    assert.deepEqual(await one.answer(), expected);
  }
});

const rejected: readonly (readonly [string, Partial<GivenAnswer>, AskPlace | null, number])[] = [
  // what, the answer, where the ask was shown, how long ago
  ['another call', { call: 'c2' }, 'card', restMs], ['another digest', { digest: sha256('other') }, 'card', restMs], ['no digest', { digest: '' }, 'card', restMs], ['the digest of another card', { digest: sha256('c2') }, 'card', restMs],
  ['a card that was never shown', {}, null, restMs], ['a card within half a second', {}, 'card', restMs - 1], ['a card at once', {}, 'card', 0], ['the diff where only the card was shown', { place: 'diff' }, 'card', restMs],
  ['a call named like a member of Object', { call: '__proto__' }, 'card', restMs],
];

for (const answer of ['allow', 'deny'] as const) for (const [what, over, place, ago] of rejected) {
  test(`D6 ${answer} for ${what} does not count, and the person is told why`, async () => {
    const { desk, pass } = deskWithClock();
    const one = pending(desk, askFor('c1'));
    if (place !== null) desk.shown('c1', sha256('c1'), place);
    pass(ago);
    assert.match(desk.answer(click('c1', { answer, ...over })) ?? '', /^(?:This card is not open any more|The card has changed since|The card had only just appeared)/);
    assert.equal(await one.answer(), null);
    assert.equal(desk.open.length, 1);
  });
}

test('D6 that a card with another digest was shown does not count as its having been shown', async () => {
  const { desk, pass } = deskWithClock();
  const one = pending(desk, askFor('c1'));
  desk.shown('c1', sha256('older'), 'card');
  pass(restMs);
  assert.notEqual(desk.answer(click('c1')), null);
  assert.equal(await one.answer(), null);
});

test('D6 a card that appears anew starts to rest anew', async () => {
  const { desk, pass } = deskWithClock();
  const one = pending(desk, askFor('c1'));
  desk.shown('c1', sha256('c1'), 'card');
  pass(restMs);
  desk.shown('c1', sha256('c1'), 'card');
  pass(restMs - 1);
  assert.notEqual(desk.answer(click('c1')), null);
  pass(1);
  assert.equal(desk.answer(click('c1')), null);
  assert.equal((await one.answer())?.approval, 'allowed');
});

test('D6 a second click, and one that was meant for an older card, approve nothing', async () => {
  const { desk, pass } = deskWithClock();
  const one = pending(desk, askFor('c1'));
  const two = pending(desk, askFor('c2'));
  for (const call of ['c1', 'c2']) desk.shown(call, sha256(call), 'card');
  pass(restMs);
  assert.equal(desk.answer(click('c1')), null);
  assert.notEqual(desk.answer(click('c1')), null);
  assert.equal((await one.answer())?.approval, 'allowed');
  assert.equal(await two.answer(), null);
  assert.deepEqual(desk.open.map(({ call }) => call), ['c2']);
});

test('D6 a call that is asked for again drops the older card; its clicks count no more', async () => {
  const { desk, pass, closed } = deskWithClock();
  const old = pending(desk, askFor('c1', 'old'));
  desk.shown('c1', sha256('old'), 'card');
  pass(restMs);
  const renewed = pending(desk, askFor('c1', 'new'));
  assert.equal((await old.answer())?.approval, 'dismissed');
  assert.notEqual(desk.answer(click('c1', { digest: sha256('old') })), null);
  assert.notEqual(desk.answer(click('c1', { digest: sha256('new') })), null);
  assert.equal(await renewed.answer(), null);
  assert.deepEqual(closed, ['c1 dismissed']);
});

test('D7 an ask that nobody is shown is unavailable after the time, and not before', async () => {
  const { desk, pass, closed } = deskWithClock();
  const one = pending(desk, askFor('c1'));
  pass(unseenMs - 1);
  assert.equal(await one.answer(), null);
  pass(1);
  assert.deepEqual(await one.answer(), { approval: 'unavailable', reason: '' });
  assert.deepEqual(closed, ['c1 unavailable']);
});

test('D6 an ask that was shown waits, however long: no time approves or denies', async () => {
  const { desk, pass } = deskWithClock();
  const one = pending(desk, askFor('c1'));
  desk.shown('c1', sha256('c1'), 'diff');
  pass(unseenMs * 1000);
  assert.equal(await one.answer(), null);
});

test('D10 E2 a cancel closes the card, and a late answer is discarded', async () => {
  const { desk, pass, closed } = deskWithClock();
  const controller = new AbortController();
  const one = pending(desk, askFor('c1'), controller.signal);
  desk.shown('c1', sha256('c1'), 'card');
  pass(restMs);
  controller.abort();
  assert.notEqual(desk.answer(click('c1')), null);
  assert.deepEqual(await one.answer(), { approval: 'cancelled', reason: '' });
  assert.deepEqual(closed, ['c1 cancelled']);
});

test('E2 an ask whose turn was stopped already is never opened', async () => {
  const { desk, opened, timers } = deskWithClock();
  assert.equal((await desk.ask(askFor('c1'), AbortSignal.abort())).approval, 'cancelled');
  assert.deepEqual([opened, desk.open.length, timers.size], [[], 0, 0]);
});

test('D6 leaving the conversation dismisses every card', async () => {
  const { desk, closed } = deskWithClock();
  const [one, two] = [pending(desk, askFor('c1')), pending(desk, askFor('c2'))];
  desk.dismissAll();
  assert.deepEqual([(await one.answer())?.approval, (await two.answer())?.approval], ['dismissed', 'dismissed']);
  assert.deepEqual([closed, desk.open.length], [['c1 dismissed', 'c2 dismissed'], 0]);
});

test('a card that cannot be opened is nobody to ask, and leaves nothing open', async () => {
  const { desk, timers } = deskWithClock(() => { throw new Error('no view'); });
  assert.equal((await desk.ask(askFor('c1'), new AbortController().signal)).approval, 'unavailable');
  assert.deepEqual([desk.open.length, timers.size], [0, 0]);
});
