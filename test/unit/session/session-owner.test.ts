import assert from 'node:assert/strict';
import { readdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { EventLog } from '../../../extension/session/event-log.ts';
import { createOwnedLog, openOwnedLog } from '../../../extension/session/open-log.ts';
import type { OwnedLog } from '../../../extension/session/owned-log.ts';
import type { OwnerPorts } from '../../../extension/session/owner-alive.ts';
import { readLog } from '../../../extension/session/read-log.ts';
import { type Claimed, claimSession, onSessionFree, takeSessionOver } from '../../../extension/session/session-owner.ts';
import { baseOf, fastPorts, startOther } from './owners.ts';
import { event, start, temporaryFolder } from './session-logs.ts';

const noSignals = { skip: process.platform === 'win32' && 'no signals there', timeout: 60_000 };
/** Of whoever judges one that is surely silent. */
const impatient = (): OwnerPorts => fastPorts({ times: { ...fastPorts().times, stale: 500, doubt: 500 } });
const fileIn = (t: TestContext): string => join(temporaryFolder(t), 'session.jsonl');

function owner(claimed: Claimed): Extract<Claimed, { type: 'owner' }> {
  assert.ok(claimed.type === 'owner', 'it is held');
  return claimed;
}

/** Lets go at the end of the test, where it is the owner. */
async function claim(t: TestContext, file: string, ports: OwnerPorts = fastPorts()): Promise<Claimed> {
  const claimed = await claimSession(baseOf(file), ports);
  if (claimed.type === 'owner') t.after(() => claimed.owner.release());
  return claimed;
}

/** A session that this process writes. */
async function begin(t: TestContext, file: string, ports: OwnerPorts = fastPorts()): Promise<OwnedLog> {
  const log = createOwnedLog(file, start, owner(await claim(t, file, ports)).owner);
  t.after(() => log.close());
  return log;
}

async function goOn(t: TestContext, file: string, claimed: Claimed): Promise<OwnedLog> {
  const { log } = openOwnedLog(file, owner(claimed));
  t.after(() => log.close());
  return log;
}

const textsIn = (file: string): readonly string[] => readLog(file).records.flatMap(({ event: one }) => (one.type === 'user' ? [one.text.split(' ')[0] ?? ''] : []));

test('a session that a window writes cannot be claimed; once it is closed, it can', async (t) => {
  const file = fileIn(t);
  const log = await begin(t, file);
  assert.equal((await claim(t, file)).type, 'held');
  log.close();
  const next = await claim(t, file);
  assert.equal(owner(next).before, 'gone');
  (await goOn(t, file, next)).append(event.user());
  assert.deepEqual(readdirSync(join(file, '..')).toSorted(), ['session.jsonl', 'session.owner.2']);
});

test('of several that claim a free session in one moment, one gets it', async (t) => {
  const file = fileIn(t);
  EventLog.create(file, start).close();
  const claims = await Promise.all(Array.from({ length: 8 }, () => claim(t, file)));
  assert.equal(claims.filter(({ type }) => type === 'owner').length, 1);
});

test('whoever takes over has it once the other has ended what runs and let go; nothing is written there any more', async (t) => {
  const file = fileIn(t);
  const first = await begin(t, file);
  first.append(event.user('before'));
  const order: string[] = [];
  first.onLost({ sleep: fastPorts().sleep, letGoMs: 5000 }, async () => {
    await fastPorts().sleep(50);
    first.append(event.ended());
    order.push('stopped');
  }, () => order.push('lost'));
  const second = await goOn(t, file, await takeSessionOver(baseOf(file), fastPorts()));
  assert.deepEqual(order, ['stopped', 'lost']);
  assert.throws(() => first.append(event.user('late')), /LOG_UNAVAILABLE|closed/);
  second.append(event.user('after'));
  assert.deepEqual(second.events.map(({ type }) => type), ['session', 'user', 'turn-ended', 'user']);
  assert.deepEqual(textsIn(file), ['before', 'after']);
});

test('a window that cannot end what runs lets go all the same', async (t) => {
  const file = fileIn(t);
  const first = await begin(t, file);
  let lost = 0;
  first.onLost({ sleep: fastPorts().sleep, letGoMs: 60 }, () => new Promise(() => undefined), () => { lost += 1; });
  const second = await goOn(t, file, await takeSessionOver(baseOf(file), fastPorts()));
  assert.equal(lost, 1);
  assert.equal(first.isOurs, false);
  second.append(event.user());
});

test('a window that does not let go keeps it, and is not asked for ever', async (t) => {
  const file = fileIn(t);
  const first = await begin(t, file);
  const ports = fastPorts({ times: { ...fastPorts().times, wait: 200 } });
  assert.equal((await takeSessionOver(baseOf(file), ports)).type, 'held');
  assert.equal(readdirSync(join(file, '..')).some((name) => name.endsWith('.wanted')), false);
  first.append(event.user('still here'));
});

test('I2 a session whose process was killed can be taken at once, and goes on whole', noSignals, async (t) => {
  const file = fileIn(t);
  const other = startOther(t, import.meta.resolve('./write-session.ts'), file, 'other');
  await other.says(/^wrote other\.0\.9$/);
  assert.equal((await claim(t, file)).type, 'held');
  other.child.kill('SIGKILL');
  await other.ended;
  let waited = 0;
  const claimed = await claim(t, file, fastPorts({ sleep: () => { waited += 1; return Promise.resolve(); } }));
  assert.equal(waited, 0);
  const log = await goOn(t, file, claimed);
  log.append(event.user('mine'));
  const texts = textsIn(file);
  assert.equal(texts.at(-1), 'mine');
  assert.ok(texts.includes('other.0.9'));
});

test('a process that hangs is overtaken; when it wakes up, it writes nothing into the log of its successor', noSignals, async (t) => {
  const file = fileIn(t);
  const other = startOther(t, import.meta.resolve('./write-session.ts'), file, 'other');
  await other.says(/^wrote other\.0\.9$/);
  other.child.kill('SIGSTOP');
  const claimed = owner(await claimUntilOwner(t, file));
  assert.equal(claimed.before, 'silent');
  const log = await goOn(t, file, claimed);
  for (let n = 0; n < 20; n++) log.append(event.user(`mine.${n}`));
  other.child.kill('SIGCONT');
  await other.says(/^lost|^refused/);
  log.append(event.user('last'));
  const texts = textsIn(file);
  assert.deepEqual(texts.slice(-21), [...Array.from({ length: 20 }, (_, n) => `mine.${n}`), 'last']);
});

test('whoever follows on a silent process writes a file of its own: what the other was in the middle of does not come between', { skip: process.platform === 'win32' && 'an open file stays in its place there' }, async (t) => {
  const file = fileIn(t);
  const silent = EventLog.create(file, start);
  t.after(() => silent.close());
  const claimed = owner(await claim(t, file));
  const log = await goOn(t, file, { ...claimed, before: 'silent' });
  silent.append(event.user('late'));
  log.append(event.user('mine'));
  assert.deepEqual(textsIn(file), ['mine']);
  assert.deepEqual(readdirSync(join(file, '..')).toSorted(), ['session.jsonl', 'session.owner.1']);
});

async function claimUntilOwner(t: TestContext, file: string): Promise<Claimed> {
  for (;;) {
    const claimed = await claim(t, file, impatient());
    if (claimed.type === 'owner') return claimed;
    await fastPorts().sleep(50);
  }
}

test('a clock that jumps takes a session from nobody: a heartbeat that looks old is watched first', async (t) => {
  const file = fileIn(t);
  await begin(t, file);
  for (const jump of [3_600_000, -3_600_000]) {
    assert.equal((await claim(t, file, fastPorts({ wallClock: () => Date.now() + jump }))).type, 'held', String(jump));
  }
});

test('a process number of another machine or container says nothing; the heartbeat does', async (t) => {
  const file = fileIn(t);
  // No process has this number.
  const elsewhere = fastPorts({ pid: 2 ** 30, place: 'elsewhere' });
  const log = await begin(t, file, elsewhere);
  assert.equal((await claim(t, file)).type, 'held');
  assert.equal((await claim(t, file, fastPorts({ place: 'elsewhere' }))).type, 'owner');
  assert.equal(log.isOurs, false);
  assert.throws(() => log.append(event.user('late')), /goes on in another window/);
});

test('a heartbeat that has stopped frees a session whose process cannot be asked', async (t) => {
  const file = fileIn(t);
  EventLog.create(file, start).close();
  const dead = fastPorts({ place: 'elsewhere', times: { ...fastPorts().times, look: 1_000_000, beat: 1_000_000 } });
  owner(await claim(t, file, dead));
  utimesSync(`${baseOf(file)}.1`, 1, 1);
  assert.equal(owner(await claim(t, file, impatient())).before, 'silent');
});

test('a follower hears when nobody writes the session any more, and not while somebody takes it over', async (t) => {
  const file = fileIn(t);
  const first = await begin(t, file);
  let free = 0;
  const done = new Promise<void>((resolve) => {
    t.after(onSessionFree(baseOf(file), fastPorts(), () => { free += 1; resolve(); }));
  });
  first.onLost({ sleep: fastPorts().sleep, letGoMs: 500 }, () => Promise.resolve(), () => undefined);
  const second = await goOn(t, file, await takeSessionOver(baseOf(file), fastPorts()));
  assert.equal(free, 0);
  second.close();
  await done;
  assert.equal(free, 1);
});

test('I1 two processes that fight over one session, 20 times: every record that was acknowledged is there, in one whole chain', noSignals, async (t) => {
  const file = fileIn(t);
  EventLog.create(file, start).close();
  const others = ['a', 'b'].map((name) => startOther(t, import.meta.resolve('./write-session.ts'), file, name, '10'));
  await Promise.all(others.map(({ ended }) => ended));
  const took = others.flatMap((other) => other.said().filter((line) => line.startsWith('took')));
  assert.equal(took.length, 20);
  assert.ok(others.flatMap((other) => other.said()).filter((line) => line === 'lost').length >= 10, 'they did fight');
  const { records, torn } = readLog(file);
  assert.equal(torn, false);
  const texts = records.flatMap(({ event: one }) => (one.type === 'user' ? [one.text.split(' ')[0] ?? ''] : []));
  for (const [index, name] of ['a', 'b'].entries()) {
    const acknowledged = others[index]?.said().filter((line) => line.startsWith('wrote ')).map((line) => line.slice(6));
    assert.deepEqual(texts.filter((text) => text.startsWith(`${name}.`)), acknowledged);
  }
  // Whole rounds, one after the other: no record of one stands among those of the other.
  const rounds = texts.map((text) => text.split('.').slice(0, 2).join('.')).filter((round, index, all) => round !== all[index - 1]);
  assert.equal(new Set(rounds).size, rounds.length);
});
