import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test, type TestContext } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Effect, Foreseen } from '../../../extension/boundary/effect.ts';
import type { Look, Reader, Run } from '../../../extension/boundary/tool-definition.ts';
import { asking, codeOf, converse, plainTool } from '../pipeline/plain-tool.ts';
import { layer, sessionHost, type AnyTool, type Session } from '../pipeline/session-host.ts';

const allowing = { layers: [layer([{ decision: 'allow' }])] };

/** A tool that foresees a read of `a` and a write of the new file `b`, and then does what the test wants. */
function prober(body: (run: Run) => Promise<void>): AnyTool {
  return plainTool({
    effects: async (_args, look: Look): Promise<Foreseen> => {
      const [a, b] = [await look.locate('a'), await look.read('b')];
      const result = sha256(Buffer.from('new'));
      return {
        effects: [{ kind: 'read', path: a.path, extent: 'file', except: [] }, { kind: 'write', path: b.path, base: 'absent', result, via: 'disk' }],
        claims: [], content: new Map([[result, Buffer.from('new')]]),
      };
    },
    execute: async (_args, run) => {
      await body(run);
      return 'done';
    },
  });
}

async function probed(t: TestContext, body: (run: Run) => Promise<void>): Promise<Session> {
  const session = await sessionHost(t, { files: { a: 'old' }, policy: allowing, tools: [prober(body)] });
  assert.equal(codeOf(await session.propose('plain', {})), 'well');
  return session;
}

const byIdentity = /only the signed effects can be performed, each once, by identity/;

function effectOf<K extends Effect['kind']>(run: Run, kind: K): Extract<Effect, { kind: K }> {
  const effect = run.effects.find((one): one is Extract<Effect, { kind: K }> => one.kind === kind);
  if (effect === undefined) throw new Error(`no ${kind}`);
  return effect;
}

test('D13 the signed effects are performed, and nothing else has changed', async (t) => {
  let text = '';
  const session = await probed(t, async (run) => {
    text = Buffer.from(await (await run.perform(effectOf(run, 'read'))).bytes()).toString();
    assert.deepEqual(await run.perform(effectOf(run, 'write')), { path: effectOf(run, 'write').path, result: effectOf(run, 'write').result });
  });
  assert.equal(text, 'old');
  assert.deepEqual(await session.world(), { 'home/': '', 'outside/': '', 'ws/': '', 'ws/a': 'old', 'ws/b': 'new' });
});

const others: readonly (readonly [string, (effect: Effect) => Effect])[] = [
  ['a copy', (effect) => ({ ...effect })], ['a frozen copy', (effect) => Object.freeze({ ...effect })], ['a JSON round trip', (effect) => JSON.parse(JSON.stringify(effect)) as Effect],
  ['what inherits from it', (effect) => Object.create(effect) as Effect], ['another path', (effect) => ({ ...effect, path: '/etc/hosts' }) as Effect], ['an effect of another call', () => asking], ['a question', () => converse],
];
for (const [what, forge] of others) {
  test(`D13 ${what} in the place of a signed effect is refused`, async (t) => {
    const session = await probed(t, async (run) => {
      await assert.rejects(run.perform(forge(effectOf(run, 'write'))), byIdentity);
      await assert.rejects(run.perform(forge(effectOf(run, 'read'))), byIdentity);
    });
    assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/', 'ws/a']);
  });
}

test('D13 an effect is performed once, also at once and also where it failed', async (t) => {
  await probed(t, async (run) => {
    const read = effectOf(run, 'read');
    const results = await Promise.allSettled([run.perform(read), run.perform(read)]);
    assert.deepEqual(results.map(({ status }) => status), ['fulfilled', 'rejected']);
    const write = effectOf(run, 'write');
    await writeFile(write.path, 'in the way');
    await assert.rejects(run.perform(write), /STALE_PERMIT|was absent when this was signed/);
    await assert.rejects(run.perform(write), byIdentity);
    await run.performAll();
  });
});

test('D13 every power is gone once the body has settled', async (t) => {
  const kept: { run?: Run; reader?: Reader } = {};
  const session = await probed(t, async (run) => {
    kept.run = run;
    kept.reader = await run.perform(effectOf(run, 'read'));
  });
  const { run, reader } = kept;
  assert.ok(run !== undefined && reader !== undefined);
  const gone = /the call has settled/;
  await assert.rejects(run.perform(effectOf(run, 'write')), gone);
  await run.performAll();
  await assert.rejects(reader.bytes(), gone);
  await assert.rejects(reader.entries(), gone);
  await assert.rejects(reader.find('*'), gone);
  await assert.rejects(reader.search({ query: 'x', include: [], exclude: [], contextLines: 0 }), gone);
  const before = session.events.length;
  run.progress('still here');
  assert.equal(session.events.length, before);
  assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/', 'ws/a']);
});

test('a question cannot be asked once the body has settled', async (t) => {
  let late = (): Promise<string> => Promise.resolve('');
  const tool = plainTool({ execute: async (_args, run) => {
    const conversation = await run.perform(effectOf(run, 'converse'));
    late = () => conversation.ask('?', []);
    return 'done';
  } });
  const session = await sessionHost(t, { tools: [tool], host: { conversationOf: () => ({ ask: () => Promise.resolve('yes') }) } });
  await session.propose('plain', {});
  await assert.rejects(late(), /the call has settled/);
});

test('a read that was signed for one folder opens nothing below it', async (t) => {
  const tool = plainTool({
    effects: async (_args, look: Look): Promise<Foreseen> => ({ effects: [{ kind: 'read', path: (await look.locate('.')).path, extent: 'file', except: [] }], claims: [], content: new Map() }),
    execute: async (_args, run) => {
      const reader = await run.perform(effectOf(run, 'read'));
      assert.deepEqual((await reader.entries()).entries.map(({ name }) => name), ['a']);
      await assert.rejects(reader.find('**'), /signed for one file or folder/);
      await assert.rejects(reader.search({ query: 'x', include: [], exclude: [], contextLines: 0 }), /signed for one file or folder/);
      return 'done';
    },
  });
  assert.equal(codeOf(await (await sessionHost(t, { files: { a: '' }, tools: [tool] })).propose('plain', {})), 'well');
});

test('D13 neither the effects nor the run can be changed by the body', async (t) => {
  await probed(t, async (run) => {
    for (const item of [run, run.effects, ...run.effects, await run.perform(effectOf(run, 'read'))]) assert.ok(Object.isFrozen(item));
    assert.ok(Object.isFrozen(effectOf(run, 'read').except) || effectOf(run, 'read').extent === 'file');
  });
});

test('D13 bytes that the tool changes after it foresaw them are not those that are written', async (t) => {
  const bytes = Buffer.from('new');
  const tool = plainTool({
    effects: async (_args, look: Look): Promise<Foreseen> => {
      const { path } = await look.read('b');
      const result = sha256(bytes);
      return { effects: [{ kind: 'write', path, base: 'absent', result, via: 'disk' }], claims: [], content: new Map([[result, bytes]]) };
    },
    execute: async (_args, run) => {
      bytes.write('BAD');
      await run.performAll();
      return 'done';
    },
  });
  const session = await sessionHost(t, { tools: [tool], policy: allowing });
  assert.equal(codeOf(await session.propose('plain', {})), 'well');
  assert.equal((await session.world())['ws/b'], 'new');
});
