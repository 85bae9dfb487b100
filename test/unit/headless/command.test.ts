import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { headless, temporaryWorkspace } from './in-process.ts';

const read = { id: 'c1', name: 'read_file', arguments: { path: 'a.txt' } };
const write = { id: 'c2', name: 'write_file', arguments: { path: 'new.txt', content: 'x' } };
const posix = process.platform !== 'win32';
const settings = (rules: unknown): string => `{\n  // comments are allowed here\n  "countersign.policy.rules": ${JSON.stringify(rules)},\n}\n`;

suite('the headless command', () => {
  test('options that cannot be used end it with 2, a message and nothing on standard output', async (t) => {
    const { base, folder } = await temporaryWorkspace(t, { 'a.txt': 'x' });
    const file = async (name: string, content: string): Promise<string> => {
      await writeFile(join(base, name), content);
      return join(base, name);
    };
    const taken = await file('taken.jsonl', 'taken');
    if (posix) await symlink(join(base, 'nowhere', 'log'), join(base, 'dangling'));
    const cases: readonly (readonly string[])[] = [
      ['--policy', await file('broken.json', '{"rules": [')], ['--policy', await file('list.json', '[]')], ['--policy', await file('other.json', '{"rule":[]}')], ['--policy', await file('text.json', '{"rules":"deny"}')],
      ['--policy', await file('twice.json', '{"rules":[{"decision":"deny"}],"rules":[]}')], ['--policy', await file('comment.json', '{"rules":[]} // none')], ['--policy', await file('empty.json', '')], ['--policy', await file('null.json', 'null')],
      ['--policy', join(base, 'none.json')], ['--policy', base], ['--policy', ''], ['--log', taken], ['--log', base], ['--log', join(taken, 'log')], ['--log', ''], ['--mode', 'sandboxed'], ['--mode', 'yolo'], ['--answer', 'maybe'], ['--sandbox', 'on'],
      ['--frobnicate'], ['extra'], ['--dry-run=1'], ['--workspace', join(base, 'none')], ['--workspace', join(folder, 'a.txt')], ['--workspace', ''], ...(posix ? [['--log', join(base, 'dangling')], ['--state', join(base, 'dangling')]] : []),
    ];
    for (const args of cases) {
      const { code, stdout, stderr } = await headless(['run', '--workspace', folder, ...args], [read]);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /Usage:/);
    }
    assert.equal(await readFile(taken, 'utf8'), 'taken');
    assert.equal((await readdir(base)).includes('nowhere'), false);
  });

  test('I0 a log or a state inside the workspace is refused, however its path is written, before anything is done', async (t) => {
    const { base, folder } = await temporaryWorkspace(t, { 'a.txt': 'x' });
    if (posix) await symlink(folder, join(base, 'way-in'));
    const inside = [join(folder, 'log.jsonl'), join(folder, 'deep', 'er', 'log.jsonl'), `${base}/x/../ws/log.jsonl`, folder, ...(posix ? [join(base, 'way-in', 'log.jsonl')] : [])];
    for (const option of ['--log', '--state']) {
      for (const path of inside) {
        const { code, stdout, stderr } = await headless(['run', '--workspace', folder, option, path, '--answer', 'allow'], [write]);
        assert.deepEqual([code, stdout], [2, ''], `${option} ${path}`);
        assert.match(stderr, /inside the workspace/);
      }
    }
    assert.deepEqual(await readdir(folder), ['a.txt']);
    // A neighbour whose name only begins alike is outside.
    await mkdir(join(base, 'ws-logs'));
    assert.equal((await headless(['run', '--workspace', folder, '--log', join(base, 'ws-logs', 'log.jsonl')], [read])).code, 0);
  });

  test('settings of the workspace that cannot be understood make things ask, never less', async (t) => {
    const broken = ['{"countersign.policy.rules": [', settings('deny'), settings([5]), settings([null]), settings([{ decision: 'denied' }]), settings({ decision: 'ask' }), settings([{ path: '[', decision: 'deny' }]), settings([{ decision: 'deny', unknown: 1 }]), '{ x }', '{'];
    for (const text of broken) {
      const { folder } = await temporaryWorkspace(t, { 'a.txt': 'x', '.vscode/settings.json': text });
      const { decisions } = await headless(['run', '--workspace', folder], [read]);
      assert.ok(decisions.length === 1 && decisions[0] !== 'allow', `${text}: ${decisions.join()}`);
    }
  });

  test('settings of the workspace that are nested too deep to be read make things ask', async (t) => {
    const { folder } = await temporaryWorkspace(t, { 'a.txt': 'x', '.vscode/settings.json': '['.repeat(1_000_000) });
    assert.deepEqual((await headless(['run', '--workspace', folder], [read])).decisions, ['ask']);
  });

  test('a policy inside the workspace is not written without an answer, although it allows all writes itself', { skip: !posix && 'links need a privilege there' }, async (t) => {
    const { folder } = await temporaryWorkspace(t, { 'a.txt': 'x', 'rules.json': '{"rules":[{"effect":"write","decision":"allow"}]}' });
    await symlink('rules.json', join(folder, 'link.json'));
    const policy = { path: 'rules.json' };
    const lines = [write, { ...read, arguments: policy }, { ...write, arguments: { ...policy, content: '{"rules":[]}' } }];
    for (const name of ['rules.json', 'link.json']) {
      assert.deepEqual((await headless(['run', '--workspace', folder, '--policy', join(folder, name), '--dry-run'], lines)).decisions, ['allow', 'allow', 'ask']);
    }
  });

  test('settings of the workspace without rules of ours change nothing', async (t) => {
    for (const text of ['', ' \n', '// nothing\n', '{}', '\ufeff{}', '// nothing\n{}', '{"countersign.policy.rules":[]}', '{"editor.tabSize":2,}', '{"countersign.policy.rules":null}']) {
      const { folder } = await temporaryWorkspace(t, { 'a.txt': 'x', '.vscode/settings.json': text });
      assert.deepEqual((await headless(['run', '--workspace', folder], [read])).decisions, ['allow'], text);
    }
    const { folder } = await temporaryWorkspace(t, { 'a.txt': 'x', '.vscode': 'a file' });
    assert.deepEqual((await headless(['run', '--workspace', folder], [read])).decisions, ['allow']);
  });

  test('settings of the workspace that are a pipe, a folder or a dangling link hang nothing, and make everything ask', { skip: !posix && 'no pipes there' }, async (t) => {
    const makers: readonly ((file: string) => Promise<unknown> | void)[] = [(file) => void execFileSync('mkfifo', [file]), (file) => mkdir(file), (file) => symlink('nowhere', file), (file) => symlink('/dev/zero', file)];
    for (const make of makers) {
      const { folder } = await temporaryWorkspace(t, { 'a.txt': 'x', '.vscode/x': '' });
      await make(join(folder, '.vscode', 'settings.json'));
      assert.deepEqual((await headless(['run', '--workspace', folder], [read])).decisions, ['ask']);
    }
  });

  test('the settings of every folder count', async (t) => {
    const { base, folder } = await temporaryWorkspace(t, { 'a.txt': 'x', '../second/b.txt': 'y', '../second/.vscode/settings.json': settings([{ path: 'b.txt', decision: 'deny' }]) });
    const paths = ['ws/a.txt', 'second/b.txt'];
    assert.deepEqual((await headless(['run', '--workspace', folder, '--workspace', join(base, 'second')], paths.map((path) => ({ ...read, arguments: { path } })))).decisions, ['allow', 'deny']);
  });

  test('a log that cannot be written ends in LOG_UNAVAILABLE for each call, and nothing runs', { skip: process.platform !== 'linux' && 'the limit is set as on Linux' }, async (t) => {
    const { base, folder } = await temporaryWorkspace(t, { 'a.txt': 'x' });
    const lines = [{ id: 'c1', name: 'write_file', arguments: { path: 'new.txt', content: 'x'.repeat(20_000) } }, write, read].map((line) => `${JSON.stringify(line)}\n`).join('');
    const said = execFileSync('bash', ['-c', 'ulimit -S -f 8; exec "$0" "$@"', process.execPath, join(import.meta.dirname, '../../../extension/headless.ts'), 'run', '--workspace', folder, '--log', join(base, 'log.jsonl'), '--answer', 'allow'], { input: lines, encoding: 'utf8' });
    const codes = said.trimEnd().split('\n').map((line) => (JSON.parse(line) as { readonly result: { readonly error: { readonly code: string } | null } }).result.error?.code);
    assert.deepEqual(codes, ['LOG_UNAVAILABLE', 'LOG_UNAVAILABLE', 'LOG_UNAVAILABLE']);
    assert.deepEqual(await readdir(folder), ['a.txt']);
  });
});
