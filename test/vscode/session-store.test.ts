import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri, type Memento } from 'vscode';
import { type FollowedSession, type OpenedSession, SessionStore, type WritingSession } from '../../extension/editor/session-store.ts';
import { Roots } from '../../extension/files/roots.ts';
import { type OwnerPorts, ownerTimes, placeOfProcesses } from '../../extension/session/owner-alive.ts';

function memento(): Memento {
  const values = new Map<string, unknown>();
  return {
    keys: () => [...values.keys()],
    get: <T>(key: string, fallback?: T) => (values.has(key) ? values.get(key) : fallback) as T,
    update: (key, value) => { values.set(key, value); return Promise.resolve(); },
  };
}

suite('Sessions on disk', () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'countersign-store-')));
  const workspace = join(home, 'workspace');
  mkdirSync(workspace);
  suiteTeardown(() => rmSync(home, { recursive: true }));

  const ports: OwnerPorts = {
    pid: process.pid, place: placeOfProcesses(), newToken: randomUUID, wallClock: Date.now, now: () => performance.now(),
    sleep: (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }), times: { ...ownerTimes, look: 40 },
  };

  async function storeIn(folder: string, workspaceState = memento()): Promise<SessionStore> {
    return new SessionStore({ workspaceState, globalStorageUri: Uri.file(folder) }, await Roots.of([{ name: 'workspace', path: workspace }]), ports);
  }
  const filesIn = ({ folder }: SessionStore): readonly string[] => readdirSync(join(folder, 'sessions')).filter((name) => name.endsWith('.jsonl'));
  const typesIn = ({ log }: OpenedSession): readonly string[] => log.events.map(({ type }) => type);

  function writing(session: OpenedSession): WritingSession {
    assert.ok(session.kind === 'writing', 'it is followed');
    return session;
  }
  function following(session: OpenedSession): FollowedSession {
    assert.ok(session.kind === 'following', 'it is written here');
    return session;
  }
  async function taken(store: SessionStore, session: FollowedSession): Promise<WritingSession> {
    const next = await store.takeOver(session);
    if (typeof next === 'string') assert.fail(next);
    return next;
  }

  test('a session is opened again with what was in it', async () => {
    const store = await storeIn(join(home, 'a'));
    const first = writing(await store.open([workspace]));
    first.log.append({ type: 'user', turn: 't', text: 'hello' });
    first.log.close();
    const second = await store.open([workspace]);
    assert.deepEqual([second.kind, second.id, second.notice], ['writing', first.id, null]);
    assert.deepEqual(typesIn(second), ['session', 'user', 'turn-ended']);
    second.log.close();
  });

  test('a folder that comes to hold the logs is noticed', async () => {
    const store = await storeIn(join(home, 'e'));
    assert.equal(store.isOutside(await Roots.of([{ name: 'workspace', path: workspace }])), true);
    assert.equal(store.isOutside(await Roots.of([{ name: 'workspace', path: workspace }, { name: 'home', path: home }])), false);
  });

  test('a session that another window writes is followed as it goes on, and nothing can be written to it', async () => {
    const first = writing(await (await storeIn(join(home, 'b'))).open([workspace]));
    const store = await storeIn(join(home, 'b'));
    const second = following(await store.open([workspace]));
    assert.equal(second.id, first.id);
    const told = new Promise((resolve) => { second.log.onAppend(resolve); });
    first.log.append({ type: 'user', turn: 't', text: 'mine' });
    assert.deepEqual(await told, { type: 'user', turn: 't', text: 'mine' });
    assert.throws(() => second.log.append(), /Another window writes/);
    second.log.close();
    first.log.close();
  });

  test('the follower takes over: the other ends what runs, lets go, and follows in its turn', async () => {
    const mine = await storeIn(join(home, 'g'));
    const first = writing(await mine.open([workspace]));
    const order: string[] = [];
    const lost = new Promise<void>((resolve) => {
      mine.onLost(first, () => {
        first.log.append({ type: 'turn-ended', turn: 't', end: 'stopped', message: '' });
        order.push('stopped');
        return Promise.resolve();
      }, () => { order.push('lost'); resolve(); });
    });
    first.log.append({ type: 'user', turn: 't', text: 'one' });
    mine.keepQueue(first, [{ id: 'q', text: 'waits', images: [], when: 'after-turn' }]);
    const theirs = await storeIn(join(home, 'g'));
    const followed = following(await theirs.open([workspace]));
    const second = await taken(theirs, followed);
    followed.log.close();
    await lost;
    assert.deepEqual(order, ['stopped', 'lost']);
    assert.deepEqual(typesIn(second), ['session', 'user', 'turn-ended']);
    assert.deepEqual(second.queued.map(({ text }) => text), ['waits']);
    assert.throws(() => first.log.append({ type: 'user', turn: 't', text: 'late' }), /closed/);
    mine.keepQueue(first, []);
    const back = mine.follow(first.id);
    const told = new Promise((resolve) => { back.log.onAppend(resolve); });
    second.log.append({ type: 'user', turn: 'u', text: 'two' });
    await told;
    assert.deepEqual(typesIn(back), ['session', 'user', 'turn-ended', 'user']);
    let stop = (): void => {};
    const free = new Promise<void>((resolve) => { stop = mine.onFree(back, resolve); });
    second.log.close();
    await free;
    stop();
    const again = await taken(mine, back);
    assert.deepEqual(again.queued.map(({ text }) => text), ['waits'], 'the window that had lost it did not change what waits');
    back.log.close();
    again.log.close();
  });

  test('a new session in the follower leaves the other window alone', async () => {
    const first = writing(await (await storeIn(join(home, 'h'))).open([workspace]));
    const store = await storeIn(join(home, 'h'));
    const followed = following(await store.open([workspace]));
    const own = await store.create([workspace]);
    followed.log.close();
    own.log.append({ type: 'user', turn: 't', text: 'own' });
    first.log.append({ type: 'user', turn: 't', text: 'still here' });
    assert.equal(filesIn(store).length, 2);
    own.log.close();
    first.log.close();
  });

  test('what waits in a session is there when it is opened again, and so are the last prompts', async () => {
    const store = await storeIn(join(home, 'i'));
    const first = writing(await store.open([workspace]));
    store.keepQueue(first, [{ id: 'q', text: 'waits', images: [], when: 'next-step' }]);
    store.prompts.add('lately');
    store.prompts.save();
    first.log.close();
    const again = await storeIn(join(home, 'i'));
    const second = writing(await again.open([workspace]));
    assert.deepEqual(second.queued, [{ id: 'q', text: 'waits', images: [], when: 'next-step' }]);
    assert.deepEqual(again.prompts.prompts, ['lately']);
    writeFileSync(join(again.folder, 'sessions', `${first.id}.queue.json`), 'nonsense');
    second.log.close();
    const third = writing(await again.open([workspace]));
    assert.deepEqual(third.queued, []);
    assert.match(third.notice ?? '', /may be lost/);
    third.log.close();
  });

  test('each window opens what it had open last', async () => {
    const [one, other] = [memento(), memento()];
    const first = writing(await (await storeIn(join(home, 'j'), one)).open([workspace]));
    first.log.close();
    const second = await (await storeIn(join(home, 'j'), other)).create([workspace]);
    second.log.close();
    for (const [state, id] of [[one, first.id], [other, second.id], [memento(), second.id]] as const) {
      const { log, id: opened } = await (await storeIn(join(home, 'j'), state)).open([workspace]);
      assert.equal(opened, id);
      log.close();
    }
  });

  test('workspaces do not share their sessions, and one keeps its own when its folders change', async () => {
    const [state, another] = [memento(), join(home, 'another')];
    mkdirSync(another);
    const first = writing(await (await storeIn(join(home, 'k'), state)).open([workspace]));
    first.log.close();
    const inBoth = await Roots.of([{ name: 'workspace', path: workspace }, { name: 'another', path: another }]);
    const context = { globalStorageUri: Uri.file(join(home, 'k')) };
    const grown = await new SessionStore({ ...context, workspaceState: state }, inBoth, ports).open([workspace, another]);
    assert.equal(grown.id, first.id);
    grown.log.close();
    const other = await new SessionStore({ ...context, workspaceState: memento() }, await Roots.of([{ name: 'another', path: another }]), ports).open([another]);
    assert.notEqual(other.id, first.id);
    other.log.close();
  });

  test('a closed session takes nothing more', async () => {
    const { log } = writing(await (await storeIn(join(home, 'c'))).open([workspace]));
    log.close();
    assert.throws(() => log.append({ type: 'user', turn: 't', text: 'late' }), /closed/);
  });

  test('a damaged log is left as it is, and a new session says so', async () => {
    const store = await storeIn(join(home, 'd'));
    const first = await store.open([workspace]);
    first.log.close();
    const file = join(store.folder, 'sessions', `${first.id}.jsonl`);
    writeFileSync(file, readFileSync(file, 'utf8').replace('"version":1', '"version":2'));
    appendFileSync(file, '{}\n');
    const damaged = readFileSync(file, 'utf8');
    const second = await store.open([workspace]);
    assert.notEqual(second.id, first.id);
    assert.match(second.notice ?? '', /line 1/);
    assert.equal(readFileSync(file, 'utf8'), damaged);
    second.log.close();
  });

  test('the log never lies inside the workspace', async () => {
    const { id, log } = await (await storeIn(join(workspace, 'storage'))).open([workspace]);
    assert.deepEqual(readdirSync(workspace), [], 'not even a folder was made in it');
    log.close();
    const elsewhere = join(tmpdir(), `countersign-${process.getuid?.() ?? 'user'}`, 'sessions');
    assert.ok(readdirSync(elsewhere).includes(`${id}.jsonl`));
    for (const ending of ['jsonl', 'owner.1']) rmSync(join(elsewhere, `${id}.${ending}`));
  });
});
