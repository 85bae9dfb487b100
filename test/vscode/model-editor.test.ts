import assert from 'node:assert/strict';
import {
  extensions, LanguageModelDataPart, LanguageModelError, LanguageModelTextPart, LanguageModelToolCallPart, LanguageModelToolResultPart, lm,
  type CancellationToken, type LanguageModelResponsePart, type Progress,
} from 'vscode';
import type * as Api from 'vscode';
import { sha256 } from '../../extension/boundary/digest.ts';
import { capabilitiesOfEditorModel, findEditorModels, type EditorModel } from '../../extension/editor/editor-models.ts';
import { createEditorClient, failureOf } from '../../extension/editor/model-editor-client.ts';
import type { ModelClient, ModelEvent, ModelRequest } from '../../extension/model/model-client.ts';

type Answer = (progress: Progress<LanguageModelResponsePart>, token: CancellationToken, vscode: typeof Api) => unknown;

interface Provider {
  readonly requests: { readonly model: string; readonly messages: readonly { readonly role: number; readonly content: readonly object[] }[]; readonly tools?: readonly object[] }[];
  readonly setAnswer: (answer: Answer) => void;
  readonly offer: (ids: readonly string[]) => void;
}

const list = { name: 'list_directory', description: 'Lists.', parameters: { type: 'object', properties: { path: { type: 'string' } } } } as const;
/** One pixel. */
const png = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const picture = sha256(Buffer.from(png, 'base64'));
const request: ModelRequest = {
  messages: [
    { role: 'system', text: 'Be brief.' }, { role: 'user', text: 'Look', images: [{ digest: picture, mediaType: 'image/png' }] },
    { role: 'assistant', text: 'I look.', calls: [{ id: 'c1', name: 'list_directory', arguments: '{"path":"a"}' }, { id: 'c2', name: 'list_directory', arguments: 'no json' }] },
    { role: 'tool', callId: 'c1', text: 'a.txt' }, { role: 'tool', callId: 'c2', text: 'INVALID_ARGS: no JSON' },
  ],
  tools: [list], images: new Map([[picture, png]]),
};

async function eventsOf(client: ModelClient, of = request): Promise<readonly ModelEvent[]> {
  const events: ModelEvent[] = [];
  for await (const event of client.stream(of, new AbortController().signal)) events.push(event);
  return events;
}

function kindOf(part: object): string {
  if (part instanceof LanguageModelTextPart) return 'text';
  if (part instanceof LanguageModelDataPart) return 'data';
  if (part instanceof LanguageModelToolCallPart) return 'call';
  return part instanceof LanguageModelToolResultPart ? 'result' : 'unknown';
}

suite('Models of the editor\'s own', () => {
  let provider: Provider;
  let model: EditorModel;
  let client: ModelClient;

  suiteSetup(async () => {
    const extension = extensions.getExtension<Provider>('countersign-tests.model-provider');
    assert.ok(extension, 'the provider of models is not there');
    provider = await extension.activate();
    const found = (await findEditorModels()).find(({ id }) => id === 'editor:countersign-tests/scripted');
    assert.ok(found, `the editor offers ${JSON.stringify((await lm.selectChatModels()).map(({ vendor, id }) => [vendor, id]))}`);
    model = found;
    client = createEditorClient({ chat: model.chat, label: 'it', capabilities: capabilitiesOfEditorModel(model.chat, []) });
  });

  test('are found without being set up, but for those that cannot call tools', async () => {
    const ids = (await findEditorModels()).map(({ id }) => id).filter((id) => id.startsWith('editor:countersign-tests/'));
    assert.deepEqual(ids, ['editor:countersign-tests/scripted']);
    assert.deepEqual([model.label, model.detail], ['Scripted', 'countersign-tests']);
    const { contextTokens, images } = client.capabilities;
    assert.deepEqual({ contextTokens, images }, { contextTokens: 12345, images: true });
  });

  test('a turn with a call goes through: text, then the call with its arguments as text', async () => {
    provider.setAnswer((progress, _token, vscode) => {
      progress.report(new vscode.LanguageModelTextPart('I look '));
      progress.report(new vscode.LanguageModelTextPart('again.'));
      progress.report(new vscode.LanguageModelToolCallPart('c3', 'list_directory', { path: 'b', deep: { n: 1 } }));
    });
    const events = await eventsOf(client);
    assert.equal(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join(''), 'I look again.');
    assert.deepEqual(events.at(-1), { type: 'finished', reason: 'tool-calls', calls: [{ id: 'c3', name: 'list_directory', arguments: '{"path":"b","deep":{"n":1}}' }], usage: null });
    assert.deepEqual(events.find(({ type }) => type === 'call-started'), { type: 'call-started', index: 0, id: 'c3', name: 'list_directory' });
  });

  test('the provider gets the messages in their order, with calls, results, images and tools', async () => {
    provider.setAnswer((progress, _token, vscode) => progress.report(new vscode.LanguageModelTextPart('Done.')));
    provider.requests.length = 0;
    await eventsOf(client);
    const [sent] = provider.requests;
    assert.deepEqual(sent?.messages.map(({ role, content }) => [role, content.map(kindOf)]), [
      [1, ['text']], [1, ['text', 'data']], [2, ['text', 'call', 'call']], [1, ['result', 'result']],
    ]);
    const calls = sent?.messages[2]?.content.slice(1).map((part) => ('input' in part ? part.input : null));
    assert.deepEqual(calls, [{ path: 'a' }, { not_json: 'no json' }]);
    assert.deepEqual(sent?.tools, [{ name: 'list_directory', description: 'Lists.', inputSchema: list.parameters }]);
    assert.match(client.bodyOf(request), /"Be brief\."/);
  });

  test('an error of the provider\'s becomes a failure with what to do, and none is thrown', async () => {
    provider.setAnswer(() => { throw new Error('Rate limit exceeded'); });
    const last = (await eventsOf(client)).at(-1);
    assert.ok(last?.type === 'failed');
    assert.deepEqual([last.failure.kind, last.failure.retryable], ['busy', true]);
    assert.match(last.failure.message, /Scripted is busy\. It says: .*Rate limit exceeded.*try again/);
  });

  test('each of the editor\'s codes says what to do', () => {
    const kinds = [LanguageModelError.NoPermissions('no'), LanguageModelError.NotFound('gone'), LanguageModelError.Blocked('quota'), new Error('the prompt is too long'), new Error('odd')].map((error) => {
      const { kind, message } = failureOf(error, 'M');
      assert.match(message, /Allow|Choose|choose|Start/);
      return kind;
    });
    assert.deepEqual(kinds, ['key', 'not-found', 'busy', 'too-long', 'server']);
  });

  test('an image that the editor cannot read is said to be one', async () => {
    const last = (await eventsOf(client, { ...request, images: new Map([[picture, Buffer.from('no picture').toString('base64')]]) })).at(-1);
    assert.ok(last?.type === 'failed');
    assert.match(last.failure.message, /could not read an image/);
  });

  test('an empty answer is no answer', async () => {
    provider.setAnswer(() => {});
    const last = (await eventsOf(client)).at(-1);
    assert.equal(last?.type === 'failed' && last.failure.kind, 'broken-stream');
  });

  test('a stop reaches the provider, and ends the stream', async () => {
    const stop = new AbortController();
    const cancelled = new Promise<void>((resolve) => {
      provider.setAnswer((progress, token, vscode) => new Promise<void>((end) => {
        token.onCancellationRequested(() => { resolve(); end(); });
        progress.report(new vscode.LanguageModelTextPart('I begin'));
      }));
    });
    const events: ModelEvent[] = [];
    for await (const event of client.stream(request, stop.signal)) {
      events.push(event);
      stop.abort();
    }
    await cancelled;
    const last = events.at(-1);
    assert.equal(last?.type === 'failed' && last.failure.kind, 'aborted');
  });
});
