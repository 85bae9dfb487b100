import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistry } from '../../../extension/boundary/registry.ts';
import type { CallResult } from '../../../extension/boundary/result.ts';
import { createSchemaCompiler } from '../../../extension/boundary/schema-compiler.ts';
import type { CallPresentation, ResultPresentation } from '../../../extension/boundary/tool-definition.ts';
import { createPresenter, type Presenter } from '../../../extension/chat/presenter.ts';
import { asking, codeOf, plainTool } from '../pipeline/plain-tool.ts';
import { sessionHost } from '../pipeline/session-host.ts';
import { registerBuiltInTools } from '../../../extension/tools/built-in.ts';
import { Transcript } from '../../../extension/chat/transcript.ts';

const nothing: unknown = null;
const well: CallResult = { isError: false, content: [{ type: 'text', text: 'x' }], error: null };
const getter = (name: string): object => Object.defineProperty({}, name, { get: () => { throw new Error('no'); } });

function presenterOf(over: Parameters<typeof plainTool>[0] = {}): Presenter {
  const registry = createRegistry(createSchemaCompiler());
  registerBuiltInTools(registry);
  registry.register(plainTool(over));
  return createPresenter(registry);
}

const wrong: readonly (readonly [string, () => unknown])[] = [
  ['throws', () => { throw new Error('broken'); }], ['throws nothing', () => { throw nothing; }], ['gives nothing', () => undefined], ['gives null', () => null], ['gives a Promise', () => Promise.resolve({ title: 'late', parts: [], summary: 'late' })],
  ['gives no text', () => ({ title: 7, parts: [], summary: 7 })], ['gives no title or summary', () => ({ parts: [] })], ['gives throwing getters', () => Object.assign(getter('title'), getter('summary'), { parts: [] })],
];
const wrongParts: readonly (readonly [string, unknown])[] = [
  ['no list', 'x'], ['a part that is none', [null]], ['a part of an unknown kind', [{ kind: 'html', text: '<b>' }]], ['a part without text', [{ kind: 'text' }]], ['code without a label', [{ kind: 'code', text: 'x' }]], ['a path without its display', [{ kind: 'path', path: '/a' }]],
];

for (const [what, present] of wrong) {
  test(`H1 a presenter that ${what} gives a generic card, and the call goes on`, async (t) => {
    const over = { presentCall: present as () => CallPresentation, presentResult: present as () => ResultPresentation };
    assert.deepEqual(presenterOf(over).call('plain', '{}'), { title: 'plain', parts: [] });
    assert.equal(presenterOf(over).result('plain', '{}', well), '');
    const session = await sessionHost(t, { tools: [plainTool(over, asking)], answer: 'allowed' });
    const transcript = new Transcript(createPresenter(session.registry));
    session.log.onAppend((event) => void transcript.record(event));
    assert.equal(codeOf(await session.propose('plain', {})), 'well');
    const [entry] = transcript.entries;
    assert.ok(entry?.kind === 'call' && entry.title === 'plain' && entry.card?.title === 'plain' && entry.status === 'done');
  });
}

for (const [what, parts] of wrongParts) {
  test(`H1 parts that are ${what} give a generic card`, () => {
    assert.deepEqual(presenterOf({ presentCall: () => ({ title: 'T', parts: parts as CallPresentation['parts'] }) }).call('plain', '{}'), { title: 'plain', parts: [] });
  });
}

test('H1 a tool without presenters, and one that is not known, are called by their names', () => {
  const presenter = presenterOf();
  assert.deepEqual([presenter.call('plain', '{}', 'model').title, presenter.call('none', '{}', 'model').title, presenter.call('', '{}', 'model').title, presenter.call('__proto__', '{}', 'model').title], ['plain', 'none', 'A call without a name', '__proto__']);
  assert.equal(presenter.call('x'.repeat(10_000), '', 'model').title.length, 200);
  assert.equal(presenter.result('none', '{}', well, 'model'), '');
});

for (const text of ['{', '', '[]', '{"path":7}', '{"path":"a","path":"b"}', '{"pth":"a"}', '{"path":"a"} x', 'null']) {
  test(`H1 arguments that the tool would refuse (${text}) are not drawn by it`, () => {
    assert.deepEqual(presenterOf().call('read_file', text), { title: 'read_file', parts: [] });
  });
}

test('the built-in tools say what they do, in plain words', () => {
  const { call } = presenterOf();
  const titles = [
    call('read_file', '{"path":"a.ts"}'), call('read_file', '{"path":"a.ts","startLine":2}'), call('read_file', '{"path":"a.ts","endLine":9}'), call('list_directory', ''), call('list_directory', '{"path":"src"}'),
    call('find_files', '{"pattern":"*.ts"}'), call('find_files', '{"pattern":"*.ts","path":"src"}'), call('search_text', '{"query":"a \\"b\\""}'), call('edit_file', '{"path":"a.ts","edits":[{"oldText":"a","newText":"b"}]}'),
    call('write_file', '{"path":"a.ts","content":""}'), call('ask_user', '{"question":"?"}'), call('update_plan', '{"items":[]}'), call('update_plan', '{"items":[{"text":"a","status":"done"}]}'),
  ].map(({ title }) => title);
  assert.deepEqual(titles, [
    'Read a.ts', 'Read a.ts, lines 2 to the end', 'Read a.ts, lines 1 to 9', 'List the workspace folder', 'List src', 'Find files *.ts', 'Find files *.ts in src', 'Search for "a \\"b\\""', 'Edit a.ts', 'Write a.ts', 'Ask you', 'Clear the plan', 'Update the plan',
  ]);
});

test('the built-in tools say what came of it, in a few words', async (t) => {
  const session = await sessionHost(t, { files: { 'a.ts': 'one\ntwo\n', empty: '' }, answer: 'allowed', host: { conversationOf: () => ({ ask: () => Promise.resolve('tabs') }) } });
  const presenter = createPresenter(session.registry);
  const summary = async (tool: string, args: object): Promise<string> => presenter.result(tool, JSON.stringify(args), (await session.propose(tool, args)).result ?? well, 'model');
  assert.deepEqual([
    await summary('read_file', { path: 'a.ts' }), await summary('read_file', { path: 'empty' }), await summary('list_directory', {}), await summary('find_files', { pattern: '*.ts' }), await summary('find_files', { pattern: '*.md' }),
    await summary('search_text', { query: 'two' }), await summary('search_text', { query: 'none' }), await summary('edit_file', { path: 'a.ts', edits: [{ oldText: 'one', newText: '1' }] }), await summary('write_file', { path: 'b', content: 'x\ny' }), await summary('ask_user', { question: '?' }),
  ], ['2 lines', 'empty', '2 entries', '1 files', 'none', '1 match', '0 matches', '1 edit', '2 lines', 'tabs']);
});
