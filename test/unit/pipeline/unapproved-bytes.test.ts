import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { CodedError, ToolArgsError } from '../../../extension/boundary/error-codes.ts';
import type { Look } from '../../../extension/boundary/tool-definition.ts';
import { codeOf, plainTool, textOf } from './plain-tool.ts';
import { sessionHost, type Session } from './session-host.ts';

const secret = 'zebra secret-word quagga\nsecret-word okapi\n';

/** With a file outside that the session knows, though the person has not approved another read of it. */
async function known(t: Parameters<typeof sessionHost>[0], content: string | Uint8Array = secret, setup: Parameters<typeof sessionHost>[1] = {}): Promise<Session> {
  const session = await sessionHost(t, { ...setup, outside: { 'notes.txt': content } });
  session.host.observations.note(session.at('../outside/notes.txt'), sha256(content));
  return session;
}

const replace = (...edits: readonly object[]): object => ({ path: '../outside/notes.txt', edits });

const failing: readonly (readonly [string, object, string, (string | Uint8Array)?])[] = [
  ['text that nearly stands there', replace({ oldText: 'zebra secret-wrod quagga', newText: 'x' }), 'EDIT_NOT_FOUND'],
  ['text that stands there twice', replace({ oldText: 'secret', newText: 'x' }), 'EDIT_AMBIGUOUS'],
  ['edits that overlap', replace({ oldText: 'zebra se', newText: 'x' }, { oldText: 'secret-word quagga', newText: 'y' }), 'EDIT_INVALID'],
  ['a file that is binary', replace({ oldText: 'a', newText: 'b' }), 'FS_NOT_TEXT', Buffer.from('secret-word\0')],
  ['a file in another encoding', replace({ oldText: 'a', newText: 'b' }), 'FS_ENCODING', Buffer.from('secret-word \xfc', 'latin1')],
];

for (const [what, args, code, content] of failing) {
  test(`D15 an edit outside with ${what} fails without a byte of the file, and without a question`, async (t) => {
    const session = await known(t, content);
    const outcome = await session.propose('edit_file', args);
    assert.equal(codeOf(outcome), code);
    assert.doesNotMatch(JSON.stringify([outcome, session.log.events.filter(({ type }) => type !== 'assistant')]), /zebra|quagga|okapi|0x|offset|line \d|lines \d/);
    assert.equal(session.asks.length, 0);
  });
}

test('D15 the same failure inside the workspace names the line, since reading is allowed there', async (t) => {
  const session = await sessionHost(t, { files: { 'notes.txt': secret } });
  await session.read('notes.txt');
  assert.match(textOf(await session.propose('edit_file', { path: 'notes.txt', edits: [{ oldText: 'zebra secret-wrod quagga', newText: 'x' }] })), /zebra secret-word quagga/);
});

const loud = (look: Look, raise: (text: string) => unknown) => async (): Promise<never> => {
  const { bytes } = await look.read('../outside/notes.txt');
  throw raise(Buffer.from(bytes ?? []).toString());
};
const errors: readonly (readonly [string, (text: string) => unknown, string])[] = [
  ['a plain error', (text) => new Error(text), 'INVALID_EFFECTS'], ['a text', (text) => text, 'INVALID_EFFECTS'], ['an object', (text) => ({ message: text }), 'INVALID_EFFECTS'],
  ['a coded error', (text) => new CodedError('TOOL_FAILED', text), 'TOOL_FAILED'], ['an error of the arguments', (text) => new ToolArgsError(text, [{ pointer: '', expected: text, got: text }]), 'INVALID_ARGS'],
  ['a coded error with violations', (text) => new CodedError('EDIT_INVALID', text, { violations: [{ pointer: '', expected: text, got: text }] }), 'EDIT_INVALID'],
];
for (const [what, raise, code] of errors) {
  test(`D15 a tool that throws ${what} with what it looked at outside says nothing of it`, async (t) => {
    const session = await known(t, secret, { tools: [plainTool({ effects: (_args, look) => loud(look, raise)() })] });
    const outcome = await session.propose('plain', {});
    assert.equal(codeOf(outcome), code);
    assert.doesNotMatch(JSON.stringify([outcome, session.log.events]), /secret-word/);
  });
}

test('D15 what an edit outside would change is shown to the person, and to the model only that it was denied', async (t) => {
  const session = await known(t, secret, { answer: 'denied' });
  const outcome = await session.propose('edit_file', replace({ oldText: 'okapi', newText: 'no more' }));
  assert.equal(codeOf(outcome), 'DENIED_BY_PERSON');
  assert.doesNotMatch(textOf(outcome), /secret-word/);
  assert.match(JSON.stringify(session.asks[0]?.content.diffs), /secret-word/);
});

test('D15 whether a file outside holds exactly what is written is not said', async (t) => {
  const session = await known(t);
  assert.doesNotMatch(textOf(await session.propose('write_file', { path: '../outside/notes.txt', content: secret })), /exactly this content/);
});

test('D15 an unknown file outside is not planned on', async (t) => {
  const session = await sessionHost(t, { outside: { 'notes.txt': secret } });
  const outcome = await session.propose('edit_file', replace({ oldText: 'okapi', newText: 'x' }));
  assert.equal(codeOf(outcome), 'FS_NOT_OBSERVED');
  assert.equal(session.asks.length, 0);
});

test('D15 a look that is denied denies the call, whatever the tool makes of it', async (t) => {
  const swallowing = plainTool({ name: 'swallows', effects: async (_args, look) => {
    await look.read('.env').catch(() => undefined);
    return { effects: [{ kind: 'converse', op: 'ask' }], claims: [], content: new Map() };
  } });
  const wrapping = plainTool({ name: 'wraps', effects: async (_args, look) => {
    try {
      return await look.read('.env') as never;
    } catch (cause) {
      throw new CodedError('TOOL_FAILED', 'could not look', { cause });
    }
  } });
  const session = await sessionHost(t, { files: { '.env': 'KEY=hunter2' }, tools: [swallowing, wrapping], answer: 'allowed' });
  for (const tool of ['swallows', 'wraps']) {
    const outcome = await session.propose(tool, {});
    assert.deepEqual([codeOf(outcome), outcome.verdict?.decidedBy, outcome.effects.length], ['DENIED_BY_POLICY', 'built-in: secrets', 1]);
  }
});
