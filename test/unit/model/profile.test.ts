import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { readProfiles } from '../../../extension/model/profile.ts';

const problemsOf = (value: unknown): readonly string[] => readProfiles(value).problems.map(({ place, message }) => `${place}: ${message}`);
const idsOf = (value: unknown): readonly string[] => readProfiles(value).profiles.map(({ id }) => id);

test('a protocol and a name are enough: the address is the provider\'s', () => {
  const { profiles, problems } = readProfiles([
    { protocol: 'openai-chat', model: 'gpt-5' }, { protocol: 'openai-responses', model: 'gpt-5' }, { protocol: 'anthropic', model: 'claude-x' }, { protocol: 'gemini', model: 'gemini-x' },
  ]);
  assert.deepEqual(problems, []);
  assert.deepEqual(profiles.map(({ id, label, baseUrl, thinking }) => [id, label, baseUrl, thinking]), [
    ['openai-chat:api.openai.com/gpt-5', 'gpt-5', 'https://api.openai.com/v1', 'off'],
    ['openai-responses:api.openai.com/gpt-5', 'gpt-5', 'https://api.openai.com/v1', 'off'],
    ['anthropic:api.anthropic.com/claude-x', 'claude-x', 'https://api.anthropic.com/v1', 'off'],
    ['gemini:generativelanguage.googleapis.com/gemini-x', 'gemini-x', 'https://generativelanguage.googleapis.com/v1beta', 'off'],
  ]);
});

test('all that is written counts', () => {
  const written = { id: 'mine', label: 'My model', protocol: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1', model: 'qwen3', thinking: 'high' };
  assert.deepEqual(readProfiles([written]).profiles, [written]);
});

test('a wrong entry is left out alone, and said with its place and what was expected', () => {
  const { profiles } = readProfiles([{ protocol: 'openai-chat', model: 'a' }, { protocol: 'openai', model: 'b' }, { protocol: 'gemini', model: 'c' }]);
  assert.deepEqual(profiles.map(({ model }) => model), ['a', 'c']);
  const cases: readonly (readonly [unknown, RegExp])[] = [
    [{ protocol: 'openai', model: 'b' }, /^countersign\.models\[0\]\.protocol: one of openai-chat/],
    [{ protocol: 'demonstration', model: 'b' }, /\.protocol: one of openai-chat/],
    [{ protocol: 'gemini' }, /\.model: the model's name/],
    [{ protocol: 'gemini', model: '  ' }, /\.model:/],
    [{ protocol: 'gemini', model: 'a\nb' }, /\.model:/],
    [{ protocol: 'gemini', model: 'b', thinking: true }, /\.thinking: one of off, low, medium, high/],
    [{ protocol: 'gemini', model: 'b', baseUrl: 7 }, /\.baseUrl: an address was expected/],
    [{ protocol: 'gemini', model: 'b', baseUrl: 'localhost' }, /\.baseUrl: .*no URL/],
    [{ protocol: 'gemini', model: 'b', baseUrl: 'https://me:secret@x.example/v1' }, /\.baseUrl: .*user name or password/],
    [{ protocol: 'gemini', model: 'b', id: 'demonstration' }, /\.id: .*taken/],
    [{ protocol: 'gemini', model: 'b', id: 'editor:x' }, /\.id: .*taken/],
    [{ protocol: 'gemini', model: 'b', id: '' }, /\.id:/],
    ['gpt-5', /^countersign\.models\[0\]: a model was expected/],
    [null, /a model was expected/],
    [[], /a model was expected/],
  ];
  for (const [entry, expected] of cases) {
    assert.match(problemsOf([entry]).join(), expected);
    assert.deepEqual(readProfiles([entry]).profiles, []);
  }
});

test('an address under a misspelt name does not become the default one', () => {
  assert.match(problemsOf([{ protocol: 'openai-chat', model: 'a', baseURL: 'http://127.0.0.1:1/v1' }]).join(), /models\[0\]\.baseURL: there is no such field/);
  assert.deepEqual(idsOf([{ protocol: 'openai-chat', model: 'a', baseURL: 'http://127.0.0.1:1/v1' }]), []);
});

test('a secret in an address is not repeated', () => {
  assert.doesNotMatch(problemsOf([{ protocol: 'gemini', model: 'b', baseUrl: 'https://me:hunter2@x.example/v1' }]).join(), /hunter2/);
});

test('ids are unique, and those that were given keep theirs', () => {
  const same = { protocol: 'openai-chat', model: 'a' };
  assert.deepEqual(idsOf([same, same, { ...same, id: 'openai-chat:api.openai.com/a' }]), ['openai-chat:api.openai.com/a#2', 'openai-chat:api.openai.com/a#3', 'openai-chat:api.openai.com/a']);
  assert.deepEqual(idsOf([{ ...same, id: 'x' }, { ...same, id: 'x' }]), ['x']);
  assert.match(problemsOf([{ ...same, id: 'x' }, { ...same, id: 'x' }]).join(), /models\[1\]\.id: “x” is the id of a model before it/);
});

test('a long id is shortened to one of its own', () => {
  const long = (end: string): object => ({ protocol: 'openai-chat', model: `${'m'.repeat(290)}${end}` });
  const [one = '', two = ''] = idsOf([long('1'), long('2')]);
  assert.ok(one.length <= 200 && two.length <= 200 && one !== two);
});

test('nothing set is no problem; a setting of another type is one', () => {
  assert.deepEqual(readProfiles(undefined), { profiles: [], problems: [] });
  for (const value of ['x', 7, true, {}]) assert.match(problemsOf(value).join(), /^countersign\.models: a list of models was expected/);
});

test('whatever the setting holds, reading it does not throw, and ids stay unique', () => {
  const name = fc.constantFrom('id', 'label', 'protocol', 'baseUrl', 'model', 'thinking', '__proto__', 'x');
  const field = fc.oneof(fc.string(), fc.constantFrom('openai-chat', 'gemini', 'a', 'high', 'http://x/v1', 'https://a:b@c'), fc.jsonValue());
  fc.assert(fc.property(fc.oneof(fc.jsonValue(), fc.array(fc.dictionary(name, field))), (value) => {
    const { profiles } = readProfiles(value);
    assert.equal(new Set(profiles.map(({ id }) => id)).size, profiles.length);
  }), { numRuns: 500 });
});
