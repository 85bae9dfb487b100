import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { call, propose, say, type Answer } from '../../model-server/replies.ts';
import { startModelServer } from '../../model-server/server.ts';
import { clientOf, eventsOf, failureIn, finishedIn, textOf } from './clients.ts';

const server = await startModelServer(() => say('unset'));
after(() => server.close());

async function answered(reply: Answer): ReturnType<typeof eventsOf> {
  server.setScript(() => reply);
  return eventsOf(clientOf(server.baseUrl));
}

const raw = (...lines: readonly string[]): { kind: 'raw'; pieces: string[] } => ({ kind: 'raw', pieces: lines.map((line) => `data: ${line}\n\n`) });

test('text streams piece by piece and ends with its usage', async () => {
  const events = await answered({ kind: 'answer', text: ['Hel', 'lo'], usage: { input: 7, cachedInput: 3, output: 2 } });
  assert.deepEqual(events, [
    { type: 'text', text: 'Hel' },
    { type: 'text', text: 'lo' },
    { type: 'finished', reason: 'stop', calls: [], usage: { input: 7, cachedInput: 3, output: 2 } },
  ]);
});

test('the arguments of a call are put together from their fragments, as they are', async () => {
  const events = await answered(propose(call('read_file', '{"path": "a b.ts" }')));
  assert.deepEqual(finishedIn(events).calls, [{ id: 'call_1', name: 'read_file', arguments: '{"path": "a b.ts" }' }]);
  assert.equal(finishedIn(events).reason, 'tool-calls');
  assert.deepEqual(events[0], { type: 'call-started', index: 0, id: 'call_1', name: 'read_file' });
  assert.equal(events.flatMap((event) => (event.type === 'call-arguments' ? [event.text] : [])).join(''), '{"path": "a b.ts" }');
});

test('several calls in one answer keep their order, ids and arguments', async () => {
  const events = await answered({ ...propose(call('a', { n: 1 }, 'x'), call('b', { n: 2 }, 'y'), call('c', { n: 3 }, 'z')), text: 'All three.' });
  assert.deepEqual(finishedIn(events).calls.map(({ id, name, arguments: text }) => [id, name, text]), [['x', 'a', '{"n":1}'], ['y', 'b', '{"n":2}'], ['z', 'c', '{"n":3}']]);
});

test('fragments of two calls that arrive by turns go to their own call', async () => {
  const delta = (index: number, text: string, start = {}): string =>
    JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index, ...start, function: { arguments: text, ...('id' in start ? { name: `tool${index}` } : {}) } }] } }] });
  server.setScript(() => raw(delta(0, '{"a"', { id: 'p' }), delta(1, '{"b"', { id: 'q' }), delta(0, ':1}'), delta(1, ':2}'), '[DONE]'));
  const events = await eventsOf(clientOf(server.baseUrl));
  assert.deepEqual(finishedIn(events).calls, [{ id: 'p', name: 'tool0', arguments: '{"a":1}' }, { id: 'q', name: 'tool1', arguments: '{"b":2}' }]);
});

test('ten thousand fragments make one call', async () => {
  const text = JSON.stringify({ content: 'x'.repeat(20_000) });
  const events = await answered(propose({ name: 'write_file', arguments: text, fragments: 10_000 }));
  assert.equal(finishedIn(events).calls[0]?.arguments, text);
  assert.equal(events.filter((event) => event.type === 'call-arguments').length, 10_000);
});

test('a character that is split between two packets arrives whole', async () => {
  const events = await answered({ ...say(['grün 🌍', ' 漢字']), calls: [call('a', { text: 'é🌍' })], splitBytes: 1 });
  assert.equal(textOf(events), 'grün 🌍 漢字');
  assert.equal(finishedIn(events).calls[0]?.arguments, '{"text":"é🌍"}');
});

test('a call that arrives whole in one delta is taken', async () => {
  const events = await answered(propose({ name: 'a', arguments: '{"n":1}', fragments: 0 }));
  assert.deepEqual(finishedIn(events).calls, [{ id: 'call_1', name: 'a', arguments: '{"n":1}' }]);
});

test('calls without an id get one each', async () => {
  const events = await answered(propose({ name: 'a', arguments: '{}', id: null }, { name: 'b', arguments: '{}', id: null }));
  assert.deepEqual(finishedIn(events).calls.map(({ id, name }) => [id, name]), [['call_1', 'a'], ['call_2', 'b']]);
});

test('calls that a server numbers all 0, or not at all, stay apart', async () => {
  for (const index of [0, null]) {
    const events = await answered(propose({ name: 'a', arguments: '{"n":1}', id: 'x', index }, { name: 'b', arguments: '{"n":2}', id: 'y', index }));
    assert.deepEqual(finishedIn(events).calls.map(({ name, arguments: text }) => [name, text]), [['a', '{"n":1}'], ['b', '{"n":2}']]);
  }
});

test('the words that servers use for the end of an answer are read by what they mean', async () => {
  const calls = [call('a', {})];
  const reasonOf = async (reply: Partial<Answer>): Promise<string> => finishedIn(await answered({ kind: 'answer', text: 'so', ...reply })).reason;
  assert.equal(await reasonOf({ finish: 'stop' }), 'stop');
  assert.equal(await reasonOf({ finish: 'stop', calls }), 'tool-calls');
  assert.equal(await reasonOf({ finish: 'function_call', calls }), 'tool-calls');
  assert.equal(await reasonOf({ finish: 'tool_calls' }), 'stop');
  assert.equal(await reasonOf({ finish: 'length', calls }), 'length');
  assert.equal(await reasonOf({ finish: 'content_filter' }), 'refusal');
  assert.equal(await reasonOf({ finish: null, calls }), 'tool-calls');
  assert.equal(await reasonOf({ finish: null }), 'stop');
  assert.equal(await reasonOf({ finish: 'stop', done: false }), 'stop');
});

test('reasoning, pings and unknown fields are passed over', async () => {
  assert.equal(textOf(await answered({ ...say('Yes.'), reasoning: 'Hm, well.', pings: true })), 'Yes.');
});

test('ten megabytes of arguments are kept up to just above what the boundary accepts', async () => {
  const events = await answered(propose({ name: 'write_file', arguments: JSON.stringify({ content: 'x'.repeat(10 * 1024 * 1024) }), fragments: 200 }, call('b', { n: 1 })));
  const [large, small] = finishedIn(events).calls;
  assert.equal(large?.arguments.length, 1024 * 1024 + 4096);
  assert.equal(small?.arguments, '{"n":1}');
});

test('ten megabytes of arguments in a single line are kept no further either', async () => {
  const events = await answered(propose({ name: 'write_file', arguments: JSON.stringify({ content: 'x'.repeat(10 * 1024 * 1024) }), fragments: 0 }));
  assert.equal(finishedIn(events).calls[0]?.arguments.length, 1024 * 1024 + 4096);
});

test('an answer with more text, calls or arguments than its limits is given up', async () => {
  const limits = { text: 10, callArguments: 50, allArguments: 60, calls: 2 };
  const failureOf = async (reply: Answer): Promise<string> => {
    server.setScript(() => reply);
    const failure = failureIn(await eventsOf(clientOf(server.baseUrl, { answerLimits: limits })));
    assert.equal(failure.kind, 'protocol');
    return failure.message;
  };
  assert.match(await failureOf(say(['123456', '123456'])), /more than 10 characters of text/);
  assert.match(await failureOf(propose(call('a', {}), call('b', {}), call('c', {}))), /more than 2 tool calls/);
  const forty = 'x'.repeat(40);
  assert.match(await failureOf(propose(call('a', forty), call('b', forty))), /more than 60 characters of arguments/);
});
