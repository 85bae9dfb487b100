import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRegistry } from '../../../extension/boundary/registry.ts';
import { createSchemaCompiler } from '../../../extension/boundary/schema-compiler.ts';
import type { ToolDefinition, ToolSchema } from '../../../extension/boundary/tool-definition.ts';
import { editorBodyOf } from '../../../extension/model/editor-body.ts';
import { registerBuiltInTools } from '../../../extension/tools/built-in.ts';
import { say } from '../../model-server/replies.ts';
import { protocols } from '../../models/protocols.ts';
import { aTool } from '../boundary/tools.ts';
import { capabilities, eventsOf, hello } from '../model/clients.ts';
import { networkClientOf } from '../model/network-clients.ts';
import { codeOf } from '../pipeline/plain-tool.ts';
import { sessionHost } from '../pipeline/session-host.ts';

const hostFields = ['output', 'effects', 'execute', 'projectContent', 'finalizeContent', 'timeoutMs', 'isConcurrencySafe', 'presentCall', 'presentResult', 'hostNote'];

/** A tool with every host-side field there is, each of which would be seen by this number. */
const loaded = aTool({
  timeoutMs: 86_413, hostNote: '86413', output: { schema: { type: 'string', title: '86413' }, render: () => [{ type: 'text', text: '86413' }], presentationMeta: () => '86413' },
  effects: () => assert.fail('86413'), execute: () => assert.fail('86413'), projectContent: () => assert.fail('86413'), finalizeContent: () => assert.fail('86413'), isConcurrencySafe: () => assert.fail('86413'),
  presentCall: () => assert.fail('86413'), presentResult: () => assert.fail('86413'),
});

/** As the agent hands them to a client: the built-in tools and the loaded one; and, past every type, the whole definition as it stands. */
function schemasToSend(): readonly ToolSchema[] {
  const registry = createRegistry(createSchemaCompiler());
  registerBuiltInTools(registry);
  registry.register(loaded);
  const whole: ToolDefinition = { ...loaded, name: 'whole' };
  return [...registry.schemas(), whole as unknown as ToolSchema];
}

/** Names of members anywhere in a body. */
function keysIn(value: unknown): ReadonlySet<string> {
  const keys = new Set<string>();
  JSON.stringify(value, (key: string, member: unknown) => { keys.add(key); return member; });
  return keys;
}

function assertNothingOfTheHost(raw: string): void {
  assert.ok(raw.includes('"whole"') && raw.includes('"say"') && raw.includes('"write_file"'), 'the tools were sent');
  assert.ok(!raw.includes('86413'));
  const keys = keysIn(JSON.parse(raw));
  assert.deepEqual(hostFields.filter((field) => keys.has(field)), []);
}

for (const { protocol, model, start } of protocols) {
  test(`A2 nothing of the host's stands in the body that ${protocol} sends, with the tools of a session and with a whole definition in the place of a schema`, async (t) => {
    const server = await start(() => say('ok'));
    t.after(() => server.close());
    const tools = schemasToSend();
    await eventsOf(networkClientOf(protocol, server.baseUrl, { model, key: () => Promise.resolve('key') }), { ...hello, tools });
    const raw = server.requests.at(-1)?.raw ?? assert.fail('nothing was sent');
    assertNothingOfTheHost(raw);
  });
}

test("A2 nothing of the host's is handed to a model of the editor's", () => {
  assertNothingOfTheHost(JSON.stringify(editorBodyOf({ ...hello, tools: schemasToSend() }, capabilities)));
});

test('A8 a tool of the person is neither listed for the model nor executed for it: UNKNOWN_TOOL, and nobody is asked', async (t) => {
  const session = await sessionHost(t, { answer: () => assert.fail('a person was asked') });
  session.registry.register(aTool({ name: 'hidden', execute: () => assert.fail('the body ran') }), { for: 'person' });
  assert.ok(!session.registry.schemas().some(({ name }) => name === 'hidden' || name === 'undo_changes'));
  for (const name of ['hidden', 'undo_changes']) assert.equal(codeOf(await session.propose(name, {})), 'UNKNOWN_TOOL');
});
