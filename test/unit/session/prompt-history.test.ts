import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { PromptHistory as History } from '../../../extension/session/prompt-history.ts';
import { temporaryFolder } from './session-logs.ts';

const atOnce = (run: () => void): void => run();
class PromptHistory extends History {
  constructor(file: string) {
    super(file, atOnce);
  }
}

test('the last hundred prompts are kept, newest last, without the same one twice in a row or blank ones', (t) => {
  const file = join(temporaryFolder(t), 'deep', 'prompts.json');
  const history = new PromptHistory(file);
  for (const text of ['a', 'a', ' \n', 'b', 'a']) history.add(text);
  assert.deepEqual(history.prompts, ['a', 'b', 'a']);
  for (let n = 0; n < 120; n++) history.add(`prompt ${n}`);
  const again = new PromptHistory(file).prompts;
  assert.deepEqual([again.length, again[0], again.at(-1)], [100, 'prompt 20', 'prompt 119']);
});

test('a long prompt is cut between two characters', (t) => {
  const history = new PromptHistory(join(temporaryFolder(t), 'prompts.json'));
  history.add(`${'x'.repeat(19_999)}😀`);
  assert.deepEqual(history.prompts, ['x'.repeat(19_999)]);
});

test('what another window added meanwhile is kept', (t) => {
  const file = join(temporaryFolder(t), 'prompts.json');
  const [one, other] = [new PromptHistory(file), new PromptHistory(file)];
  one.add('first');
  other.add('second');
  one.add('third');
  assert.deepEqual(new PromptHistory(file).prompts, ['first', 'second', 'third']);
});

test('a damaged file is as none; where nothing can be written the prompts are kept in memory', (t) => {
  const file = join(temporaryFolder(t), 'prompts.json');
  for (const text of ['', '{}', '[', '"x"']) {
    writeFileSync(file, text);
    assert.deepEqual(new PromptHistory(file).prompts, []);
  }
  writeFileSync(file, '["good",5,null]');
  assert.deepEqual(new PromptHistory(file).prompts, ['good']);
  const blocked = join(temporaryFolder(t), 'prompts.json');
  mkdirSync(join(blocked, 'in the way'), { recursive: true });
  const history = new PromptHistory(blocked);
  history.add('one');
  history.add('two');
  assert.deepEqual(history.prompts, ['one', 'two']);
});

test('the writing can be put off: what was added meanwhile is written once, after what another window added', (t) => {
  const file = join(temporaryFolder(t), 'prompts.json');
  const waiting: (() => void)[] = [];
  const history = new History(file, (run) => waiting.push(run));
  history.add('one');
  history.add('two');
  assert.deepEqual([history.prompts, new PromptHistory(file).prompts, waiting.length], [['one', 'two'], [], 1]);
  new PromptHistory(file).add('elsewhere');
  for (const run of waiting) run();
  assert.deepEqual([history.prompts, new PromptHistory(file).prompts], [['elsewhere', 'one', 'two'], ['elsewhere', 'one', 'two']]);
  history.add('three');
  history.save();
  assert.deepEqual([new PromptHistory(file).prompts.at(-1), waiting.length], ['three', 2]);
});
