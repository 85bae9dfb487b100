import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Person } from '../../scripts/person.ts';
import { flatPng, noisyPng, pngSize } from '../../scripts/png.ts';
import { say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

const models = ['seeing', 'blind'].map((model) => ({ protocol: 'openai-chat', model }));
const session = await startSession({ settings: { 'countersign.modelCapabilities': { seeing: { images: true }, blind: { images: false } } } });
after(() => session.close());
await session.server.changeSettings({ 'countersign.models': models.map((model) => ({ ...model, baseUrl: session.model.baseUrl })) });

/** Gives a file to the chat as the browser does when it is pasted or dropped. */
async function give(person: Person, way: 'paste' | 'drop', name: string, bytes: Uint8Array): Promise<void> {
  await (await person.frame()).evaluate(([how, label, base64]) => {
    const data = new DataTransfer();
    data.items.add(new File([Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))], label, { type: 'image/png' }));
    const options = { bubbles: true, cancelable: true };
    if (how === 'paste') document.querySelector('.composer textarea')?.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, ...options }));
    else document.querySelector('main')?.dispatchEvent(new DragEvent('drop', { dataTransfer: data, ...options }));
  }, [way, name, Buffer.from(bytes).toString('base64')] as const);
}

async function draftImages(person: Person, count: number): Promise<void> {
  await (await person.frame()).waitForFunction((wanted) => document.querySelectorAll('.draft-images img').length === wanted && document.querySelector('.draft-images .reading') === null, count);
}

/** The images of the last request, as bytes. */
function sentImages(): readonly Buffer[] {
  const urls = (session.model.requests.at(-1)?.raw ?? '').matchAll(/data:(image\/\w+);base64,([A-Za-z0-9+/=]+)/g);
  return [...urls].map(([, , base64]) => Buffer.from(base64 ?? '', 'base64'));
}

/** Whether the pictures in the chat are really drawn. */
async function drawnInChat(person: Person): Promise<readonly boolean[]> {
  return (await person.frame()).locator('.user .thumbnails img').evaluateAll((all) => Promise.all(all.map(async (image) => {
    if (!(image instanceof HTMLImageElement)) return false;
    await image.decode();
    return image.naturalWidth > 0;
  })));
}

const red = flatPng(60, 40, [200, 30, 30]);
const blue = flatPng(50, 50, [30, 60, 200]);

test('images are pasted and dropped, seen small, taken out again, and sent as they were; the chat shows them, also after a reload', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  await person.chooseModel('seeing');
  session.model.setScript(scriptOf([say('I see a red one.'), say('I still see it.')]));
  await give(person, 'paste', 'red.png', red);
  await draftImages(person, 1);
  await give(person, 'drop', 'blue.png', blue);
  await draftImages(person, 2);
  await person.pressButton(/^Remove blue\.png/);
  await draftImages(person, 1);
  await person.say('What is this?');
  await person.sees('I see a red one.');
  assert.equal(await person.draft(), '');
  assert.deepEqual(sentImages(), [red], 'the bytes of the file, as they were');
  assert.deepEqual(await drawnInChat(person), [true]);

  await person.reload();
  await person.sees('I see a red one.');
  assert.deepEqual(await drawnInChat(person), [true]);
  await person.say('And now?');
  await person.sees('I still see it.');
  assert.deepEqual(sentImages(), [red], 'the model has it with every request');
});

test('a model that reads no images is not sent any: it is said, and nothing of the message is lost', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  await person.chooseModel('blind');
  const before = session.model.requests.length;
  await give(person, 'paste', 'red.png', red);
  await draftImages(person, 1);
  await person.type('What is this?');
  await person.sees('blind reads no images. Remove them, or choose another model.');
  await person.press('Enter');
  assert.equal(await person.draft(), 'What is this?');
  await draftImages(person, 1);
  assert.equal(session.model.requests.length, before);
  session.model.setScript(scriptOf([say('A red one.')]));
  await person.chooseModel('seeing');
  await (await person.frame()).locator('.composer textarea').press('Enter');
  await person.sees('A red one.');
  assert.deepEqual(sentImages(), [red]);
});

test('a large image is made smaller; what is no image, and what the server does not take, is said', async () => {
  const { person } = await session.open({ 'a.txt': 'one\n' });
  await person.chooseModel('seeing');
  session.model.setScript(scriptOf([say('A wide one.'), say('Never said.')]));
  await give(person, 'paste', 'wide.png', flatPng(4000, 1000, [10, 120, 60]));
  await draftImages(person, 1);
  await person.say('How wide is it?');
  await person.sees('A wide one.');
  assert.deepEqual(sentImages().map(pngSize), [[1568, 392]]);

  await give(person, 'drop', 'broken.png', Buffer.from('this is no picture'));
  await person.sees('broken.png could not be read as an image. Save it as PNG or JPEG and add it again.');
  await draftImages(person, 0);

  await give(person, 'drop', 'noise.png', noisyPng(700, 700));
  await draftImages(person, 1);
  await person.say('And this one?');
  await person.sees(/The server does not take an image of this conversation \(400\)[^]*send a smaller image/);
});
