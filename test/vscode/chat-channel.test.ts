import assert from 'node:assert/strict';
import { ChatChannel } from '../../extension/editor/chat-channel.ts';
import type { ViewMessage } from '../../webview/protocol/messages.ts';

function channel(): { readonly channel: ChatChannel; readonly taken: ViewMessage[]; readonly warnings: string[] } {
  const taken: ViewMessage[] = [];
  const warnings: string[] = [];
  return { channel: new ChatChannel({ onMessage: (message) => taken.push(message), warn: (text) => warnings.push(text) }), taken, warnings };
}

suite('The channel to the view', () => {
  test('takes what is in the schema', () => {
    const { channel: chat, taken } = channel();
    chat.receive({ type: 'ready' });
    const image = { mediaType: 'image/png', base64: 'A'.repeat(2 * 1024 * 1024), thumbnail: 'data:image/png;base64,AAAA' };
    const sent = { type: 'send', text: 'hello', images: [image], when: 'next-step' };
    chat.receive(sent);
    assert.deepEqual(taken, [{ type: 'ready' }, sent]);
  });

  test('a view that has gone hears nothing, and its going takes no other view away', () => {
    const { channel: chat } = channel();
    const heard: string[] = [];
    const view = (name: string) => ({ post: () => { heard.push(name); }, isVisible: () => true, showWaiting: (count: number) => { heard.push(`${name} ${count}`); } });
    const first = chat.attach(view('first'));
    const second = chat.attach(view('second'));
    first.dispose();
    chat.post({ type: 'focus' });
    chat.showWaiting(2);
    assert.deepEqual([heard, chat.visible], [['second', 'second 2'], true]);
    second.dispose();
    chat.post({ type: 'focus' });
    assert.deepEqual([heard.length, chat.visible], [2, false]);
  });

  const digest = 'a'.repeat(64);
  const cycle: Record<string, unknown> = { type: 'ready' };
  cycle['self'] = cycle;
  const hostile: readonly (readonly [string, unknown])[] = [
    ['nothing', undefined], ['null', null], ['text', 'ready'], ['a list', [{ type: 'ready' }]], ['an unknown type', { type: 'run', command: 'rm' }],
    ['a type from the prototype', { type: 'constructor' }], ['a missing member', { type: 'answer', callId: 'c', answer: 'allow', reason: '' }],
    ['a digest that is none', { type: 'answer', callId: 'c', digest: 'x', answer: 'allow', reason: '' }],
    ['an answer that is none', { type: 'answer', callId: 'c', digest, answer: 'always', reason: '' }],
    ['a member too many', { type: 'stop', now: true }], ['a wrong type', { type: 'send', text: 7, images: [], when: 'next-step' }], ['an image that is none', { type: 'send', text: '', images: [{ mediaType: 'image/svg+xml', base64: 'AAAA', thumbnail: 'data:image/png;base64,AAAA' }], when: 'next-step' }],
    ['a thumbnail from elsewhere', { type: 'send', text: '', images: [{ mediaType: 'image/png', base64: 'AAAA', thumbnail: 'https://example.test/a.png' }], when: 'next-step' }],
    ['a message that is too large', { type: 'reply', callId: 'c', text: 'x'.repeat(2 * 1024 * 1024) }], ['a text that is too large', { type: 'send', text: 'x'.repeat(500_001), images: [], when: 'after-turn' }], ['a cycle', cycle], ['a mode that is none', { type: 'setMode', mode: 'auto' }],
  ];
  for (const [name, message] of hostile) {
    test(`drops ${name}, counts it and says why`, () => {
      const { channel: chat, taken, warnings } = channel();
      chat.receive(message);
      assert.deepEqual(taken, []);
      assert.equal(chat.droppedMessages, 1);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0] ?? '', /dropped \(1 so far\): ./);
    });
  }
});
