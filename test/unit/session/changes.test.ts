import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Effect, Observation, RealPath } from '../../../extension/boundary/effect.ts';
import type { ErrorCode } from '../../../extension/boundary/error-codes.ts';
import type { CallResult } from '../../../extension/boundary/result.ts';
import { Observations } from '../../../extension/files/observations.ts';
import { ChangeLedger } from '../../../extension/session/changes.ts';
import { noteObserved } from '../../../extension/session/observed.ts';
import type { LogEvent } from '../../../extension/session/records.ts';
import { repairs } from '../../../extension/session/repair.ts';

const path = (name: string): RealPath => `/w/${name}` as RealPath;
const digest = sha256('');
const write = (name: string, result: string): Effect => ({ kind: 'write', path: path(name), base: digest, result: sha256(result), via: 'disk' });
const remove = (name: string): Effect => ({ kind: 'delete', path: path(name), base: digest });

const message: LogEvent = { type: 'user', turn: 't', text: 'go' };
const started = (call: string, ...effects: readonly Effect[]): LogEvent => ({ type: 'started', call, digest, revision: '', decidedBy: '', effects });
const well: CallResult = { isError: false, content: [], error: null };
const failed = (code: ErrorCode): CallResult => ({ isError: true, content: [], error: { code, message: '' } });
const settled = (call: string, observed: readonly Observation[], result = well): LogEvent => ({ type: 'settled', call, verdict: null, approval: null, result, observed });
const landed = (effect: Effect): Observation => {
  if (effect.kind === 'write') return { path: effect.path, digest: effect.result };
  if (effect.kind === 'delete') return { path: effect.path, digest: 'absent' };
  throw new Error('no change');
};
const asked = (call: string, calls: readonly string[]): LogEvent => ({ type: 'person-call', proposal: { call, id: call, name: 'undo_changes', arguments: JSON.stringify({ calls }) }, of: null });
const made = (call: string, ...effects: readonly Effect[]): readonly LogEvent[] => [started(call, ...effects), settled(call, effects.map(landed))];
const undone = (call: string, ...calls: readonly string[]): readonly LogEvent[] => [asked(call, calls), ...made(call, write('a', call))];

function ledgerOf(...events: readonly (LogEvent | readonly LogEvent[])[]): ChangeLedger {
  const ledger = new ChangeLedger();
  for (const event of events.flat()) ledger.record(event);
  return ledger;
}

suite('what calls changed', () => {
  test('a call that went well changed what it signed and performed', () => {
    const ledger = ledgerOf(made('c', write('a', '1'), remove('b')));
    assert.deepEqual(ledger.changesOf('c')?.files, [{ path: '/w/a', base: digest, result: sha256('1') }, { path: '/w/b', base: digest, result: 'absent' }]);
  });

  test('one that failed half-way counts by what landed; one that changed nothing does not count', () => {
    const ledger = ledgerOf(
      started('c', write('a', '1'), write('b', '2'), remove('d')), settled('c', [landed(write('b', '2'))], failed('TOOL_FAILED')),
      started('n', write('a', '1')), settled('n', [{ path: path('a'), digest }], failed('STALE_PERMIT')), started('r'), settled('r', []),
    );
    assert.deepEqual(ledger.changesOf('c')?.files.map((file) => file.path), ['/w/b']);
    assert.deepEqual(['n', 'r', 'none'].map((call) => [ledger.changesOf(call), ledger.canUndo(call)]), [[null, false], [null, false], [null, false]]);
  });

  test('one that a crash cut off may have changed what it signed', () => {
    const events = [message, started('c', write('a', '1'))];
    const ledger = ledgerOf(events, repairs(events));
    assert.deepEqual([ledger.canUndo('c'), ledger.changesOf('c')?.files.length], [true, 1]);
  });

  test('calls that come later have a higher order', () => {
    const ledger = ledgerOf(made('c', write('a', '1')), made('b', write('a', '2')), made('a', write('a', '3')));
    assert.deepEqual(['c', 'b', 'a'].map((call) => ledger.changesOf(call)?.order), [0, 1, 2]);
  });
});

suite('what can be undone', () => {
  const edits = [message, ...made('c1', write('a', '1')), message, ...made('c2', write('a', '2')), ...made('c3', remove('b'))];
  interface Case { readonly name: string; readonly then: readonly (readonly LogEvent[])[]; readonly can: string; readonly since: readonly [string, string] }
  const cases: readonly Case[] = [
    { name: 'each change, before any undo', then: [], can: 'c1 c2 c3', since: ['c1 c2 c3', 'c2 c3'] },
    { name: 'an undo itself, in the place of what it took back', then: [undone('u1', 'c2')], can: 'c1 c3 u1', since: ['c1 c3', 'c3'] },
    { name: 'a change whose undo was undone', then: [undone('u1', 'c2'), undone('u2', 'u1')], can: 'c1 c2 c3 u2', since: ['c1 c2 c3', 'c2 c3'] },
    { name: 'an undo that was made again', then: [undone('u1', 'c2'), undone('u2', 'u1'), undone('u3', 'u2')], can: 'c1 c3 u1 u3', since: ['c1 c3', 'c3'] },
    { name: 'nothing of before the message but what an undo took back there', then: [undone('u1', 'c1', 'c2')], can: 'c3 u1', since: ['c3', 'c2 c3 u1'] },
    { name: 'nothing, once all is undone', then: [undone('u1', 'c1', 'c2', 'c3')], can: 'u1', since: ['', 'c2 c3 u1'] },
    { name: 'a change that was undone twice', then: [undone('u1', 'c2'), undone('u2', 'c2')], can: 'c1 c3 u1 u2', since: ['c1 c3', 'c3'] },
  ];
  for (const { name, then, can, since } of cases) {
    test(name, () => {
      const ledger = ledgerOf(edits, ...then);
      assert.equal(['c1', 'c2', 'c3', 'u1', 'u2', 'u3'].filter((call) => ledger.canUndo(call)).join(' '), can);
      assert.deepEqual([1, 2].map((count) => ledger.since(count).join(' ')), since);
      assert.deepEqual(ledger.since(3), []);
    });
  }

  test('an undo that failed takes nothing back', () => {
    const ledger = ledgerOf(edits, asked('u1', ['c2']), started('u1', write('a', 'u')), settled('u1', [], failed('STALE_PERMIT')));
    assert.deepEqual([ledger.canUndo('c2'), ledger.canUndo('u1')], [true, false]);
  });

  test('each event tells of which calls the answer may be another now', () => {
    const ledger = ledgerOf(edits);
    assert.deepEqual([...undone('u1', 'c1', 'c2'), ...undone('u2', 'u1')].map((event) => ledger.record(event)), [[], [], ['u1', 'c1', 'c2'], [], [], ['u2', 'u1', 'c1', 'c2']]);
  });

  test('a proposal of the model that looks like an undo is none', () => {
    const proposal = { call: 'x', id: 'x', name: 'undo_changes', arguments: '{"calls":["c2"]}' };
    const ledger = ledgerOf(edits, { type: 'assistant', turn: 't', step: 1, text: '', finish: 'tool-calls', calls: [proposal] }, made('x', write('a', 'x')));
    assert.equal(ledger.canUndo('c2'), true);
  });

  test('arguments that are no list of calls undo nothing', () => {
    for (const text of ['', '{', 'null', '{"calls":1}', '{"calls":[1,null]}']) {
      const event: LogEvent = { type: 'person-call', proposal: { call: 'u', id: 'u', name: 'undo_changes', arguments: text }, of: null };
      assert.equal(ledgerOf(edits, event, made('u', write('a', 'u'))).canUndo('c2'), true);
    }
  });
});

test('a session that is opened again knows files as its own calls left them, and not as an undo did', () => {
  const observations = new Observations();
  noteObserved([...made('c1', write('a', '1')), ...undone('u1', 'c1'), ...made('c2', write('b', '2')), ...made('c3', remove('b'))], observations);
  assert.deepEqual([observations.of(path('a')), observations.of(path('b'))], [sha256('1'), undefined]);
});
