import assert from 'node:assert/strict';
import { test } from 'node:test';
import { packagedFiles } from '../../scripts/package.ts';

/** Source, tests, caches and maps have no place in what people install. */
const expected = /^(?:package\.json|README\.md|CHANGELOG\.md|SECURITY\.md|LICENSE(?:\.txt)?|media\/(?:icon\.png|countersign\.svg)|dist\/(?:package\.json|headless\.js|[a-z-]+\.cjs|THIRD-PARTY-NOTICES\.txt|webview\/[a-z-]+\.(?:js|css)))$/;

test('the package holds what the extension needs to run and nothing else', async () => {
  const files = await packagedFiles();
  assert.deepEqual(files.filter((file) => !expected.test(file)), []);
  for (const needed of ['package.json', 'dist/package.json', 'dist/main.cjs', 'dist/webview/chat.js', 'dist/webview/chat.css', 'dist/THIRD-PARTY-NOTICES.txt', 'media/icon.png', 'media/countersign.svg']) {
    assert.ok(files.includes(needed), `${needed} is not in the package`);
  }
});
