import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { canonicalForeign, foreignParent, isForeign, isForeignName, isForeignPath, namesIn } from '../../../extension/boundary/foreign-path.ts';

suite('paths off the disk', () => {
  test('a text with a scheme and an authority is one, and a path of the disk or of a result is none', () => {
    const texts = {
      'memfs://host/a': true, 'vscode-vfs://github/o/r': true, 'x+y.z-1://h/a': true, 'memfs:///a': true, 'MEMFS://host/a': true, 'http://h/a': true,
      '/memfs://host/a': false, 'C:/a': false, 'C://a': false, 'c:\\a': false, 'src/a': false, './memfs://host/a': false, 'memfs:/a': false, '1x://h/a': false, '': false,
      'file:///a': false, 'FILE:///a': false, 'countersign-result:c1': false, 'countersign-result://c1/a': false,
    };
    assert.deepEqual(Object.fromEntries(Object.keys(texts).map((text) => [text, isForeign(text)])), texts);
  });

  test('there is one way to write each', () => {
    const texts = {
      'memfs://host/a/b': 'memfs://host/a/b', 'memfs://host//a/./b/': 'memfs://host/a/b', 'memfs://host/a/../b': 'memfs://host/b', 'memfs://host/../../b': 'memfs://host/b',
      'memfs://host': 'memfs://host/', 'memfs://host/..': 'memfs://host/', 'memfs:///a': 'memfs:///a', 'memfs://host/ü 100%': 'memfs://host/ü 100%',
    };
    assert.deepEqual(Object.fromEntries(Object.keys(texts).map((text) => [text, canonicalForeign(text)])), texts);
    for (const [text, canonical] of Object.entries(texts)) assert.deepEqual([isForeignPath(canonical), isForeignPath(text)], [true, text === canonical], text);
  });

  test('what a file system could read as another path is none', () => {
    for (const text of ['memfs://h/%2eenv', 'memfs://h/a%2Fb', 'memfs://h/a?b', 'memfs://h/a#b', 'memfs://h/a\\b', 'memfs://h/a\0', 'memfs://h/a\n', 'memfs://h/\ud800', 'memfs://h/\ufffd', `memfs://h/${'a'.repeat(4096)}`, 'memfs://h%2f/a']) {
      assert.deepEqual([isForeign(text), canonicalForeign(text), isForeignPath(text)], [true, null, false], JSON.stringify(text));
    }
    for (const name of ['', '.', '..', 'a/b', '../x', 'a\\b', 'a?', 'a#', '%2e%2e', 'a\0']) assert.equal(isForeignName(name), false, JSON.stringify(name));
    for (const name of ['a', '.env', '100%', 'ü', 'a b', '...']) assert.equal(isForeignName(name), true, name);
  });

  test('the folder above ends at the authority', () => {
    assert.deepEqual(['memfs://h/a/b', 'memfs://h/a', 'memfs://h/', 'memfs:///a'].map(foreignParent), ['memfs://h/a', 'memfs://h/', 'memfs://h/', 'memfs:///']);
    assert.deepEqual(['memfs://h/a/b', 'memfs:///a'].map(namesIn), ['/a/b', '/a']);
  });
});
