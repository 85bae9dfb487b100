import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { readOptions, type RunOptions, UnusableOptions, usage } from '../../../extension/headless/options.ts';

function run(...args: readonly string[]): RunOptions {
  const options = readOptions(['run', ...args]);
  return options.command === 'run' ? options : assert.fail('it is no run');
}

suite('the options of the headless host', () => {
  test('what is not said has its default: ask, deny what asks, do it, a temporary log', () => {
    assert.deepEqual(run('--workspace', 'w'), { command: 'run', workspaces: ['w'], policyFile: null, mode: 'ask', answer: 'ask-is-deny', dryRun: false, log: null, state: null });
  });

  test('every option is read, with a space or an equals sign', () => {
    const all = { command: 'run', workspaces: ['w', 'v'], policyFile: 'p', mode: 'plan', answer: 'allow', dryRun: true, log: 'l', state: 's' };
    assert.deepEqual(run('--workspace', 'w', '--workspace', 'v', '--policy', 'p', '--mode', 'plan', '--answer', 'allow', '--dry-run', '--log', 'l', '--state', 's', '--sandbox', 'off'), all);
    assert.deepEqual(run('--workspace=w', '--workspace=v', '--policy=p', '--mode=plan', '--answer=allow', '--dry-run', '--log=l', '--state=s', '--sandbox=auto'), all);
  });

  test('what cannot be used is said, and is never guessed at', () => {
    const cases: readonly (readonly [readonly string[], RegExp])[] = [
      [[], /command is missing/], [['walk'], /no command "walk"/], [['Run'], /no command "Run"/], [['__proto__'], /no command/], [['run'], /--workspace DIR is missing/], [['run', '--workspace'], /workspace/], [['run', '--workspace', 'w', 'more'], /more/], [['run', '--workspace', 'w', '--unknown'], /unknown/],
      [['run', '--workspace', 'w', '--mode', 'yolo'], /--mode/], [['run', '--workspace', 'w', '--mode', 'Ask'], /--mode/], [['run', '--workspace', 'w', '--mode', 'sandboxed'], /sandboxed is not available/], [['run', '--workspace', 'w', '--answer', 'yes'], /--answer/], [['run', '--workspace', 'w', '--answer', ''], /--answer/],
      [['run', '--workspace', 'w', '--sandbox', 'on'], /--sandbox/], [['run', '--workspace', 'w', '--dry-run=yes'], /dry-run/], [['run', '--workspace', 'w', '--no-dry-run'], /dry-run/], [['run', '--workspace', 'w', '-m', 'ask'], /-m/], [['schemas', '--workspace', 'w'], /schemas/],
      [['run', '--workspace', 'w', '--answer', 'allow', '--answer', 'perhaps'], /--answer/],
    ];
    for (const [args, message] of cases) assert.throws(() => readOptions(args), (error: unknown) => error instanceof UnusableOptions && message.test(error.message), args.join(' '));
  });

  test('help and schemas need nothing', () => {
    for (const word of ['help', '--help', '-h']) assert.deepEqual(readOptions([word]), { command: 'help' });
    assert.deepEqual(readOptions(['schemas']), { command: 'schemas' });
  });

  test('the usage names every option', () => {
    for (const word of ['run', 'schemas', '--workspace', '--policy', '--mode', '--answer', '--dry-run', '--sandbox', '--log', '--state', 'ask-is-deny']) assert.ok(usage.includes(word), word);
  });
});
