import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { EventLog, firstHash } from '../../../extension/session/event-log.ts';
import { readLog } from '../../../extension/session/read-log.ts';
import type { LogEvent, LogRecord } from '../../../extension/session/records.ts';
import { assertDeepFrozen } from '../boundary/deep-frozen.ts';
import { event, logOf, start, temporaryFolder, wholeTurn } from './session-logs.ts';

const unavailable = (error: unknown): boolean => {
  assert.ok(error instanceof CodedError, String(error));
  assert.equal(error.code, 'LOG_UNAVAILABLE');
  assert.match(error.message, /nothing runs/);
  return true;
};
const linesOf = (file: string): readonly string[] => readFileSync(file, 'utf8').split('\n').slice(0, -1);

suite('the event log', () => {
  test('I1 records are one JSON value a line, numbered from 1 without gaps, each chained to the one before', (t) => {
    const lines = linesOf(logOf(t, wholeTurn));
    const records = lines.map((line) => JSON.parse(line) as LogRecord);
    assert.deepEqual(records.map(({ n }) => n), Array.from({ length: wholeTurn.length + 1 }, (_, index) => index + 1));
    assert.deepEqual(records.map(({ event: { type } }) => type), ['session', ...wholeTurn.map(({ type }) => type)]);
    let prev = firstHash;
    for (const record of records) {
      assert.equal(record.prev, prev);
      assert.equal(record.hash, sha256(JSON.stringify([record.n, record.at, record.prev, record.event])));
      prev = record.hash;
    }
    assert.deepEqual(records.slice(1).map((record) => record.event), wholeTurn);
  });

  test('the clock is the one that was handed in', (t) => {
    assert.deepEqual(linesOf(logOf(t, [event.user()])).map((line) => (JSON.parse(line) as LogRecord).at), [1001, 1002]);
  });

  test('I1 text with line ends, separators and any Unicode stays on one line and comes back', (t) => {
    const text = 'a\nb\r\nc\u2028d\u2029é😀\0"\\\u0085\ufeff';
    const file = logOf(t, [event.user(text)]);
    assert.equal(linesOf(file).length, 2);
    assert.deepEqual(readLog(file).records[1]?.event, event.user(text));
  });

  test('I1 a record that is not lossless JSON is refused, and nothing changes', (t) => {
    const file = join(temporaryFolder(t), 'session.jsonl');
    const log = EventLog.create(file, start, () => 0);
    const heard: LogEvent[] = [];
    log.onAppend((one) => heard.push(one));
    log.append(event.user('first'));
    const before = readFileSync(file);
    const lossy: readonly unknown[] = [
      undefined, () => 1, Symbol('s'), 1n, -0, Number.NaN, new Date(0), new Map(), '\ud800', { get text() { return assert.fail('it was read'); } }, [1, undefined], Object.assign(['x'], { extra: 1 }), new Proxy({}, { ownKeys: () => { throw new Error('no'); } }),
    ];
    for (const text of lossy) assert.throws(() => log.append({ ...event.user(), text } as unknown as LogEvent), TypeError);
    const cycle: Record<string, unknown> = { type: 'user', turn: 't', text: 'x' };
    cycle['self'] = cycle;
    assert.throws(() => log.append(cycle as unknown as LogEvent), /a cycle at \/self/);
    assert.deepEqual(readFileSync(file), before);
    assert.equal(log.events.length, 2);
    assert.equal(heard.length, 1);
    assert.equal(log.append(event.user('second')).n, 3);
    log.close();
    assert.equal(readLog(file).records.length, 3);
  });

  test('B3 what the caller changes afterwards changes nothing that was recorded', () => {
    const log = EventLog.inMemory(start, () => 0);
    const roots: string[] = [];
    const mine = { type: 'session' as const, version: 1, sessionId: 's', roots };
    log.append(mine);
    roots.push('/etc');
    assert.deepEqual(log.events[1], { type: 'session', version: 1, sessionId: 's', roots: [] });
    assertDeepFrozen(log.events[1]);
  });

  test('listeners hear each record once it is written, in order, until they are removed', (t) => {
    const file = join(temporaryFolder(t), 'session.jsonl');
    const log = EventLog.create(file, start);
    const heard: string[] = [];
    const stop = log.onAppend((one) => heard.push(`a ${one.type} ${linesOf(file).length}`));
    log.onAppend((one) => heard.push(`b ${one.type}`));
    log.append(event.user());
    stop();
    log.append(event.ended());
    assert.deepEqual(heard, ['a user 2', 'b user', 'b turn-ended']);
    log.close();
  });

  test('a log begins with a file of its own: one that exists is left as it is', (t) => {
    const folder = temporaryFolder(t);
    for (const content of ['', 'something else', readFileSync(logOf(t, wholeTurn))]) {
      const file = join(folder, 'taken.jsonl');
      writeFileSync(file, content);
      assert.throws(() => EventLog.create(file, start), unavailable);
      assert.deepEqual(readFileSync(file), Buffer.from(content));
    }
  });

  test('a log is not begun through a link, dangling or not', { skip: process.platform === 'win32' && 'links need a privilege there' }, (t) => {
    const folder = temporaryFolder(t);
    symlinkSync(join(folder, 'nowhere'), join(folder, 'dangling.jsonl'));
    writeFileSync(join(folder, 'target'), '');
    symlinkSync(join(folder, 'target'), join(folder, 'link.jsonl'));
    for (const name of ['dangling.jsonl', 'link.jsonl']) assert.throws(() => EventLog.create(join(folder, name), start), unavailable);
    assert.ok(!existsSync(join(folder, 'nowhere')));
  });

  test('I0 where the file cannot be made the log is unavailable, and nothing is left behind', (t) => {
    const folder = temporaryFolder(t);
    writeFileSync(join(folder, 'file'), 'x');
    for (const file of [join(folder, 'file', 'session.jsonl'), join(folder, 'file', 'deeper', 'session.jsonl'), folder, join(folder, 'n'.repeat(300)), join(folder, 'a\0b')]) assert.throws(() => EventLog.create(file, start), unavailable, file);
    assert.deepEqual(readdirSync(folder), ['file']);
  });

  test('its folders are made, and neither they nor the file are anybody else\'s to read', { skip: process.platform === 'win32' && 'no modes there' }, (t) => {
    const file = join(temporaryFolder(t), 'a', 'b', 'session.jsonl');
    EventLog.create(file, start).close();
    assert.equal(statSync(file).mode & 0o077, 0);
    assert.equal(statSync(join(file, '..')).mode & 0o077, 0);
  });

  test('I0 a write that fails makes the log unavailable, and the record is not pretended', { skip: !existsSync('/dev/full') && 'there is no /dev/full' }, (t) => {
    const { records } = readLog(logOf(t, wholeTurn));
    const log = EventLog.reopen('/dev/full', records);
    const heard: LogEvent[] = [];
    log.onAppend((one) => heard.push(one));
    for (let attempt = 0; attempt < 3; attempt += 1) assert.throws(() => log.append(event.user()), unavailable);
    assert.equal(log.events.length, records.length);
    assert.equal(heard.length, 0);
    log.close();
    assert.throws(() => EventLog.create('/dev/full', start), unavailable);
  });

  test('I0 after a write that failed half-way nothing is written any more, although there is room again', { skip: process.platform !== 'linux' && 'the limit is set as on Linux' }, (t) => {
    const folder = temporaryFolder(t);
    const file = join(folder, 'session.jsonl');
    const said = execFileSync('bash', ['-c', 'ulimit -S -f 8; exec "$0" "$1" "$2"', process.execPath, fileURLToPath(import.meta.resolve('./fill-log.ts')), file], { encoding: 'utf8' });
    const { appended, second } = JSON.parse(said) as { readonly appended: number; readonly second: string };
    assert.equal(second, 'LOG_UNAVAILABLE');
    const { records, torn } = readLog(file);
    assert.equal(records.length, appended + 1, 'what was acknowledged is there');
    assert.ok(torn && records.length > 5, 'the write was cut in the middle');
  });

  test('nothing can be appended to a log that was closed: its descriptor may be another file\'s by then', (t) => {
    const folder = temporaryFolder(t);
    const log = EventLog.create(join(folder, 'session.jsonl'), start);
    log.close();
    // Takes the number that has just been freed.
    const other = openSync(join(folder, 'other.txt'), 'a');
    try {
      assert.throws(() => log.append(event.user()), unavailable);
      log.close();
      writeSync(other, 'still open');
    } finally {
      closeSync(other);
    }
    assert.equal(readFileSync(join(folder, 'other.txt'), 'utf8'), 'still open');
    assert.equal(linesOf(join(folder, 'session.jsonl')).length, 1);
  });

  test('a log that is opened again goes on where it ended', (t) => {
    const file = logOf(t, [event.user()]);
    const log = EventLog.reopen(file, readLog(file).records, () => 5);
    assert.deepEqual(log.events.map(({ type }) => type), ['session', 'user']);
    assert.equal(log.append(event.ended()).n, 3);
    log.close();
    assert.deepEqual(readLog(file).records.map(({ n }) => n), [1, 2, 3]);
  });

  test('a log in memory holds the same records', () => {
    const log = EventLog.inMemory(start, () => 7);
    const records = wholeTurn.map((one) => log.append(one));
    assert.deepEqual(records.map(({ n }) => n), wholeTurn.map((_, index) => index + 2));
    assert.deepEqual(log.events.slice(1), wholeTurn);
    log.close();
    assert.throws(() => log.append(event.user()), unavailable);
  });

  test('a folder where the file should be is no log', (t) => {
    const file = join(temporaryFolder(t), 'session.jsonl');
    mkdirSync(file);
    assert.throws(() => EventLog.create(file, start), unavailable);
    assert.throws(() => EventLog.reopen(file, []), unavailable);
  });
});
