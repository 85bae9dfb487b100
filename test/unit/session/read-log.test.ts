import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { suite, test, type TestContext } from 'node:test';
import { firstHash, hashOf } from '../../../extension/session/event-log.ts';
import { LogDamaged, readLog } from '../../../extension/session/read-log.ts';
import type { LogRecord } from '../../../extension/session/records.ts';
import { reopenLog } from '../../../extension/session/repair.ts';
import { event, logOf, start, wholeTurn } from './session-logs.ts';

type Change = (lines: string[]) => void;

/** A whole log, with its lines changed. */
function changed(t: TestContext, change: Change): string {
  const file = logOf(t, wholeTurn);
  const lines = readFileSync(file, 'utf8').split('\n');
  change(lines);
  writeFileSync(file, lines.join('\n'));
  return file;
}

/** A log whose chain is sound, whatever its events are. */
function forged(t: TestContext, events: readonly unknown[]): string {
  const file = logOf(t, []);
  let prev = firstHash;
  const lines = events.map((one, index) => {
    const body = { n: index + 1, at: 0, event: one, prev } as Omit<LogRecord, 'hash'>;
    prev = hashOf(body);
    return `${JSON.stringify({ ...body, hash: prev })}\n`;
  });
  writeFileSync(file, lines.join(''));
  return file;
}

/** Refused at this line, when it is read and when it is repaired; the file is left as it is. */
function refusedAt(file: string, line: number, what: RegExp): void {
  const before = readFileSync(file);
  for (const open of [() => readLog(file), () => reopenLog(file)]) {
    assert.throws(open, (error: unknown) => {
      assert.ok(error instanceof LogDamaged, String(error));
      assert.equal(error.line, line, error.message);
      assert.match(error.message, new RegExp(`^line ${line}: `));
      assert.match(error.message, what);
      return true;
    });
  }
  assert.deepEqual(readFileSync(file), before);
}

const edit = (line: number, from: string, to: string): Change => (lines) => {
  const text = lines[line - 1] ?? '';
  assert.ok(text.includes(from), `line ${line} holds ${from}`);
  lines[line - 1] = text.replace(from, to);
};
const session = { type: 'session', version: 1, ...start };

suite('reading a log', () => {
  test('a whole log is read as it was written', (t) => {
    const file = logOf(t, wholeTurn);
    const { records, torn, wholeBytes } = readLog(file);
    assert.deepEqual(records.slice(1).map((record) => record.event), wholeTurn);
    assert.deepEqual([torn, wholeBytes], [false, readFileSync(file).length]);
  });

  test('I3 a last line that is torn at any byte is dropped and said, and reading changes nothing', (t) => {
    const file = logOf(t, [event.user('é😀'), event.ended()]);
    const whole = readFileSync(file);
    const lastStart = whole.lastIndexOf(0x0a, whole.length - 2) + 1;
    for (let end = lastStart; end < whole.length; end += 1) {
      writeFileSync(file, whole.subarray(0, end));
      const { records, torn, wholeBytes } = readLog(file);
      assert.deepEqual([records.length, torn, wholeBytes], [2, end > lastStart, lastStart], `cut at ${end}`);
      assert.equal(readFileSync(file).length, end);
    }
  });

  test('I3 a torn line of any bytes is dropped, also where it is not text', (t) => {
    for (const tail of [Buffer.from('{'), Buffer.from([0xff, 0xfe, 0]), Buffer.from('null'), Buffer.alloc(4096), Buffer.from(' ')]) {
      const file = logOf(t, wholeTurn);
      appendFileSync(file, tail);
      assert.deepEqual([readLog(file).torn, readLog(file).records.length], [true, wholeTurn.length + 1]);
    }
  });

  test('I3 damage before the last line is refused with its line number, and the file is left as it is', (t) => {
    const damages: readonly (readonly [number, Change, RegExp])[] = [
      [3, (lines) => { lines[2] = (lines[2] ?? '').slice(0, 40); }, /not JSON/], [1, (lines) => { lines[0] = ''; }, /not JSON/], [4, (lines) => { lines[3] = '\0'.repeat(200); }, /not JSON/], [10, (lines) => { lines[9] = (lines[9] ?? '').slice(0, -1); }, /not JSON/],
      [2, (lines) => { lines[1] = 'null'; }, /no record/], [2, (lines) => { lines[1] = '[]'; }, /no record/], [2, (lines) => { lines[1] = '{}'; }, /no record/], [2, (lines) => { lines[1] = '"x"'; }, /no record/], [5, (lines) => { lines.splice(4, 0, ''); }, /not JSON/],
      [3, (lines) => { lines[2] = `${lines[2] ?? ''}${lines[3] ?? ''}`; lines.splice(3, 1); }, /not JSON/], [1, (lines) => { lines[0] = `\ufeff${lines[0] ?? ''}`; }, /not JSON/],
    ];
    for (const [line, change, what] of damages) refusedAt(changed(t, change), line, what);
  });

  test('I1 a record that was edited is refused at its line', (t) => {
    const edits: readonly (readonly [number, Change])[] = [
      [2, edit(2, 'hello', 'hullo')], [1, edit(1, '/w', '/')], [4, edit(4, '"ask"', '"allow"')], [5, edit(5, 'allowed', 'denied')], [3, edit(3, 'read_file', 'evil_file')], [10, edit(10, 'answered', 'stopped')], [7, edit(7, '"isError":false', '"isError":true')],
      [2, edit(2, '"at":1002', '"at":1003')], [2, edit(2, '"type":"user"', '"type":"turn-ended"')], [4, edit(4, '"prev":"', '"prev":"0')], [4, edit(4, '"hash":"', '"hash":"0')], [6, edit(6, '"effects":[]', '"effects":[{}]')], [6, edit(6, '"call":"c1"', '"call":"c2"')],
    ];
    for (const [line, change] of edits) refusedAt(changed(t, change), line, /hash does not fit/);
    const bytes = changed(t, edit(3, 'é', 'ÿ'));
    refusedAt(bytes, 3, /hash does not fit/);
  });

  test('I1 a byte that is no UTF-8 inside a record is damage', (t) => {
    const file = logOf(t, wholeTurn);
    const bytes = readFileSync(file);
    const at = bytes.indexOf(Buffer.from('é'));
    bytes[at] = 0xff;
    writeFileSync(file, bytes);
    refusedAt(file, 3, /hash does not fit/);
  });

  test('I1 a record that was removed, repeated, swapped or put in is refused where the numbers or the chain break', (t) => {
    const moves: readonly (readonly [number, Change, RegExp])[] = [
      [3, (lines) => { lines.splice(2, 1); }, /numbered 4/], [1, (lines) => { lines.splice(0, 1); }, /numbered 2/], [4, (lines) => { lines.splice(3, 0, lines[2] ?? ''); }, /numbered 3/], [2, (lines) => { [lines[1], lines[2]] = [lines[2] ?? '', lines[1] ?? '']; }, /numbered 3/],
      [2, (lines) => { lines.splice(1, 0, lines[0] ?? ''); }, /numbered 1/], [3, (lines) => { lines.splice(2, 1); lines[2] = (lines[2] ?? '').replace('"n":4', '"n":3'); }, /hash does not fit/],
    ];
    for (const [line, change, what] of moves) refusedAt(changed(t, change), line, what);
    for (const n of ['"2"', '2.5', 'null', '-2', '[2]']) refusedAt(changed(t, edit(2, '"n":2', `"n":${n}`)), 2, /numbered/);
  });

  test('I1 a line of another log does not fit, although its own hash is sound', (t) => {
    const [, other = ''] = readFileSync(logOf(t, [event.user('someone else')]), 'utf8').split('\n');
    const [first = ''] = readFileSync(logOf(t, []), 'utf8').split('\n');
    const file = logOf(t, []);
    const foreign = JSON.parse(other) as LogRecord;
    writeFileSync(file, `${first}\n${JSON.stringify({ ...foreign, prev: firstHash, hash: hashOf({ ...foreign, prev: firstHash }) })}\n`);
    refusedAt(file, 2, /hash does not fit/);
  });

  test('I4 a record type that is not known is refused and said, and the file is left as it is', (t) => {
    for (const type of ['snapshot', 'User', '', '__proto__', 'constructor', 'toString']) refusedAt(forged(t, [session, event.user(), { type }, event.ended()]), 3, new RegExp(`type "${type}" is not known; a newer version`));
  });

  test('I4 a version that is not known is refused and said, whatever else that version changed', (t) => {
    for (const version of [0, 2, 1.5, '1', null, true]) refusedAt(forged(t, [{ ...session, version }]), 1, /version .* is not known; this is version 1/);
    refusedAt(forged(t, [{ type: 'session', version: 2, folders: [] }, { type: 'novelty' }]), 1, /version 2 is not known/);
    refusedAt(forged(t, [{ type: 'session' }]), 1, /version undefined is not known/);
  });

  test('an event that is none is damage, whatever it is', (t) => {
    for (const one of [null, 5, 'user', [], [event.user()], {}, { type: null }, { type: ['user'], turn: 't', text: 'x' }, { type: { toString: 'user' } }]) refusedAt(forged(t, [session, one]), 2, /event|type/);
  });

  test('a record without a member that its type has is damage', (t) => {
    for (const one of wholeTurn) {
      for (const name of Object.keys(one).filter((key) => key !== 'type')) {
        const { [name as 'type']: _gone, ...rest } = one;
        refusedAt(forged(t, [session, { ...rest, type: one.type }]), 2, new RegExp(`a ${one.type} record has no ${name}`));
      }
    }
  });

  test('the session record stands first, and only there', (t) => {
    refusedAt(forged(t, [event.user()]), 1, /stands first/);
    refusedAt(forged(t, [session, session]), 2, /stands first, and only there/);
  });

  test('a file without a whole record is no log, and is left as it is', (t) => {
    for (const content of ['', '{"n":1', JSON.stringify({ n: 1 })]) {
      const file = logOf(t, []);
      writeFileSync(file, content);
      refusedAt(file, 1, /no whole record/);
    }
  });
});
