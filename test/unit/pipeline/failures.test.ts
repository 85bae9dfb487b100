import assert from 'node:assert/strict';
import { symlink } from 'node:fs/promises';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Effect, Foreseen, RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError, ToolOutputError } from '../../../extension/boundary/error-codes.ts';
import type { Look } from '../../../extension/boundary/tool-definition.ts';
import { asking, codeOf, converse, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost } from './session-host.ts';

const throwing = (name: string): object => Object.defineProperty({}, name, { enumerable: true, get: () => { throw new Error('a getter'); } });
const unknowable = new Proxy({}, { get: () => { throw new Error('no'); }, has: () => { throw new Error('no'); }, getPrototypeOf: () => { throw new Error('no'); }, ownKeys: () => { throw new Error('no'); } });
const silent = 'TOOL_FAILED: It failed without saying why.';

const thrown: readonly (readonly [string, unknown, string])[] = [
  ['a text', 'broken', 'TOOL_FAILED: broken'], ['an empty text', '', silent], ['nothing', undefined, silent], ['null', null, silent], ['a number', 7, 'TOOL_FAILED: It failed: 7'], ['a bigint', 7n, 'TOOL_FAILED: It failed: 7'],
  ['an empty object', {}, silent], ['an object', { status: 500 }, 'TOOL_FAILED: It failed: {"status":500}'], ['an object with a message', { message: 'broken' }, 'TOOL_FAILED: broken'], ['an object without a prototype', Object.create(null), silent],
  ['an object with a throwing message', throwing('message'), silent], ['an object with a throwing code', Object.assign(throwing('code'), { message: 'broken' }), silent], ['an object of which nothing can be asked', unknowable, silent],
  ['a symbol', Symbol('x'), 'TOOL_FAILED: It failed: Symbol(x)'], ['a function', () => 1, silent], ['an error', new Error('broken'), 'TOOL_FAILED: broken'], ['an error without a message', new Error(''), silent],
  ['an error whose code is undefined', Object.assign(new Error('broken'), { code: undefined }), 'TOOL_FAILED: broken'], ['an error whose message is no text', Object.assign(new Error('x'), { message: 7 }), silent],
  ['an error with half a character', new Error('half \ud83d'), 'TOOL_FAILED: half \ufffd'], ["another's coded error", Object.assign(new Error('broken'), { name: 'AcmeError', code: 'ACME_7' }), 'TOOL_FAILED: AcmeError (ACME_7): broken'],
  ['a system error', Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT' }), 'TOOL_FAILED: ENOENT: no such file'], ['a coded error of ours', new CodedError('FS_REFUSED', 'not there'), 'FS_REFUSED: not there'],
  ['a coded error with violations', new ToolOutputError('wrong', [{ pointer: '/a', expected: 'text', got: 'number 1' }]), 'INVALID_TOOL_OUTPUT: wrong\n- /a: expected text; got number 1'],
];

for (const [what, error, said] of thrown) {
  test(`C6 ${what} that is thrown by a body becomes a result that can be read, and is recorded`, async (t) => {
    const session = await sessionHost(t, { tools: [plainTool({ execute: () => { throw error; } })] });
    const outcome = await session.propose('plain', {});
    assert.equal(textOf(outcome), said);
    assert.equal(outcome.result?.isError, true);
    const settled = session.log.events.at(-1);
    assert.deepEqual(settled?.type === 'settled' ? settled.result : null, outcome.result);
  });
}

for (const [what, error] of thrown) {
  test(`A12 ${what} that is thrown by effects denies the call`, async (t) => {
    const session = await sessionHost(t, { tools: [plainTool({ effects: () => { throw error; } })], policy: { layers: [layer([{ decision: 'allow' }])] }, answer: 'allowed' });
    const outcome = await session.propose('plain', {});
    const own = error !== unknowable && error instanceof CodedError;
    assert.equal(codeOf(outcome), own ? error.code : 'INVALID_EFFECTS');
    assert.equal(outcome.verdict?.decision, own ? undefined : 'deny');
    assert.deepEqual([session.asks.length, outcome.effects, session.log.events.some(({ type }) => type === 'started')], [0, [], false]);
  });
}

const digest = sha256('x');
const noEffects: readonly (readonly [string, unknown])[] = [
  ['nothing', undefined], ['null', null], ['no effect', []], ['a text', 'read'], ['an effect of no kind', [{}]], ['an unknown kind', [{ kind: 'format' }]], ['a kind named like a member of Object', [{ kind: 'toString' }]],
  ['a relative path', [{ kind: 'read', path: 'a', extent: 'file', except: [] }]], ['a path with ..', [{ kind: 'read', path: '/srv/app/../x', extent: 'file', except: [] }]], ['a path with NUL', [{ kind: 'read', path: '/a\0b', extent: 'file', except: [] }]],
  ['an extent that is not known', [{ kind: 'read', path: '/a', extent: 'all', except: [] }]], ['a digest that is none', [{ kind: 'delete', path: '/a', base: 'abc' }]], ['a member that is not known', [{ kind: 'converse', op: 'ask', also: 1 }]],
  ['a function in an effect', [{ kind: 'converse', op: 'ask', then: () => 1 }]], ['a write whose bytes are missing', [{ kind: 'write', path: '/a', base: 'absent', result: digest, via: 'disk' }]], ['an effect among others that is none', [converse, null]],
];
for (const [what, effects] of noEffects) {
  test(`A12 ${what} foreseen: INVALID_EFFECTS, denied, and nobody is asked`, async (t) => {
    const foreseen = what === 'nothing' || what === 'null' ? effects : { effects, claims: [], content: new Map() };
    const session = await sessionHost(t, { tools: [plainTool({ effects: () => foreseen as Foreseen })], policy: { layers: [layer([{ decision: 'allow' }])] }, answer: 'allowed' });
    const outcome = await session.propose('plain', {});
    assert.deepEqual([codeOf(outcome), outcome.verdict?.decision, outcome.effects, session.asks.length], ['INVALID_EFFECTS', 'deny', [], 0]);
  });
}

test('A12 claims that are none deny as well', async (t) => {
  for (const claims of [undefined, null, [{}], [{ kind: 'write' }]]) {
    const tool = plainTool({ effects: () => ({ effects: [converse], claims, content: new Map() }) as unknown as Foreseen });
    assert.equal(codeOf(await (await sessionHost(t, { tools: [tool] })).propose('plain', {})), 'INVALID_EFFECTS');
  }
});

test('A12 an effect that names a way through a link cannot be judged, so it is denied', async (t) => {
  for (const kind of ['effects', 'claims'] as const) {
    const session = await sessionHost(t, { outside: { secret: 'x' }, answer: 'allowed' });
    await symlink('../outside', session.at('link'));
    const through: Effect = { kind: 'read', path: session.at('link/secret'), extent: 'file', except: [] };
    session.registry.register(plainTool({ effects: () => ({ effects: [converse], claims: [], content: new Map(), [kind]: [through] }) }));
    assert.deepEqual([codeOf(await session.propose('plain', {})), session.asks.length], ['INVALID_EFFECTS', 0]);
  }
});

/** Writes `new` to a path, on a base that the tool says. */
function writer(path: RealPath, base: Extract<Effect, { kind: 'write' }>['base'], look: (look: Look) => Promise<unknown>): Parameters<typeof plainTool>[0] {
  return {
    effects: async (_args, given) => {
      await look(given);
      const bytes = Buffer.from('new');
      return { effects: [{ kind: 'write', path, base, result: sha256(bytes), via: 'disk' }], claims: [], content: new Map([[sha256(bytes), bytes]]) };
    },
    execute: async (_args, run) => { await run.performAll(); return 'done'; },
  };
}

test('a write on another base than was looked at is not put before anybody: the card would show another change', async (t) => {
  const session = await sessionHost(t, { files: { a: 'old' }, answer: 'allowed' });
  await session.read('a');
  const at = session.at('a');
  const cases = [writer(at, sha256('old'), () => Promise.resolve()), writer(at, 'absent', (look) => look.read('a')), writer(at, sha256('other'), (look) => look.read('a'))];
  for (const [n, tool] of cases.entries()) {
    session.registry.register(plainTool({ ...tool, name: `w${n}` }));
    assert.equal(codeOf(await session.propose(`w${n}`, {})), 'INVALID_EFFECTS');
  }
  assert.deepEqual([session.asks.length, (await session.world())['ws/a']], [0, 'old']);
});

test('a write over what the session has not read is refused, whatever the tool checked', async (t) => {
  const session = await sessionHost(t, { files: { a: 'old' }, answer: 'allowed' });
  session.registry.register(plainTool(writer(session.at('a'), sha256('old'), (look) => look.read('a'))));
  assert.deepEqual([codeOf(await session.propose('plain', {})), session.asks.length], ['FS_NOT_OBSERVED', 0]);
});

for (const name of ['', '__proto__', 'constructor', 'read_fil', 'x'.repeat(1_000_000), 'read_file\n', '\ud800', 7 as unknown as string, null as unknown as string]) {
  test(`B7 a tool named ${JSON.stringify(name).slice(0, 30)} is unknown, and never a crash`, async (t) => {
    const session = await sessionHost(t, {});
    assert.ok(['UNKNOWN_TOOL', 'INVALID_PROPOSAL'].includes(codeOf(await session.propose(name, {}))));
  });
}

test('B5 arguments that do not fit are refused before anything is foreseen or asked, all faults at once', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({}, asking)] });
  const { result, verdict } = await session.propose('edit_file', { path: 7, edit: [], edits: [{ oldText: 'a' }] });
  assert.deepEqual([result?.error?.code, result?.error?.violations?.map(({ pointer }) => pointer).sort(), verdict, session.asks.length], ['INVALID_ARGS', ['/edit', '/edits/0/newText', '/path'], null, 0]);
});
