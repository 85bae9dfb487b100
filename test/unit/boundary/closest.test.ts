import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { closestNames } from '../../../extension/boundary/closest.ts';

const tools = ['read_file', 'list_directory', 'find_files', 'search_text', 'edit_file', 'write_file', 'ask_user'];

test('B6 a misspelt name is answered with the one that was meant, first', () => {
  const cases: readonly (readonly [string, readonly string[], string])[] = [
    ['read_flie', tools, 'read_file'], ['readfile', tools, 'read_file'], ['ReadFile', tools, 'read_file'], ['read-file', tools, 'read_file'], ['READ_FILE', tools, 'read_file'], ['raed_file', tools, 'read_file'], ['read_fil', tools, 'read_file'],
    ['search_txt', tools, 'search_text'], ['searchText', tools, 'search_text'], ['list_directories', tools, 'list_directory'], ['ask_usr', tools, 'ask_user'], ['file_path', ['path', 'filePath', 'content'], 'filePath'], ['pth', ['path', 'content'], 'path'],
    ['old_text', ['newText', 'oldText'], 'oldText'], ['paht', ['content', 'path'], 'path'],
  ];
  for (const [wrong, known, meant] of cases) assert.equal(closestNames(wrong, known)[0], meant, wrong);
});

test('nothing is offered where nothing is near', () => {
  assert.deepEqual(closestNames('deploy_to_production', tools), []);
  assert.deepEqual(closestNames('', tools), []);
  assert.deepEqual(closestNames('x', []), []);
});

test('the best come first, equal ones by name, and no more than asked for', () => {
  assert.deepEqual(closestNames('aa', ['ab', 'aa', 'ac', 'ad']), ['aa', 'ab', 'ac']);
  assert.deepEqual(closestNames('aa', ['ab', 'aa'], 1), ['aa']);
  assert.deepEqual(closestNames('rite_file', ['edit_file', 'write_file']), ['write_file', 'edit_file']);
});

test('B7 names of any kind and length are compared without a crash', () => {
  for (const name of ['__proto__', 'constructor', 'toString', '\0', '\ud800', '😀'.repeat(100), 'a'.repeat(1024 * 1024), '../../etc/passwd']) assert.ok(closestNames(name, [...tools, '__proto__', 'a'.repeat(500_000)]).length <= 3);
  assert.deepEqual(closestNames('__proto_', ['__proto__']), ['__proto__']);
});

test('what is offered is always one of the known names, and a known name is offered for itself', () => {
  fc.assert(fc.property(fc.string(), fc.array(fc.string({ minLength: 1, maxLength: 80 })), (wrong, known) => {
    for (const name of closestNames(wrong, known)) assert.ok(known.includes(name));
    const [first] = known;
    if (first !== undefined) assert.ok(closestNames(first, [first]).includes(first));
  }));
});
