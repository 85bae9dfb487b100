import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { cardOf } from '../../../extension/chat/card.ts';
import { createPresenter } from '../../../extension/chat/presenter.ts';
import type { Digest } from '../../../extension/boundary/effect.ts';
import type { Card } from '../../../webview/protocol/state.ts';
import { asking, plainTool } from '../pipeline/plain-tool.ts';
import { layer, sessionHost, type SessionSetup } from '../pipeline/session-host.ts';

/** The card of the call's ask, with the temporary folder written as `/w` and the digest as that of the ask. */
async function cardFor(t: TestContext, setup: SessionSetup, tool: string, args: object, read?: string): Promise<Card> {
  const session = await sessionHost(t, setup);
  if (read !== undefined) await session.read(read);
  await session.propose(tool, args);
  const asked = session.log.events.find((event) => event.type === 'asked');
  if (asked === undefined) throw new Error('Nobody was asked.');
  assert.equal(asked.digest, session.asks[0]?.digest);
  const card = cardOf(asked, createPresenter(session.registry).call(tool, JSON.stringify(args), 'model'));
  return JSON.parse(JSON.stringify({ ...card, digest: 'of the ask' }).replaceAll(session.at('..').replace(/\/$/, ''), '/w')) as Card;
}

test('the card of an edit', async (t) => {
  assert.deepEqual(await cardFor(t, { files: { 'src/a.ts': 'one\r\ntwo\r\nthree\r\n' } }, 'edit_file', { path: 'src/a.ts', edits: [{ oldText: 'two', newText: '2' }] }, 'src/a.ts'), {
    callId: 'c2', digest: 'of the ask', title: 'Edit src/a.ts', effects: ['write /w/ws/src/a.ts'], details: [], warnings: [], why: 'No rule of yours allows this, so you decide.', rule: '',
    diffs: [{
      display: 'src/a.ts', change: 'edit', added: 1, removed: 1, truncated: false, notes: ['Line ends: CRLF'],
      lines: [
        { kind: 'context', oldLine: 1, newLine: 1, text: 'one' }, { kind: 'removed', oldLine: 2, newLine: 0, text: 'two' }, { kind: 'added', oldLine: 0, newLine: 2, text: '2' }, { kind: 'context', oldLine: 3, newLine: 3, text: 'three' },
      ],
    }],
  });
});

test('the card of a new file', async (t) => {
  assert.deepEqual(await cardFor(t, {}, 'write_file', { path: 'new/a.ts', content: 'x' }), {
    callId: 'c1', digest: 'of the ask', title: 'Write new/a.ts', effects: ['create /w/ws/new/a.ts'], details: [], warnings: [], why: 'No rule of yours allows this, so you decide.', rule: '',
    diffs: [{ display: 'new/a.ts', change: 'create', added: 1, removed: 0, truncated: false, notes: ['No newline at the end of the file'], lines: [{ kind: 'added', oldLine: 0, newLine: 1, text: 'x' }] }],
  });
});

test('the card of a write outside the workspace says so', async (t) => {
  const card = await cardFor(t, { policy: { layers: [layer([{ decision: 'allow' }])] } }, 'write_file', { path: '../outside/a', content: 'x\n' });
  assert.deepEqual([card.effects, card.warnings, card.why, card.rule, card.diffs[0]?.display], [
    ['create /w/outside/a'], ['create /w/outside/a: it lies outside the workspace'], 'It lies outside the workspace.', 'built-in: outside', '/w/outside/a',
  ]);
});

test('the card of a protected write says why it is', async (t) => {
  const card = await cardFor(t, { policy: { layers: [layer([{ decision: 'allow' }])] } }, 'write_file', { path: '.vscode/settings.json', content: '{}\n' });
  assert.deepEqual([card.effects, card.warnings, card.why, card.rule], [
    ['create /w/ws/.vscode/settings.json'], ['create /w/ws/.vscode/settings.json: it is protected: the editor obeys what stands in .vscode'], 'It is protected: the editor obeys what stands in .vscode.', 'built-in: protected',
  ]);
});

test('the card of a rule that asks names its place and its reason', async (t) => {
  const card = await cardFor(t, { policy: { layers: [layer([{ effect: 'write', decision: 'ask', reason: 'look twice' }])] } }, 'write_file', { path: 'a', content: '' });
  assert.deepEqual([card.why, card.rule, card.diffs[0]?.notes], ['Look twice.', 'user[0]', ['The file will be empty']]);
});

test('the card of what is no edit shows every effect and claim, and the parts that the tool gave', async (t) => {
  const tool = plainTool({ effects: () => ({ effects: [asking, { kind: 'converse', op: 'plan' }], claims: [{ kind: 'process', id: 'p', op: 'stop' }], content: new Map() }), presentCall: () => ({ title: 'Fetch', parts: [{ kind: 'text', text: 't' }, { kind: 'code', text: 'c', label: 'l' }, { kind: 'path', display: 'd', path: '/p' }] }) });
  const card = await cardFor(t, { tools: [tool] }, 'plain', {});
  assert.deepEqual([card.diffs, card.effects, card.details], [
    [], ['fetch https://example.test/', 'show the plan', 'stop the process p'], [{ label: '', text: 't' }, { label: 'l', text: 'c' }, { label: '', text: 'd' }],
  ]);
});

// A right-to-left override, a zero-width space, a soft hyphen, a no-break space, an escape, a line end, a Hangul filler.
const deceptive = ['\u202E', '\u200B', '\u00AD', '\u00A0', '\u001B', '\n', '\u3164'];
for (const char of deceptive) {
  const visible = `‹U+${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}›`;
  test(`D14 ${visible} in a path, a title, a part, a reason or the text is written out on the card`, async (t) => {
    const name = `a${char}b.ts`;
    const card = await cardFor(t, { policy: { layers: [layer([{ effect: 'write', decision: 'ask', reason: `r${char}r` }])] } }, 'write_file', { path: name, content: `x${char === '\n' ? '\u200B' : char}y\n` });
    assert.deepEqual([card.title, card.effects, card.diffs[0]?.display, card.why], [`Write a${visible}b.ts`, [`create /w/ws/a${visible}b.ts`], `a${visible}b.ts`, `R${visible}r.`]);
    const odd = await cardFor(t, { tools: [plainTool({ presentCall: () => ({ title: `T${char}`, parts: [{ kind: 'code', text: `c${char}`, label: `l${char}` }] }) }, asking)] }, 'plain', {});
    for (const text of [JSON.stringify(card), JSON.stringify(odd)]) for (const one of deceptive) assert.ok(!text.includes(JSON.stringify(one).slice(1, -1)), text);
    assert.deepEqual([odd.title, odd.details], [`T${visible}`, [{ label: `l${visible}`, text: `c${visible}` }]]);
  });
}

test('D14 a host whose letters only look like others is written on the card as the network has it', async (t) => {
  const tool = plainTool({ effects: () => ({ effects: [{ kind: 'fetch', url: 'https://ex\u0430mple.test/\u202Ea', grant: 'a'.repeat(64) as Digest }], claims: [], content: new Map() }) });
  assert.deepEqual((await cardFor(t, { tools: [tool] }, 'plain', {})).effects, ['fetch https://xn--exmple-4nf.test/%E2%80%AEa']);
});

test('a card takes no more room than the view takes', async (t) => {
  const tool = plainTool({ presentCall: () => ({ title: 'T'.repeat(10_000), parts: Array.from({ length: 100 }, () => ({ kind: 'text' as const, text: '\u200B'.repeat(100_000) })) }) }, asking);
  const card = await cardFor(t, { tools: [tool] }, 'plain', {});
  assert.deepEqual([card.title.length, card.details.length, card.details[0]?.text.length], [500, 50, 50_000]);
  const long = await cardFor(t, {}, 'write_file', { path: 'a', content: 'line\n'.repeat(5000) });
  const [diff] = long.diffs;
  assert.ok(diff?.truncated === true && diff.lines.length <= 2000 && diff.added === 5000);
});
