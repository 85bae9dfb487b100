import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { months, monthsInFull, type EditArguments } from '../../scripts/demo/sample-edits.ts';
import { copySample } from '../../scripts/demo/sample.ts';
import { playTour } from '../../scripts/demo/serve-tour.ts';
import type { Person } from '../../scripts/person.ts';
import { startSession } from './session.ts';

const session = await startSession();
after(() => session.close());

function applied(text: string, { edits }: EditArguments): string {
  return edits.reduce((result, { oldText, newText }) => result.split(oldText).join(newText), text);
}

/** The demonstration on a fresh sample, and the source that it changes: as it is on disk now, and as it was. */
async function openSample(): Promise<{ readonly person: Person; readonly source: () => Promise<string>; readonly before: string }> {
  const sample = await copySample();
  after(() => sample.remove());
  const source = (): Promise<string> => readFile(join(sample.folder, 'index.js'), 'utf8');
  const before = await source();
  session.model.setScript(playTour);
  return { person: await session.openFolder(sample.folder), source, before };
}

test('in the demonstration an allowed edit lands on disk exactly as proposed, and not before it is allowed', async () => {
  const { person, source, before } = await openSample();
  await person.say('Show me');
  const card = await person.seesCard();
  assert.match(card.title, /index\.js/);
  assert.match(card.text, /30\.4375/);
  assert.equal(await source(), before);
  await person.allow();
  await person.sees('byte for byte');
  assert.equal(await source(), applied(before, months));
});

test('in the demonstration a denial with a reason reaches the model, which proposes something else', async () => {
  const { person, source, before } = await openSample();
  await person.say('Show me');
  await person.seesCard();
  await person.deny('no abbreviations please');
  await person.sees('no abbreviations please');
  const second = await person.seesCard();
  assert.doesNotMatch(second.text, /30\.4375/);
  assert.equal(await source(), before);
  await person.allow();
  await person.sees('byte for byte');
  assert.equal(await source(), applied(before, monthsInFull));
});
