import assert from 'node:assert/strict';
import type { Agent } from '../../extension/agent/loop.ts';
import { MessageSender } from '../../extension/editor/message-sender.ts';
import { MemoryObjectStore } from '../../extension/files/object-store.ts';

const png = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1').toString('base64');
const image = { mediaType: 'image/png', base64: png, thumbnail: 'data:image/png;base64,AAAA' } as const;
const message = (text: string, images: readonly (typeof image)[] = []) => ({ type: 'send', text, images, when: 'next-step' }) as const;

interface Rig {
  readonly sender: MessageSender;
  readonly sent: string[];
  readonly back: string[];
  agent: Agent | null;
}

function rig(): Rig {
  const sent: string[] = [];
  const back: string[] = [];
  const agent = { send: ({ text, images }) => { sent.push(`${text} ${images.length}`); } } as Pick<Agent, 'send'> as Agent;
  const objects = new MemoryObjectStore();
  const sender = new MessageSender({ agent: () => own.agent, objects: () => objects, readsImages: () => true, giveBack: (text) => { back.push(text); }, remember: () => undefined });
  const own: Rig = { sent, back, agent, sender };
  return own;
}

suite('sending', () => {
  test('a text alone is sent in the same tick', () => {
    const { sender, sent } = rig();
    void sender.send(message('one'));
    assert.deepEqual(sent, ['one 0']);
  });

  test('what is sent while images are kept comes after them', async () => {
    const { sender, sent } = rig();
    const first = sender.send(message('with one', [image]));
    await Promise.all([first, sender.send(message('after it'))]);
    assert.deepEqual(sent, ['with one 1', 'after it 0']);
    void sender.send(message('at once'));
    assert.equal(sent.length, 3);
  });

  test('a message whose session is gone by then comes back, and so does one that another window would have to take', async () => {
    const own = rig();
    const sending = own.sender.send(message('for the old one', [image]));
    own.agent = null;
    await sending;
    void own.sender.send(message('not here'));
    assert.deepEqual([own.sent, own.back], [[], ['for the old one', 'not here']]);
  });
});
