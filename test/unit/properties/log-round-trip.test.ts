import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import fc from 'fast-check';
import type { Json } from '../../../extension/boundary/json.ts';
import { EventLog } from '../../../extension/session/event-log.ts';
import { readLog } from '../../../extension/session/read-log.ts';
import type { LogEvent } from '../../../extension/session/records.ts';
import { numRuns } from './runs.ts';

const start = { sessionId: 's', roots: ['/w'] };

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'countersign-log-'));
  t.after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A record that carries a value which a tool made. */
function carrying(meta: Json): LogEvent {
  return { type: 'settled', call: 'c', verdict: null, approval: null, result: { isError: false, content: [], error: null, meta }, observed: [] };
}

function assertRoundTrip(file: string, values: readonly Json[]): void {
  rmSync(file, { force: true });
  const log = EventLog.create(file, start, () => 7);
  for (const value of values) log.append(carrying(value));
  log.close();
  const { records, torn, wholeBytes } = readLog(file);
  const bytes = readFileSync(file);
  assert.deepEqual([records.length, torn, wholeBytes], [values.length + 1, false, bytes.length]);
  const [, ...events] = records.map(({ event }) => event);
  assert.deepEqual(events.map((event) => JSON.stringify(event)), values.map((value) => JSON.stringify(carrying(value))));
  // Whoever reads it and writes it down again writes the same bytes, and the chain goes on from there.
  assert.equal(records.map((record) => `${JSON.stringify(record)}\n`).join(''), bytes.toString());
  const again = EventLog.reopen(file, records, () => 7);
  again.append(carrying(null));
  again.close();
  assert.equal(readLog(file).records.length, records.length + 1);
}

/** Any value of JSON: the generator also makes −0, which is none of its. */
const anyJson: fc.Arbitrary<Json> = fc.jsonValue({ depthSize: 'medium', stringUnit: 'binary' }).map((value) => JSON.parse(JSON.stringify(value)) as Json);

test('I1 any JSON value goes through the log and comes back with the same bytes', (t) => {
  const file = join(folder(t), 's.jsonl');
  // Keys that objects have by nature, that JavaScript puts in an order of its own, or that other readers take for line ends.
  const keyed: fc.Arbitrary<Json> = fc.dictionary(fc.constantFrom('__proto__', 'constructor', 'toJSON', 'event', 'hash', '1', '0', '\u2028', ''), anyJson);
  fc.assert(fc.property(fc.array(fc.oneof(anyJson, keyed), { minLength: 1, maxLength: 4 }), (values) => assertRoundTrip(file, values)), { numRuns });
});

test('I1 a value that JSON cannot hold, wherever it stands in a record, is refused, and nothing of it is in the file', (t) => {
  const file = join(folder(t), 's.jsonl');
  const lossy: fc.Arbitrary<unknown> = fc.constantFrom<unknown>(undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, '\ud800', 1n, Symbol('s'), () => 1, new Map(), new Date(0), Object.assign([], { length: 2 }));
  const log = EventLog.create(file, start, () => 7);
  t.after(() => log.close());
  fc.assert(fc.property(anyJson, lossy, fc.integer({ min: 0, max: 3 }), (value, wrong, depth) => {
    let holder: unknown = wrong;
    for (let level = 0; level < depth; level += 1) holder = level % 2 === 0 ? { value, holder } : [value, holder];
    const before = readFileSync(file);
    assert.throws(() => log.append(carrying(holder as Json)), TypeError);
    assert.deepEqual(readFileSync(file), before);
  }), { numRuns });
  assert.equal(log.append(carrying(null)).n, 2);
});
