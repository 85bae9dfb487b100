import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { root } from '../../scripts/project-paths.ts';
import { call, propose, say } from '../model-server/replies.ts';
import { scriptOf } from '../model-server/server.ts';
import { startSession } from './session.ts';

/** A real package: its sources, types and papers. */
const names = ['package.json', 'README.md', 'CHANGELOG.md', 'lib/esm/main.js', 'lib/esm/main.d.ts', 'lib/esm/impl/scanner.js', 'lib/esm/impl/parser.js', 'lib/esm/impl/format.js', 'lib/esm/impl/edit.js'] as const;
const original = new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(root, 'node_modules/jsonc-parser', name), 'utf8')] as const)));
const textOf = (name: (typeof names)[number]): string => original.get(name) ?? '';
const renamed = (name: (typeof names)[number]): string => textOf(name).replaceAll('createScanner', 'createTokenizer');

const session = await startSession({ settings: { 'countersign.policy.rules': [{ tool: 'edit_file', path: 'README.md', decision: 'allow', reason: 'the README is not code' }] } });
after(() => session.close());

const rename = (path: string) => call('edit_file', { path, edits: [{ oldText: 'createScanner', newText: 'createTokenizer', replaceAll: true }] });
const news = { path: 'CHANGELOG.md', edits: [{ oldText: '3.3.0 2022-06-24\n', newText: '4.0.0\n- `createScanner` is called `createTokenizer`\n\n3.3.0 2022-06-24\n' }] };

test('a function of a real package is renamed over its files: by the card, in the diff, by a rule; one denied, one taken back', async () => {
  assert.match(textOf('CHANGELOG.md'), /3\.3\.0 2022-06-24\n/);
  const { person, workspace } = await session.open(Object.fromEntries(original));
  const touched = ['lib/esm/impl/scanner.js', 'lib/esm/impl/parser.js', 'lib/esm/impl/format.js', 'lib/esm/main.js', 'lib/esm/main.d.ts', 'README.md', 'CHANGELOG.md'];
  session.model.setScript(scriptOf([
    propose(call('search_text', { query: 'createScanner' }), call('list_directory', { path: 'lib/esm' })),
    propose(...touched.map((path) => call('read_file', { path }))),
    propose(rename('lib/esm/impl/scanner.js'), rename('lib/esm/impl/parser.js')),
    propose(rename('lib/esm/impl/format.js')),
    propose(rename('lib/esm/main.js'), rename('lib/esm/main.d.ts')),
    propose(rename('README.md'), call('edit_file', news)),
    say('It is called createTokenizer now; the changelog is as it was.'), say('Then format.js stays as it was.'),
  ]));
  await person.say('Rename createScanner to createTokenizer everywhere');

  assert.match((await person.seesCard()).title, /scanner\.js/);
  await person.allow();
  const parser = await person.seesCard();
  assert.match(parser.title, /parser\.js/);
  assert.equal(parser.diff.filter((line) => line.startsWith('+')).length, 3);
  await person.openDiff();
  await person.allowInDiff();
  for (const name of ['format.js', 'main.js', 'main.d.ts']) {
    await person.sees(`Edit lib/esm/${name.startsWith('main') ? '' : 'impl/'}${name}`);
    await person.allow();
  }
  const denied = await person.seesCard();
  assert.match(denied.title, /CHANGELOG\.md/, 'the README was changed by the rule');
  await person.deny('The changelog is written at a release');
  await person.sees('the changelog is as it was.');
  await person.idle();

  await person.undo('format.js');
  assert.match((await person.seesCard()).title, /Undo changes of format\.js/);
  await person.allow();
  await person.seesCall('Undo changes of format.js', /undone/);
  await person.say('I keep the old name in format.js');
  await person.sees('Then format.js stays as it was.');

  const expected = new Map(names.map((name) => [name, name.startsWith('lib/') && name !== 'lib/esm/impl/format.js' || name === 'README.md' ? renamed(name) : textOf(name)]));
  for (const [name, text] of expected) assert.equal(await workspace.text(name), text, name);
  const told = session.model.requests.at(-1)?.raw ?? '';
  assert.match(told, /DENIED_BY_PERSON[^"]*The changelog is written at a release/);
  assert.match(told, /\[I undid changes of yours[^\]]*\]\\nUndone: lib\/esm\/impl\/format\.js \(as it was before\)/);
  assert.match(told, /lib\/esm\/impl\/scanner\.js[^"]*createScanner/, 'what the search found');
});
