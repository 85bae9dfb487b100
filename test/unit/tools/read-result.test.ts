import assert from 'node:assert/strict';
import { chdir, cwd } from 'node:process';
import { mkdir, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { checkForeseen } from '../../../extension/boundary/check-effects.ts';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { layer, sessionHost } from '../pipeline/session-host.ts';

const readResult = { path: 'countersign-result:c1' };

test('read_file reads a result of the session again, allowed by the built-in rule that says so, without a path on disk', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one\ntwo\n' } });
  await session.read('a.txt');
  const outcome = await session.propose('read_file', readResult);
  assert.equal(textOf(outcome), '1\t1\tone\n2\t2\ttwo');
  assert.deepEqual([outcome.verdict?.decision, outcome.verdict?.decidedBy], ['allow', 'built-in: results']);
  assert.deepEqual(outcome.effects, [{ kind: 'read', path: 'countersign-result:c1', extent: 'file', except: [] }]);
  assert.equal(textOf(await session.propose('read_file', { ...readResult, startLine: 2 })), '2\t2\ttwo\n[lines 2 to 2 of 2.]');
  const settled = session.log.events.findLast((event) => event.type === 'settled');
  assert.deepEqual(settled?.type === 'settled' && settled.observed, []);
});

test('it is read in mode Plan, with several folders, and in a workspace without any', async (t) => {
  for (const folders of [['one', 'two'], []]) {
    const session = await sessionHost(t, { folders, policy: { mode: 'plan' } });
    await session.propose('no_such_tool', {});
    assert.match(textOf(await session.propose('read_file', readResult)), /UNKNOWN_TOOL/);
  }
});

test('an id that is of no call is not found; nothing is joined with the workspace or the working folder', async (t) => {
  const session = await sessionHost(t, { files: { 'countersign-result:x': 'in the workspace', 'secret.txt': 's' } });
  const before = cwd();
  chdir(session.at('.'));
  t.after(() => chdir(before));
  for (const id of ['x', '', '.', '..', '../secret.txt', './secret.txt', 'c1/../secret.txt', '/etc/hostname', 'c1\0', '~/x', 'x'.repeat(300)]) {
    const outcome = await session.propose('read_file', { path: `countersign-result:${id}` });
    assert.equal(codeOf(outcome), 'FS_NOT_FOUND', id);
    assert.match(textOf(outcome), /There is no result/);
  }
  assert.equal(textOf(await session.propose('read_file', { path: './countersign-result:x' })), '1\tin the workspace');
});

test('where a file of that name stands in the working folder, the result is read all the same', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one\n' }, outside: {} });
  const before = cwd();
  await mkdir(session.at('../outside/here'));
  await writeFile(session.at('../outside/here/countersign-result:c1'), 'another');
  chdir(session.at('../outside/here'));
  t.after(() => chdir(before));
  await session.read('a.txt');
  assert.equal(textOf(await session.propose('read_file', readResult)), '1\t1\tone');
});

const rules: readonly (readonly [object, string])[] = [
  [{ effect: 'read', decision: 'deny' }, 'DENIED_BY_POLICY'], [{ tool: 'read_file', decision: 'deny' }, 'DENIED_BY_POLICY'],
  [{ path: 'countersign-result:*', decision: 'deny' }, 'DENIED_BY_POLICY'], [{ effect: 'read', decision: 'ask' }, 'ASK_UNAVAILABLE'],
  [{ path: '**', decision: 'deny' }, 'well'], [{ path: '/**', decision: 'deny' }, 'well'], [{ effect: 'write', decision: 'deny' }, 'well'],
];

test("the user's rules hold for it where they speak of reading, of the tool, or of such paths; rules on files do not speak of it", async (t) => {
  for (const [rule, code] of rules) {
    const session = await sessionHost(t, { files: { 'a.txt': 'one\n' } });
    await session.read('a.txt');
    session.setPolicy({ layers: [layer([rule])] });
    assert.equal(codeOf(await session.propose('read_file', readResult)), code, JSON.stringify(rule));
  }
});

test('it can be read and nothing else', async (t) => {
  const session = await sessionHost(t, { files: { 'a.txt': 'one\n' }, answer: 'allowed' });
  await session.read('a.txt');
  const world = await session.world();
  const others: readonly (readonly [string, object])[] = [
    ['write_file', { ...readResult, content: 'x' }], ['write_file', { path: 'countersign-result:new', content: 'x' }], ['edit_file', { ...readResult, edits: [{ oldText: 'one', newText: 'two' }] }],
    ['list_directory', readResult], ['search_text', { query: 'one', ...readResult }], ['find_files', { pattern: '*', ...readResult }],
  ];
  for (const [tool, args] of others) {
    const outcome = await session.propose(tool, args);
    assert.equal(outcome.result?.isError, true, tool);
    assert.ok(!/^INVALID_EFFECTS|^TOOL_FAILED/.test(textOf(outcome)), textOf(outcome));
  }
  assert.deepEqual(await session.world(), world);
  assert.equal(session.asks.length, 0);
});

test('an effect that would write, delete or search a result is none that is understood', () => {
  const path = 'countersign-result:c1';
  const digest = 'a'.repeat(64);
  for (const effect of [{ kind: 'read', path, extent: 'tree', except: [] }, { kind: 'delete', path, base: digest }, { kind: 'read', path: `${path}/../x`, extent: 'file', except: [] }]) {
    assert.throws(() => checkForeseen({ effects: [effect], claims: [], content: new Map() }), /INVALID_EFFECTS|cannot be judged/);
  }
});

test('what can be shown of a result is shown, also where it holds a NUL character', async (t) => {
  const session = await sessionHost(t, { host: { kept: { keep: () => undefined, read: (id) => (id === 'c1' ? 'a\0b' : null) } } });
  assert.equal(textOf(await session.propose('read_file', readResult)), '1\ta␀b');
});
