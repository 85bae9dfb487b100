import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { capabilitiesOf, matchesName, readCapabilities } from '../../../extension/model/capabilities.ts';

const remote = { protocol: 'openai-chat', baseUrl: 'https://api.example.com/v1' } as const;
const local = { protocol: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1' } as const;

test('a family is known by the last part of its name, whatever the case', () => {
  const cases: readonly (readonly [string, boolean, number])[] = [
    ['gpt-5', true, 400_000], ['openai/gpt-5-mini', true, 400_000], ['GPT-4.1', true, 1_047_576], ['gpt-oss:20b', false, 131_072], ['o3', true, 200_000],
    ['claude-sonnet-4-5-20250929', true, 200_000], ['anthropic/claude-opus-4.6', true, 1_000_000], ['claude-opus-4-20250514', true, 200_000], ['claude-opus-5', true, 1_000_000],
    ['models/gemini-2.5-pro', true, 1_048_576], ['qwen3-coder:480b', false, 262_144], ['Qwen/Qwen2.5-VL-72B', true, 131_072], ['deepseek-chat', false, 128_000],
    ['meta-llama/Llama-3.3-70B-Instruct', false, 128_000], ['mistral-medium-latest', true, 128_000], ['devstral-small', false, 128_000],
  ];
  assert.deepEqual(cases.map(([model]) => { const found = capabilitiesOf({ ...remote, model }); return [model, found.images, found.contextTokens]; }), cases);
});

test('of a model that nobody knows, little is believed', () => {
  assert.deepEqual(capabilitiesOf({ ...remote, model: 'x' }), { images: false, parallelCalls: true, thinking: false, contextTokens: 128_000, outputTokens: 8192 });
});

test('a server on this machine takes less than the model could', () => {
  assert.equal(capabilitiesOf({ ...local, model: 'qwen3-coder:30b' }).contextTokens, 32_768);
  assert.equal(capabilitiesOf({ ...local, model: 'x' }).contextTokens, 32_768);
  assert.equal(capabilitiesOf({ ...local, model: 'llama3:8b' }).contextTokens, 8192);
});

test('what the person\'s table says counts before all else, field by field', () => {
  const { extension, problems } = readCapabilities({ 'qwen3*': { contextTokens: 65_536, images: true } });
  assert.deepEqual(problems, []);
  const found = capabilitiesOf({ ...local, model: 'qwen3-coder:30b' }, extension);
  assert.deepEqual([found.contextTokens, found.images, found.parallelCalls], [65_536, true, true]);
  assert.equal(capabilitiesOf({ ...local, model: 'other' }, extension).images, false);
});

test('what is wrong in the person\'s table is left out and said, the rest counts', () => {
  const { extension, problems } = readCapabilities({ a: { images: 'yes', contextTokens: 1.5, vision: true, thinking: true }, b: 7, '': {} });
  assert.deepEqual(extension, [['a', { thinking: true }]]);
  assert.deepEqual(problems.map(({ place }) => place), [
    'countersign.modelCapabilities["a"].images', 'countersign.modelCapabilities["a"].contextTokens', 'countersign.modelCapabilities["a"].vision',
    'countersign.modelCapabilities["b"]', 'countersign.modelCapabilities[""]',
  ]);
  for (const value of [7, 'x', [], true]) assert.match(readCapabilities(value).problems[0]?.message ?? '', /an object was expected/);
  assert.deepEqual(readCapabilities(undefined), { extension: [], problems: [] });
});

test('a star stands for anything, a question mark for one character, and the whole name has to fit', () => {
  const cases: readonly (readonly [string, string, boolean])[] = [
    ['a', 'a', true], ['a', 'ab', false], ['a*', 'abc', true], ['*c', 'abc', true], ['a*c', 'abbc', true], ['a*c', 'abb', false], ['*', '', true], ['a*a', 'a', false],
    ['a*b*c', 'a-b-c', true], ['a*b*c', 'a-c-b', false], ['4?5', '4.5', true], ['4?5', '45', false], ['**x**', 'axb', true], ['A', 'a', true], ['', '', true], ['a.c', 'abc', false],
  ];
  assert.deepEqual(cases.map(([glob, name]) => [glob, name, matchesName(glob, name)]), cases);
});

test('matching agrees with a regular expression', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), maxLength: 8 });
  fc.assert(fc.property(text, fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 8 }), (glob, name) => {
    assert.equal(matchesName(glob, name), new RegExp(`^${glob.replaceAll('*', '.*').replaceAll('?', '.')}$`).test(name));
  }), { numRuns: 2000 });
});
