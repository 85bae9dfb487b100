import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Uri, type Memento } from 'vscode';
import { SessionStore } from '../../extension/editor/session-store.ts';
import { Roots } from '../../extension/files/roots.ts';

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

  async function storeIn(folder: string, workspaceState = memento()): Promise<SessionStore> {
    return new SessionStore({ workspaceState, storageUri: Uri.file(folder), globalStorageUri: Uri.file(folder) }, await Roots.of([{ name: 'workspace', path: workspace }]));
  }
  const filesIn = (folder: string): readonly string[] => readdirSync(join(folder, 'sessions')).filter((name) => name.endsWith('.jsonl'));

  test('a session is opened again with what was in it', async () => {
    const store = await storeIn(join(home, 'a'));
    const first = await store.open([workspace]);
    first.log.append({ type: 'user', turn: 't', text: 'hello' });
    first.log.close();
    const second = await store.open([workspace]);
    assert.equal(second.id, first.id);
    assert.equal(second.notice, null);
    assert.deepEqual(second.log.events.map(({ type }) => type), ['session', 'user', 'turn-ended']);
    second.log.close();
  });

  test('a folder that comes to hold the logs is noticed', async () => {
    const store = await storeIn(join(home, 'e'));
    assert.equal(store.isOutside(await Roots.of([{ name: 'workspace', path: workspace }])), true);
    assert.equal(store.isOutside(await Roots.of([{ name: 'workspace', path: workspace }, { name: 'home', path: home }])), false);
  });

  test('the window that opened a session last owns it; the one before writes nothing more', async () => {
    const store = await storeIn(join(home, 'b'));
    const first = await store.open([workspace]);
    const second = await store.open([workspace]);
    assert.throws(() => first.log.append({ type: 'user', turn: 't', text: 'late' }), /LOG_UNAVAILABLE|another window/);
    second.log.append({ type: 'user', turn: 't', text: 'mine' });
    assert.equal(readFileSync(join(home, 'b', 'sessions', filesIn(join(home, 'b'))[0] ?? ''), 'utf8').includes('late'), false);
    second.log.close();
  });

  test('a closed session takes nothing more', async () => {
    const { log } = await (await storeIn(join(home, 'c'))).open([workspace]);
    log.close();
    assert.throws(() => log.append({ type: 'user', turn: 't', text: 'late' }), /closed/);
  });

  test('a damaged log is left as it is, and a new session says so', async () => {
    const store = await storeIn(join(home, 'd'));
    const first = await store.open([workspace]);
    first.log.close();
    const file = join(home, 'd', 'sessions', `${first.id}.jsonl`);
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
    for (const ending of ['jsonl', 'owner']) rmSync(join(elsewhere, `${id}.${ending}`));
  });
});
