import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asking, codeOf, plainTool } from '../pipeline/plain-tool.ts';
import { layer, sessionHost } from '../pipeline/session-host.ts';

test('G1 a deferred tool is registered, checked, gated, asked for and executed as any other', async (t) => {
  const stories: unknown[] = [];
  for (const deferLoading of [true, false]) {
    let runs = 0;
    const tool = plainTool({ name: 'late', deferLoading, parameters: { type: 'object', additionalProperties: false }, execute: () => { runs += 1; return Promise.resolve('done'); } }, asking);
    const session = await sessionHost(t, { tools: [tool], answer: 'allowed' });
    const codes = [codeOf(await session.propose('late', { extra: 1 })), codeOf(await session.propose('late', {}))];
    session.setAnswer('denied');
    codes.push(codeOf(await session.propose('late', {})));
    session.setPolicy({ layers: [layer([{ tool: 'late', decision: 'deny' }])] });
    codes.push(codeOf(await session.propose('late', {})));
    assert.throws(() => session.registry.register(tool), /its name is taken/);
    stories.push([codes, runs, session.asks.length, session.log.events.map(({ type }) => type)]);
  }
  assert.deepEqual(stories[0], stories[1]);
  assert.deepEqual((stories[0] as readonly unknown[]).slice(0, 3), [['INVALID_ARGS', 'well', 'DENIED_BY_PERSON', 'DENIED_BY_POLICY'], 1, 2]);
});
