import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { Effect } from '../../../extension/boundary/effect.ts';
import type { Json } from '../../../extension/boundary/json.ts';
import { modeRules, type ModeRule } from '../../../extension/gate/modes.ts';
import type { Mode } from '../../../extension/gate/modes.ts';
import { codeOf, converse, plainTool, textOf } from '../pipeline/plain-tool.ts';
import { type AnyTool, type SessionSetup, sessionHost } from '../pipeline/session-host.ts';
import { assertDeepFrozen } from './deep-frozen.ts';

const strict = { type: 'object', properties: { path: { type: 'string' }, count: { type: 'integer' } }, required: ['path'], additionalProperties: false } as const;

/** A tool whose body must not run. */
function untouchable(over: Partial<AnyTool> = {}): AnyTool {
  return plainTool({ name: 'untouchable', parameters: strict, execute: () => assert.fail('the body ran'), ...over }, converse);
}
const nobody: SessionSetup['answer'] = () => assert.fail('a person was asked');

/** What each built-in tool is called with; a tool that is missing here fails the test that walks them all. */
const samples: Readonly<Record<string, Json>> = {
  read_file: { path: 'a.txt' }, list_directory: {}, find_files: { pattern: '*' }, search_text: { query: 'one' }, edit_file: { path: 'a.txt', edits: [{ oldText: 'one', newText: 'two' }] },
  write_file: { path: 'new.txt', content: 'x' }, ask_user: { question: 'Well?' }, update_plan: { items: [] },
};

suite('a call, from its text on', () => {
  test('A10 with no mode and no rules every registered tool asks', async (t) => {
    const none = 'none' as Mode;
    const rules: Partial<Record<Mode, readonly ModeRule[]>> = modeRules;
    rules[none] = [];
    t.after(() => { delete rules[none]; });
    const session = await sessionHost(t, { files: { 'a.txt': 'one\n' }, policy: { mode: none }, answer: 'denied' });
    session.host.observations.note(session.at('a.txt'), sha256('one\n'));
    const before = await session.world();
    for (const { name } of session.registry.schemas()) {
      const asked = session.asks.length;
      const { verdict, effects, approval } = await session.propose(name, samples[name] as object ?? assert.fail(`no sample of ${name}`));
      assert.deepEqual([name, verdict?.decision, verdict?.decidedBy, approval, session.asks.length - asked], [name, 'ask', 'no rule', 'denied', 1]);
      assert.ok(effects.length > 0, name);
    }
    assert.deepEqual(await session.world(), before);
  });

  test('A12 effects that are empty, none, not plain, or that throw are INVALID_EFFECTS, denied, and nobody is asked', async (t) => {
    const content = new Map();
    const foreseen: readonly (readonly [string, () => unknown])[] = [
      ['an empty list', () => ({ effects: [], claims: [], content })], ['no list', () => ({ effects: 'read', claims: [], content })], ['nothing', () => undefined], ['a promise of nothing', () => Promise.resolve(null)],
      ['an unknown kind', () => ({ effects: [{ kind: 'exec' }], claims: [], content })], ['a second that is wrong', () => ({ effects: [converse, { kind: 'read', path: 'relative' }], claims: [], content })],
      ['a throw', () => { throw new Error('no idea'); }], ['a throw of text', () => { throw 'no idea' as unknown as Error; }], ['a rejection', () => Promise.reject(new TypeError('no idea'))], ['a wrong claim', () => ({ effects: [converse], claims: [{}], content })],
      ['an accessor', () => ({ effects: [Object.defineProperty({ kind: 'converse' }, 'op', { get: () => 'ask', enumerable: true })], claims: [], content })],
      ['bytes that are others', () => ({ effects: [{ kind: 'write', path: '/w/a', base: 'absent', result: sha256('a'), via: 'disk' }], claims: [], content: new Map([[sha256('a'), Buffer.from('b')]]) })],
    ];
    for (const [what, effects] of foreseen) {
      const session = await sessionHost(t, { tools: [untouchable({ effects: effects as AnyTool['effects'] })], answer: nobody });
      const outcome = await session.propose('untouchable', { path: 'a' });
      assert.deepEqual([codeOf(outcome), outcome.verdict?.decision, outcome.effects], ['INVALID_EFFECTS', 'deny', []], what);
    }
  });

  test('B2 arguments that are not strict JSON are refused with their place; nothing is foreseen or executed', async (t) => {
    const session = await sessionHost(t, { tools: [untouchable({ effects: () => assert.fail('it was foreseen') })], answer: nobody });
    for (const text of ['{"path":"a"', '{"path":"a"}}', '{"path":"a","path":"b"}', '{"path":"\\ud800"}', '{"path":"a","count":9007199254740993}', '{"path":"a","count":-0}', '{path:"a"}', '{"path":"a",}', '\ufeff{"path":"a"}']) {
      const outcome = await session.propose('untouchable', text);
      assert.equal(codeOf(outcome), 'INVALID_ARGS', text);
      assert.match(textOf(outcome), /at character \d+/);
      assert.equal(outcome.verdict, null);
    }
    assert.match(textOf(await session.propose('untouchable', '')), /\/path: expected the property "path", which is required/);
  });

  test('B3 every stage and the tool see one frozen object, whatever a tool tries on it', async (t) => {
    const seen: unknown[] = [];
    const see = (args: Json): void => {
      assertDeepFrozen(args);
      assert.throws(() => Object.assign(args as object, { path: '/etc/passwd' }), TypeError);
      seen.push(args);
    };
    const session = await sessionHost(t, { tools: [plainTool({
      parameters: strict,
      effects: (args) => { see(args); return { effects: [converse], claims: [], content: new Map() }; },
      execute: (args) => { see(args); return Promise.resolve('done'); },
      output: { schema: {}, render: (args) => { see(args); return []; } },
    })] });
    assert.equal(codeOf(await session.propose('plain', { path: 'a' })), 'well');
    assert.equal(seen.length, 3);
    assert.ok(seen.every((args) => args === seen[0]));
    assert.deepEqual(seen[0], { path: 'a' });
  });

  test('B4 __proto__, constructor and prototype in arguments are refused as unknown properties, and change nothing', async (t) => {
    const session = await sessionHost(t, { tools: [untouchable()], answer: nobody });
    for (const name of ['__proto__', 'constructor', 'prototype']) {
      const outcome = await session.propose('untouchable', `{"path":"a","${name}":{"path":"b","polluted":true}}`);
      assert.equal(codeOf(outcome), 'INVALID_ARGS');
      assert.match(textOf(outcome), new RegExp(`unknown property "${name}"`));
      assert.equal(codeOf(await session.propose('untouchable', `{"${name}":{"path":"b"}}`)), 'INVALID_ARGS');
    }
    assert.equal('polluted' in {}, false);
  });

  test('B5 violations come all at once, with pointers, on the ordinary error path: nobody is asked and the body does not run', async (t) => {
    const session = await sessionHost(t, { tools: [untouchable({ effects: () => assert.fail('it was foreseen') })], answer: nobody });
    const outcome = await session.propose('untouchable', { path: 5, count: '3', extra: null });
    assert.equal(codeOf(outcome), 'INVALID_ARGS');
    assert.deepEqual(outcome.result?.error?.violations?.map(({ pointer }) => pointer).toSorted(), ['/count', '/extra', '/path']);
    for (const line of ['/path: expected string; got number 5', '/count: expected integer; got string "3"', '/extra: expected']) assert.ok(textOf(outcome).includes(line), line);
    for (const args of ['[]', 'null', '"path"', '1', 'true', '[{"path":"a"}]']) assert.equal(codeOf(await session.propose('untouchable', args)), 'INVALID_ARGS', args);
  });

  test('B5 a violation that shows a part of a value is written to the log whole, wherever the value is cut', async (t) => {
    const session = await sessionHost(t, { tools: [untouchable()], answer: nobody });
    for (let length = 52; length < 64; length += 1) assert.equal(codeOf(await session.propose('untouchable', { path: 'a', count: `${'a'.repeat(length)}😀😀` })), 'INVALID_ARGS', String(length));
    for (const name of ['😀'.repeat(120), `a${'😀'.repeat(120)}`]) assert.equal(codeOf(await session.propose('untouchable', { path: 'a', [name]: 1 })), 'INVALID_ARGS');
  });

  test('B6 a misspelt property is answered with the one that was meant', async (t) => {
    const session = await sessionHost(t, { answer: nobody });
    const outcome = await session.propose('edit_file', { path: 'a.txt', edits: [{ old_text: 'a', newText: 'b' }] });
    assert.equal(codeOf(outcome), 'INVALID_ARGS');
    assert.match(textOf(outcome), /\/edits\/0\/old_text: expected the property "oldText"/);
  });

  test('B7 an unknown tool is an answer with the closest names, whatever it is called', async (t) => {
    const session = await sessionHost(t, { answer: nobody });
    assert.match(textOf(await session.propose('red_file', {})), /Did you mean read_file/);
    for (const name of ['__proto__', 'constructor', 'toString', '', '\0', '\ud800', '😀'.repeat(150), 'x'.repeat(1024 * 1024)]) {
      const outcome = await session.propose(name, {}).catch((error: unknown) => assert.fail(`${name.slice(0, 20)}: ${String(error)}`));
      assert.equal(codeOf(outcome), 'UNKNOWN_TOOL', name.slice(0, 20));
      assert.ok(textOf(outcome).length < 800);
    }
  });

  test('A8 a tool that was removed is unknown, and the next of that name is another', async (t) => {
    const session = await sessionHost(t);
    const remove = session.registry.register(plainTool());
    assert.equal(codeOf(await session.propose('plain', {})), 'well');
    remove();
    assert.equal(codeOf(await session.propose('plain', {})), 'UNKNOWN_TOOL');
  });

  test('B8 arguments over the cap are refused with the cap named', async (t) => {
    const session = await sessionHost(t, { tools: [untouchable()], answer: nobody });
    const outcome = await session.propose('untouchable', { path: 'x'.repeat(1024 * 1024) });
    assert.equal(codeOf(outcome), 'TOO_LARGE');
    assert.match(textOf(outcome), /1 MiB/);
  });

  test('B9 what receive refuses is said although the call was cancelled; violations are not looked at then', async (t) => {
    const seen: string[] = [];
    const finalizeContent: AnyTool['finalizeContent'] = (content) => { seen.push(content[0]?.text ?? ''); return content; };
    const session = await sessionHost(t, { tools: [untouchable({ finalizeContent })], answer: nobody });
    const signal = AbortSignal.abort();
    assert.equal(codeOf(await session.propose('untouchable', '{"path":', { signal })), 'INVALID_ARGS');
    const wrong = await session.propose('untouchable', { path: 5 }, { signal });
    assert.deepEqual([codeOf(wrong), wrong.result?.error?.violations], ['ABORTED_BEFORE_DISPATCH', undefined]);
    assert.equal(codeOf(await session.propose('untouchable', 'x', { signal })), 'INVALID_ARGS');
    assert.deepEqual(seen.map((text) => text.split(':')[0]), ['INVALID_ARGS', 'ABORTED_BEFORE_DISPATCH', 'INVALID_ARGS']);
  });

  test('B10 a call that the token limit cut off is not executed, and the model is told', async (t) => {
    const session = await sessionHost(t, { tools: [untouchable()], answer: nobody });
    const outcome = await session.propose('untouchable', { path: 'a' }, { cutOff: true });
    assert.equal(codeOf(outcome), 'INVALID_ARGS');
    assert.match(textOf(outcome), /cut off at the token limit/);
  });

  test('the bytes that land are those that were signed, whatever the tool does to its own', async (t) => {
    const mine = Buffer.from('signed');
    const session = await sessionHost(t, { answer: 'allowed', tools: [plainTool({
      effects: async (_args, look) => {
        const { path } = await look.editable('new.txt');
        const effect: Effect = { kind: 'write', path, base: 'absent', result: sha256(mine), via: 'disk' };
        return { effects: [effect], claims: [], content: new Map([[sha256(mine), mine]]) };
      },
      execute: async (_args, run) => {
        mine.fill('X');
        await run.performAll();
        return 'done';
      },
    })] });
    assert.equal(codeOf(await session.propose('plain', {})), 'well');
    assert.equal((await session.world())['ws/new.txt'], 'signed');
  });
});
