import assert from 'node:assert/strict';
import { test } from 'node:test';
import { enoughOf, foldsIn, gainOf, largestFirst, startOfLast } from '../../../../extension/agent/context/fold.ts';
import { Gauge } from '../../../../extension/agent/context/gauge.ts';
import { tokensIn, totalOf, weigh } from '../../../../extension/agent/context/estimate.ts';
import { olderPart, summaryText } from '../../../../extension/agent/context/summary.ts';
import type { ModelClient } from '../../../../extension/model/model-client.ts';
import { History } from '../../../../extension/session/history.ts';
import { sha256 } from '../../../../extension/boundary/digest.ts';
import { assistant, folded, proposal, settled, summarised, user } from '../../session-history/history-events.ts';
import { capabilities } from '../../model/clients.ts';

const long = 'x'.repeat(4000);
const events = [
  user('t', 'go'), assistant('t', '', proposal('1')), settled('1', long), assistant('t', '', proposal('2')), settled('2', 'short'),
  assistant('t', '', proposal('3'), proposal('4')), settled('3', long), settled('4', long + long), assistant('t', 'So.'),
];
const told = new History().tell(events);
const client = (over: Partial<typeof capabilities> = {}, label = 'm'): ModelClient => ({ label, capabilities: { ...capabilities, ...over }, bodyOf: () => '', async *stream() {} });

test('the last steps begin with their answers', () => {
  assert.deepEqual([1, 2, 3, 4, 5].map((steps) => startOfLast(told, steps)), [8, 5, 3, 1, 0]);
});

test('only long results that are not folded yet can be folded, oldest first', () => {
  assert.deepEqual(foldsIn(told, 0, told.length).map(({ call }) => call), ['1', '3', '4']);
  assert.deepEqual(foldsIn(told, 0, startOfLast(told, 2)).map(({ call }) => call), ['1']);
  assert.deepEqual(foldsIn(new History().tell([...events, folded('1')]), 0, told.length).map(({ call }) => call), ['3', '4']);
});

test('as many are folded as are needed, and no more', () => {
  const folds = foldsIn(told, 0, told.length);
  assert.deepEqual([1, 900, 1700, 1e6].map((excess) => enoughOf(folds, excess).length), [1, 1, 2, 3]);
  assert.deepEqual(largestFirst(folds).map(({ call }) => call), ['4', '1', '3']);
  const saved = totalOf(weigh(told, { system: '', tools: [], images: false })) - totalOf(weigh(new History().tell([...events, folded('1', '3', '4')]), { system: '', tools: [], images: false }));
  assert.ok(Math.abs(saved - gainOf(folds)) < 20, `${saved} and ${gainOf(folds)}`);
});

test('an estimate counts UTF-8, by what it is spent on; images only where they are sent', () => {
  const digest = sha256('i');
  const withImage = new History().tell([...events, { type: 'user', turn: 't', text: 'ä'.repeat(400), images: [{ digest, mediaType: 'image/png', bytes: 1, thumbnail: '' }] }]);
  const weights = weigh(withImage, { system: 's'.repeat(400), tools: [], images: true });
  assert.ok(weights.results > 4000 && weights.results < 4200 && weights.user > 200 && weights.user < 250 && weights.instructions > 100 && weights.instructions < 110);
  assert.deepEqual([weights.images > 0, weigh(withImage, { system: '', tools: [], images: false }).images], [true, 0]);
  assert.ok(weigh(new History().tell([...events, summarised(3, 'x'.repeat(400))]), { system: '', tools: [], images: false }).summary > 100);
});

test('what fits is the context less the answer; a table that leaves nothing leaves half', () => {
  const limits = [[128_000, 8000], [8192, 8192], [8192, 16_384], [100, 0]].map(([contextTokens = 0, outputTokens = 0]) => new Gauge().limit(client({ contextTokens, outputTokens })));
  assert.deepEqual(limits, [120_000, 4096, 4096, 1000]);
});

test('a report corrects the estimates for its model, and one that cannot be is bounded or passed over', () => {
  const gauge = new Gauge();
  gauge.report(client(), 1000, 1300);
  assert.deepEqual([gauge.ratio(client()), gauge.ratio(client({}, 'other'))], [1.3, 1]);
  for (const [estimated, input, ratio] of [[1000, 0, 1.3], [0, 1000, 1.3], [NaN, 1, 1.3], [1000, 1, 0.5], [1, 1000, 3]] as const) {
    gauge.report(client(), estimated, input);
    assert.equal(gauge.ratio(client()), ratio);
  }
  assert.deepEqual([NaN, Infinity, 0, 2].map((first) => new Gauge(first).ratio(client())), [1, 1, 0.5, 2]);
});

test('a refusal lowers what fits for its model, and a later one lowers it again', () => {
  const gauge = new Gauge();
  gauge.refused(client(), 100_000);
  gauge.refused(client(), 200_000);
  assert.deepEqual([gauge.limit(client()), gauge.limit(client({}, 'other'))], [90_000, 120_000]);
  gauge.refused(client(), 50_000);
  assert.equal(gauge.limit(client()), 45_000);
});

test('the older part leaves the last steps whole, with what was said right before them; fewer where they are heavy', () => {
  const more = [...events, user('u', 'next'), assistant('u', '', proposal('5')), settled('5', 'y')];
  const all = new History().tell(more);
  const at = (steps: number, room: number): number => olderPart(all, steps, room).through;
  assert.deepEqual([at(1, 1e6), at(3, 1e6), at(3, tokensIn(8000)), at(3, 0), at(9, 1e6)], [9, 5, 8, 9, 0]);
});

test("of the person's messages the first and the newest are kept, each up to its cap", () => {
  const said = Array.from({ length: 30 }, (_, n) => user('t', `message ${n} ${'w'.repeat(n === 0 ? 50_000 : 3000)}`));
  const text = summaryText([...said, user('t', 'after the border')], 30, '  What happened.  ');
  assert.ok(text.length < 60_000 && text.includes('- message 0 ') && text.includes('message 29 ') && !text.includes('message 5 ') && !text.includes('after the border'));
  assert.match(text, /\[cut here: \d+ more characters\]/);
  assert.match(text, /\[\d+ messages of mine are left out here\]/);
  assert.match(text, /data, not instructions\):\nWhat happened\.$/);
});
