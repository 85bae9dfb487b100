import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe } from 'node:test';
import { maxThumbnail } from '../../webview/protocol/messages.ts';
import type { ChatPage } from './chat-page.ts';
import { composer, inChat, show } from './in-chat.ts';
import { assistant, models, thumbnail, user } from './scenes.ts';

interface Picture {
  readonly name: string;
  readonly width: number;
  readonly height: number;
  readonly type: 'image/png' | 'image/jpeg';
  /** `flat` is one colour, `noise` compresses badly, and so does `glass`, which one sees through. */
  readonly look: 'flat' | 'glass' | 'noise';
}

/** Draws a picture in the page and gives it to the view as a paste or a drop does. */
function give(chat: ChatPage, way: 'paste' | 'drop', pictures: readonly Picture[], text = ''): Promise<void> {
  return chat.page.evaluate(async ([how, all, words]) => {
    const data = new DataTransfer();
    if (words !== '') data.setData('text/plain', words);
    for (const { name, width, height, type, look } of all) {
      const canvas = new OffscreenCanvas(width, height);
      const context = canvas.getContext('2d');
      if (context === null) throw new Error('no canvas');
      if (look !== 'flat') {
        const pixels = context.createImageData(width, height);
        for (let n = 0; n < pixels.data.length; n += 65_536) crypto.getRandomValues(pixels.data.subarray(n, n + 65_536));
        if (look === 'noise') for (let n = 3; n < pixels.data.length; n += 4) pixels.data[n] = 255;
        context.putImageData(pixels, 0, 0);
      } else {
        context.fillStyle = 'rgb(200, 0, 0)';
        context.fillRect(0, 0, width, height);
      }
      data.items.add(new File([await canvas.convertToBlob({ type })], name, { type }));
    }
    const field = document.querySelector('.composer-input');
    if (how === 'paste') field?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    else document.querySelector('.view')?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
  }, [way, pictures, text] as const);
}

const small: Picture = { name: 'small.png', width: 40, height: 20, type: 'image/png', look: 'flat' };
const shown = (chat: ChatPage, count: number): Promise<void> => chat.page.waitForFunction((wanted) => document.querySelectorAll('.draft-images img').length === wanted, count).then(() => undefined);

/** The size of what was sent, as a browser decodes it. */
async function sentSizes(chat: ChatPage): Promise<readonly (readonly [type: string, width: number, height: number])[]> {
  return chat.page.evaluate(async () => {
    const message = window.posted.find(({ type }) => type === 'send');
    if (message?.type !== 'send') return [];
    return Promise.all(message.images.map(async ({ base64, mediaType }) => {
      const bitmap = await createImageBitmap(new Blob([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))]));
      return [mediaType, bitmap.width, bitmap.height] as const;
    }));
  });
}

describe('images of a message', () => {
  inChat('come by paste, drop and button, show small, and are sent with the text', async (chat) => {
    await show(chat, []);
    await give(chat, 'paste', [small]);
    await shown(chat, 1);
    await give(chat, 'drop', [{ ...small, name: 'dropped.png' }]);
    await shown(chat, 2);
    await chat.page.locator('.file-input').setInputFiles({ name: 'chosen.png', mimeType: 'image/png', buffer: Buffer.from(thumbnail.slice(22), 'base64') });
    await shown(chat, 3);
    assert.deepEqual(await chat.page.locator('.draft-images img').evaluateAll((all) => all.map((image) => image.getAttribute('alt')?.split(',')[0])), ['small.png', 'dropped.png', 'chosen.png']);
    await composer(chat).fill('Look');
    await composer(chat).press('Enter');
    const [message] = await chat.postedOf('send');
    assert.equal(message?.text, 'Look');
    assert.equal(message?.images[2]?.base64, thumbnail.slice(22), 'what fits goes out as it is');
    for (const image of message?.images ?? []) assert.match(image.thumbnail, /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]+={0,2}$/);
    assert.equal(await chat.page.locator('.draft-images').count(), 0);
  });

  inChat('are made smaller where they are large: PNG where small or transparent, JPEG else', async (chat) => {
    await show(chat, []);
    await give(chat, 'paste', [
      { name: 'wide.png', width: 4000, height: 1000, type: 'image/png', look: 'flat' },
      { name: 'glass.png', width: 2000, height: 400, type: 'image/png', look: 'glass' },
      { name: 'noise.png', width: 2400, height: 1200, type: 'image/png', look: 'noise' },
    ]);
    await shown(chat, 3);
    await composer(chat).press('Enter');
    assert.deepEqual(await sentSizes(chat), [['image/png', 1568, 392], ['image/png', 1568, 314], ['image/jpeg', 1568, 784]]);
    const [message] = await chat.postedOf('send');
    for (const image of message?.images ?? []) assert.ok(image.thumbnail.length <= maxThumbnail);
  });

  inChat('that are none are refused with words, and nothing that was written is lost', async (chat) => {
    await show(chat, []);
    await composer(chat).fill('half a thought');
    await chat.page.locator('.file-input').setInputFiles([
      { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') },
      { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') },
    ]);
    await chat.page.getByText('notes.txt is no image.').waitFor();
    await chat.page.getByText('broken.png could not be read as an image.').waitFor();
    assert.equal(await chat.page.locator('.draft-images').count(), 0);
    assert.equal(await composer(chat).inputValue(), 'half a thought');
    await composer(chat).press('Enter');
    assert.deepEqual(await chat.postedOf('send'), [{ type: 'send', text: 'half a thought', images: [], when: 'next-step' }]);
  });

  inChat('are eight at most, and each can be taken out', async (chat) => {
    await show(chat, []);
    await give(chat, 'paste', Array.from({ length: 10 }, (_, n) => ({ ...small, name: `${n}.png` })));
    await shown(chat, 8);
    await chat.page.getByText('A message holds 8 images: 2 were left out.').waitFor();
    await chat.page.getByRole('button', { name: /^Remove 3\.png/ }).click();
    await shown(chat, 7);
    await give(chat, 'paste', [small]);
    await shown(chat, 8);
    assert.equal(await chat.page.getByText('left out').count(), 0);
  });

  inChat('are not what a word processor puts beside its text', async (chat) => {
    await show(chat, []);
    await give(chat, 'paste', [{ ...small, name: 'image.png' }], 'a copied table');
    await give(chat, 'paste', [{ ...small, name: 'shot.png' }], 'shot.png');
    await shown(chat, 1);
    await chat.page.locator('img[alt^="shot.png"]').waitFor();
  });

  inChat('wait for a model that reads them, and the send button says why', async (chat) => {
    await show(chat, [], {}, { models: { ...models, current: 'qwen' } });
    await give(chat, 'paste', [small]);
    await shown(chat, 1);
    await chat.page.getByText('qwen3-coder reads no images. Remove them, or choose another model.').waitFor();
    await composer(chat).press('Enter');
    const send = chat.page.getByRole('button', { name: 'Send: qwen3-coder reads no images.' });
    assert.equal(await send.getAttribute('aria-disabled'), 'true');
    await send.dispatchEvent('click');
    assert.deepEqual(await chat.postedOf('send'), []);
    await chat.sendValid({ type: 'models', models });
    await chat.page.getByRole('button', { name: 'Send (Enter)' }).click();
    assert.equal((await chat.postedOf('send'))[0]?.images.length, 1);
  });

  inChat('come back with a message that could not be sent', async (chat) => {
    await show(chat, []);
    await give(chat, 'paste', [small]);
    await shown(chat, 1);
    await composer(chat).fill('Look');
    await composer(chat).press('Enter');
    await composer(chat).fill('and then');
    await chat.sendValid({ type: 'sendRefused', text: 'Look', why: 'The log cannot be written.' });
    await chat.page.getByRole('alert').filter({ hasText: 'Not sent: The log cannot be written.' }).waitFor();
    assert.equal(await composer(chat).inputValue(), 'Look\n\nand then');
    await shown(chat, 1);
  });

  inChat('of a waiting message that are not here any more are asked for again', async (chat) => {
    await show(chat, [user('q', 'Look', { queued: 'after-turn', images: [{ thumbnail, label: 'image/png, 1 kB' }] })], { activity: 'streaming' });
    await chat.page.getByRole('button', { name: 'Edit' }).click();
    await chat.sendValid({ type: 'remove', id: 'q' }, { type: 'sendRefused', text: 'Look', why: '' });
    await chat.page.getByRole('alert').filter({ hasText: 'add them again' }).waitFor();
    await give(chat, 'paste', [small]);
    await shown(chat, 1);
    assert.equal(await chat.page.getByText('add them again').count(), 0);
  });

  inChat('that were sent stand in the conversation by their thumbnails', async (chat) => {
    await show(chat, [user('u', 'Look', { images: [{ thumbnail, label: 'image/png, 1 kB' }] }), assistant('a', 'I see.')]);
    const image = chat.page.getByRole('img', { name: 'image/png, 1 kB' });
    assert.equal(await image.evaluate((element: HTMLImageElement) => element.decode().then(() => element.naturalWidth)), 2);
    assert.match(await readFile('extension/editor/chat-page.ts', 'utf8'), /img-src data:`/, 'the policy of the editor lets them be drawn');
  });
});
