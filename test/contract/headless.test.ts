import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmod, link, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { readLog } from '../../extension/session/read-log.ts';
import { buildIfMissing, codes, flat, headless, type Line, openai, otherNode, textOf, workspace } from './headless-host.ts';

const read = (path: string, id = 'c1'): object => openai('read_file', { path }, id);
const edit = (path: string, oldText: string, newText: string, id = 'c1'): object => openai('edit_file', { path, edits: [{ oldText, newText }] }, id);
const write = (path: string, content: string, id = 'c1'): object => openai('write_file', { path, content }, id);
const root = process.getuid?.() === 0;
const posix = process.platform !== 'win32';

before(buildIfMissing);

suite('the headless host: lines', () => {
  test('a proposal in the form of models, flat, with arguments as text or as an object: one line each, in order', async (t) => {
    const { run } = await workspace(t, { 'a.txt': 'one\ntwo\n' });
    const path = JSON.stringify({ path: 'a.txt' });
    const { code, lines } = await run([openai('read_file', { path: 'a.txt' }, 'c1'), { id: 'c2', type: 'function', function: { name: 'read_file', arguments: { path: 'a.txt' } } }, { id: 'c3', name: 'read_file', arguments: path }, { id: 'c4', name: 'read_file', arguments: { path: 'a.txt' } }]);
    assert.equal(code, 0);
    assert.deepEqual(lines.map(({ id }) => id), ['c1', 'c2', 'c3', 'c4']);
    for (const line of lines) {
      assert.deepEqual(Object.keys(line), ['id', 'name', 'verdict', 'effects', 'claims', 'approval', 'result']);
      assert.deepEqual([line.name, line.verdict?.decision, line.approval, line.claims, line.result?.isError, line.result?.error], ['read_file', 'allow', null, [], false, null]);
      assert.equal(line.verdict?.decidedBy, 'mode Ask');
      assert.ok((line.verdict?.rules.length ?? 0) > 0);
      assert.deepEqual(line.effects.map(({ kind }) => kind), ['read']);
      assert.match(textOf(line), /1\tone\n.*2\ttwo/);
    }
  });

  test('an array is one step: a line for each call in its order, and ids are single in it', async (t) => {
    const { run } = await workspace(t, { 'a.txt': 'x' });
    const { lines } = await run([[read('a.txt', 'b'), read('missing.txt', 'a'), 5, read('a.txt', 'b'), read('a.txt', 'c')], read('a.txt', 'b')]);
    assert.deepEqual(lines.map(({ id }) => id), ['b', 'a', null, 'b', 'c', 'b']);
    assert.deepEqual(codes(lines), ['well', 'FS_NOT_FOUND', 'INVALID_PROPOSAL', 'DUPLICATE_ID', 'well', 'well']);
  });

  test('a line that is no proposal is INVALID_PROPOSAL with no id and no name, and the next line is answered', async (t) => {
    const { run } = await workspace(t, { 'a.txt': 'x' });
    const garbage = ['garbage', '{"id":"c1"', 'null', '[]', '{"id":7,"name":"read_file"}', '{"name":"read_file","arguments":"{}"}', '{"id":"x","id":"y","name":"read_file"}', '\u0000', '{"id":"c1","name":["read_file"]}'];
    const { code, lines } = await run(garbage.flatMap((line) => [line, read('a.txt')]));
    assert.equal(code, 0);
    lines.forEach((line, index) => {
      if (index % 2 === 1) return assert.deepEqual(codes([line]), ['well'], garbage[(index - 1) / 2]);
      assert.deepEqual({ ...line, result: null }, { id: null, name: null, verdict: null, effects: [], claims: [], approval: null, result: null });
      assert.deepEqual([line.result?.isError, line.result?.error?.code, line.result?.content.map(({ type }) => type)], [true, 'INVALID_PROPOSAL', ['text']], garbage[index / 2]);
      return undefined;
    });
    assert.equal(lines.length, garbage.length * 2);
  });

  test('carriage returns, blank lines and a missing last line end change nothing', async (t) => {
    const { run } = await workspace(t, { 'a.txt': 'x' });
    const text = (id: string): string => JSON.stringify(read('a.txt', id));
    assert.deepEqual((await run(`${text('1')}\r\n\r\n  \n${text('2')}\n\n${text('3')}`)).lines.map(({ id }) => id), ['1', '2', '3']);
    assert.deepEqual((await run('')).lines, []);
    assert.deepEqual((await run('\n')).code, 0);
  });

  test('B2 a line that is not UTF-8 is INVALID_PROPOSAL: nothing is written with other characters', async (t) => {
    const { run, files } = await workspace(t, { 'a.txt': 'x' });
    const bytes = Buffer.from(`${JSON.stringify(write('new.txt', 'caf?'))}\n${JSON.stringify(read('a.txt'))}\n`);
    bytes[bytes.indexOf('?')] = 0xe9;
    assert.deepEqual(codes((await run(bytes, ['--answer', 'allow'])).lines), ['INVALID_PROPOSAL', 'well']);
    assert.deepEqual(Object.keys(await files()), ['a.txt']);
  });

  test('B8 ten megabytes of arguments are TOO_LARGE, as text and as an object, and the next line works', async (t) => {
    const { run } = await workspace(t, { 'a.txt': 'x' });
    const big = { path: 'new.txt', content: 'x'.repeat(10 * 1024 * 1024) };
    const { lines, stdout } = await run([openai('write_file', big), flat('write_file', big), read('a.txt')], ['--answer', 'allow']);
    assert.deepEqual(codes(lines), ['TOO_LARGE', 'TOO_LARGE', 'well']);
    assert.match(textOf(lines[0]), /1 MiB/);
    assert.ok(stdout.length < 10_000);
  });

  test('B2 arguments with duplicate keys are INVALID_ARGS with their place, as text and as an object, for every call of a step', async (t) => {
    const { run, files } = await workspace(t, { 'a.txt': 'x' });
    const twice = '{"path":"new.txt","path":"other.txt","content":"x"}';
    const asObject = (id: string): string => `{"id":"${id}","name":"write_file","arguments":${twice}}`;
    const { lines } = await run([flat('write_file', twice), asObject('c2'), `[${asObject('c3')},${asObject('c4')},${JSON.stringify(read('a.txt', 'c5'))}]`], ['--answer', 'allow']);
    assert.deepEqual(codes(lines), ['INVALID_ARGS', 'INVALID_ARGS', 'INVALID_ARGS', 'INVALID_ARGS', 'well']);
    for (const line of lines.slice(0, 4)) assert.match(textOf(line), /"path" stands twice \(at character 19\)/);
    assert.deepEqual(await files(), { 'a.txt': 'x' });
  });

  test('B2 truncated, trailing and lossy arguments are refused; empty ones mean none', async (t) => {
    const { run, files } = await workspace(t, {});
    const bad = ['{"path":"n.txt","content":"x"', '{"path":"n.txt","content":"x"}}', '{"path":"n.txt","content":"\\ud800"}', '{"path":"n.txt","content":"x","n":9007199254740993}', '{path:"n.txt"}', '\ufeff{}', 'null', '[]', '"x"'];
    const { lines } = await run([...bad.map((text) => flat('write_file', text)), flat('list_directory', ''), { id: 'c1', name: 'list_directory' }], ['--answer', 'allow']);
    assert.deepEqual(codes(lines), [...bad.map(() => 'INVALID_ARGS'), 'well', 'well']);
    assert.deepEqual(await files(), {});
  });

  test('B4 __proto__ in a line or in arguments changes nothing', async (t) => {
    const { run } = await workspace(t, { 'a.txt': 'x' });
    const { lines } = await run(['{"__proto__":{"id":"c1","name":"read_file"}}', '{"id":"c1","name":"read_file","arguments":{"path":"a.txt","__proto__":{"startLine":5}}}', '{"id":"c1","name":"__proto__"}', '{"id":"__proto__","name":"read_file","arguments":{"path":"a.txt"}}']);
    assert.deepEqual(codes(lines), ['INVALID_PROPOSAL', 'INVALID_ARGS', 'UNKNOWN_TOOL', 'well']);
    assert.equal(lines[3]?.id, '__proto__');
  });

  test('B5 B6 wrong arguments list every violation with its pointer, and name what a misspelt property meant', async (t) => {
    const { run } = await workspace(t, {});
    const { lines } = await run([flat('edit_file', { paht: 5, edits: [{ oldText: 'a', new_text: 'b', replaceAll: 'yes' }] }), flat('read_file', { path: 'a', startLine: `${'a'.repeat(58)}😀` })], ['--answer', 'allow']);
    assert.deepEqual(codes(lines), ['INVALID_ARGS', 'INVALID_ARGS']);
    assert.deepEqual(lines[0]?.result?.error?.violations?.map(({ pointer }) => pointer).toSorted(), ['/edits/0/newText', '/edits/0/new_text', '/edits/0/replaceAll', '/paht', '/path']);
    assert.match(textOf(lines[0]), /\/paht: expected the property "path"/);
    assert.match(textOf(lines[0]), /\/edits\/0\/new_text: expected the property "newText"/);
    assert.deepEqual([lines[0]?.verdict, lines[0]?.effects, lines[0]?.approval], [null, [], null]);
  });

  test('B7 an unknown tool is UNKNOWN_TOOL with its name, whatever that is', async (t) => {
    const { run } = await workspace(t, {});
    const names = ['read_fil', 'run_command', '__proto__', 'constructor', '', '😀'.repeat(120), 'x'.repeat(1024 * 1024)];
    const { lines } = await run(names.map((name) => flat(name, {})));
    assert.deepEqual(codes(lines), names.map(() => 'UNKNOWN_TOOL'));
    assert.deepEqual(lines.map(({ name }) => name), names);
    assert.match(textOf(lines[0]), /Did you mean read_file/);
  });
});

suite('the headless host: answers', () => {
  test('D7 what asks is denied at once where nobody is there, which is the default', async (t) => {
    const { run, files } = await workspace(t, { 'a.txt': 'one' });
    for (const args of [[], ['--answer', 'ask-is-deny']]) {
      const { code, lines } = await run([read('a.txt'), edit('a.txt', 'one', 'two'), write('new.txt', 'x')], args);
      assert.equal(code, 0);
      assert.deepEqual(codes(lines), ['well', 'ASK_UNAVAILABLE', 'ASK_UNAVAILABLE']);
      assert.deepEqual(lines.slice(1).map(({ verdict, approval }) => [verdict?.decision, verdict?.decidedBy, approval]), [['ask', 'no rule', 'unavailable'], ['ask', 'no rule', 'unavailable']]);
    }
    assert.deepEqual(await files(), { 'a.txt': 'one' });
  });

  test('--answer deny is a person\'s denial, --answer allow lands exactly what was proposed', async (t) => {
    const { run, files } = await workspace(t, { 'a.txt': 'one\r\ntwo\n' });
    const denied = await run([write('new.txt', 'x')], ['--answer', 'deny']);
    assert.deepEqual([codes(denied.lines), denied.lines[0]?.approval, await files()], [['DENIED_BY_PERSON'], 'denied', { 'a.txt': 'one\r\ntwo\n' }]);
    const allowed = await run([read('a.txt'), edit('a.txt', 'one', '$& 1'), write('deep/er/new.txt', 'é😀\n')], ['--answer', 'allow']);
    assert.deepEqual(codes(allowed.lines), ['well', 'well', 'well']);
    assert.deepEqual(allowed.lines.map(({ approval }) => approval), [null, 'allowed', 'allowed']);
    assert.deepEqual(allowed.lines.map(({ effects }) => effects.map(({ kind }) => kind)), [['read'], ['write'], ['write']]);
    assert.deepEqual(await files(), { 'a.txt': '$& 1\r\ntwo\n', 'deep/er/new.txt': 'é😀\n' });
  });

  test('a question is never answered, whatever the answer to asks', async (t) => {
    const { run } = await workspace(t, {});
    for (const answer of ['allow', 'deny', 'ask-is-deny']) assert.deepEqual(codes((await run([flat('ask_user', { question: 'Well?' })], ['--answer', answer])).lines), ['ASK_UNAVAILABLE'], answer);
  });

  test('a file must have been read before it is changed, in this run and as it is now', async (t) => {
    const { run, files } = await workspace(t, { 'a.txt': 'one', 'b.txt': 'two' });
    const { lines } = await run([edit('a.txt', 'one', 'two'), write('a.txt', 'all'), read('b.txt'), edit('a.txt', 'one', 'two'), read('a.txt'), edit('a.txt', 'one', 'two'), edit('a.txt', 'two', 'three')], ['--answer', 'allow']);
    assert.deepEqual(codes(lines), ['FS_NOT_OBSERVED', 'FS_NOT_OBSERVED', 'well', 'FS_NOT_OBSERVED', 'well', 'well', 'well']);
    assert.equal(lines[0]?.verdict, null);
    assert.deepEqual(await files(), { 'a.txt': 'three', 'b.txt': 'two' });
    assert.deepEqual(codes((await run([edit('a.txt', 'three', 'four')], ['--answer', 'allow'])).lines), ['FS_NOT_OBSERVED']);
  });

  test('--dry-run does nothing: no result for what would run, an error for what failed before', async (t) => {
    const { run, files } = await workspace(t, { 'a.txt': 'one', '.env': 'KEY=x' });
    const { lines } = await run([read('a.txt'), write('new.txt', 'x'), read('missing.txt'), flat('read_file', {}), read('.env'), write('deep/er/x.txt', 'x'), 'garbage'], ['--dry-run', '--answer', 'allow']);
    assert.deepEqual(codes(lines), ['none', 'none', 'FS_NOT_FOUND', 'INVALID_ARGS', 'DENIED_BY_POLICY', 'none', 'INVALID_PROPOSAL']);
    assert.deepEqual(lines.map(({ verdict }) => verdict?.decision ?? null), ['allow', 'ask', null, null, 'deny', 'ask', null]);
    assert.equal(lines[1]?.approval, 'allowed');
    assert.deepEqual(await files(), { 'a.txt': 'one', '.env': 'KEY=x' });
    assert.deepEqual(codes((await run([write('new.txt', 'x')], ['--dry-run'])).lines), ['ASK_UNAVAILABLE']);
  });

  test('--mode plan denies what changes something, whatever the answer', async (t) => {
    const { run, files } = await workspace(t, { 'a.txt': 'one' });
    const { lines } = await run([read('a.txt'), edit('a.txt', 'one', 'two'), write('new.txt', 'x')], ['--mode', 'plan', '--answer', 'allow']);
    assert.deepEqual(codes(lines), ['well', 'DENIED_BY_POLICY', 'DENIED_BY_POLICY']);
    assert.equal(lines[1]?.verdict?.decidedBy, 'mode Plan');
    assert.deepEqual(await files(), { 'a.txt': 'one' });
  });
});

suite('the headless host: paths', () => {
  test('what the world refuses is a result that says what to do, and nobody is asked', async (t) => {
    const { run } = await workspace(t, { 'dir/a.txt': 'x', 'binary.bin': Buffer.from([0, 1, 2, 0xff]), 'latin1.txt': Buffer.from('caf\xe9', 'latin1') });
    const { lines } = await run([read('missing.txt'), read('dir'), read('dir/a.txt/b'), read('binary.bin'), read('latin1.txt'), flat('list_directory', { path: 'dir/a.txt' }), flat('list_directory', { path: 'none' }), edit('missing.txt', 'a', 'b'), write('dir', 'x')], ['--answer', 'allow']);
    assert.deepEqual(codes(lines), ['FS_NOT_FOUND', 'FS_REFUSED', 'FS_NOT_FOUND', 'FS_NOT_TEXT', 'FS_ENCODING', 'FS_REFUSED', 'FS_NOT_FOUND', 'FS_NOT_FOUND', 'FS_REFUSED']);
    assert.ok(lines.every(({ approval }) => approval === null));
  });

  test('a path outside is not written without an answer, and a neighbour of the workspace is outside', async (t) => {
    const { run, base, files } = await workspace(t, { 'a.txt': 'x' });
    const outside = join(base, 'ws-evil', 'new.txt');
    await mkdir(join(base, 'ws-evil'));
    const paths = [outside, '../ws-evil/new.txt', 'sub/../../ws-evil/new.txt', '/../../../../../../etc/countersign-test'];
    const { lines } = await run(paths.map((path) => write(path, 'x')));
    assert.deepEqual(codes(lines), paths.map(() => 'ASK_UNAVAILABLE'));
    for (const { verdict } of lines) assert.ok(verdict?.rules.some(({ place }) => place === 'built-in: outside'));
    assert.deepEqual(await files('ws-evil'), {});
    await writeFile(join(base, 'ws-evil', 'secret.txt'), 'outside content');
    const reading = await run([read('../ws-evil/secret.txt'), flat('list_directory', { path: '..' }), flat('find_files', { pattern: '*', path: base })]);
    assert.deepEqual(codes(reading.lines), ['ASK_UNAVAILABLE', 'ASK_UNAVAILABLE', 'ASK_UNAVAILABLE']);
    assert.ok(!reading.stdout.includes('outside content'));
  });

  test('no byte of .env is said: not for a read, an edit that fits or one that does not, a write, a search or a listing', async (t) => {
    const { run, files } = await workspace(t, { '.env': 'API_KEY=tops3cret\nOTHER=hidd3n\n', 'sub/.env.local': 'API_KEY=hidd3n\n', 'src.txt': 'API_KEY\n' });
    const { lines, stdout, stderr } = await run([
      read('.env'), edit('.env', 'API_KEY=', 'API_KEY=x'), edit('.env', 'API_KEY=tops', 'no'), edit('.env', 'API_KEY=zzz', 'no'), write('.env', 'x'), read('./sub/../.env'), read('sub/.env.local'), flat('search_text', { query: 'API_KEY' }), flat('find_files', { pattern: '**/*' }),
    ], ['--answer', 'allow']);
    assert.deepEqual(codes(lines), ['DENIED_BY_POLICY', 'DENIED_BY_POLICY', 'DENIED_BY_POLICY', 'DENIED_BY_POLICY', 'DENIED_BY_POLICY', 'DENIED_BY_POLICY', 'DENIED_BY_POLICY', 'well', 'well']);
    for (const line of lines.slice(0, 7)) assert.deepEqual([line.verdict?.decision, line.verdict?.decidedBy, line.approval, line.effects.map(({ kind }) => kind)], ['deny', 'built-in: secrets', null, ['read']]);
    for (const word of ['tops3cret', 'hidd3n', 'OTHER']) assert.ok(!stdout.includes(word) && !stderr.includes(word), word);
    assert.match(textOf(lines[7]), /src\.txt:1: API_KEY/);
    assert.equal((await files())['.env'], 'API_KEY=tops3cret\nOTHER=hidd3n\n');
  });

  test('what an ask covers is not said before it is answered: an edit outside does not come back with the nearest line', async (t) => {
    const { run, base } = await workspace(t, {});
    await mkdir(join(base, 'out'));
    await writeFile(join(base, 'out', 'a.txt'), 'the hidden line\n');
    const { lines, stdout } = await run([edit('../out/a.txt', 'the hidden lime', 'x'), edit('../out/a.txt', 'the hidden line', 'x'), write('../out/a.txt', 'x')]);
    assert.ok(lines.every(({ result }) => result?.isError));
    assert.ok(!stdout.includes('hidden line'));
  });

  test('a link is followed before it is judged: one that leads outside asks, one that dangles or circles is refused', { skip: !posix && 'links need a privilege there' }, async (t) => {
    const { run, at, base, files } = await workspace(t, { 'a.txt': 'inside', '.env': 'KEY=tops3cret' });
    await mkdir(join(base, 'out'));
    await writeFile(join(base, 'out', 'secret.txt'), 'outside content');
    await symlink(join(base, 'out', 'secret.txt'), at('outside.txt'));
    await symlink(join(base, 'out'), at('outdir'));
    await symlink(join(base, 'out', 'nothing.txt'), at('dangling.txt'));
    await symlink(at('loop.txt'), at('loop.txt'));
    await symlink(at('a.txt'), at('inside.txt'));
    await symlink(at('.env'), at('harmless.txt'));
    const { lines, stdout } = await run([read('outside.txt'), write('outside.txt', 'x'), write('outdir/new.txt', 'x'), read('outdir/secret.txt'), read('dangling.txt'), write('dangling.txt', 'x'), read('loop.txt'), write('loop.txt', 'x'), read('harmless.txt'), read('inside.txt')]);
    assert.deepEqual(codes(lines).map((code, index) => `${index} ${code}`), [
      '0 ASK_UNAVAILABLE', '1 FS_NOT_OBSERVED', '2 ASK_UNAVAILABLE', '3 ASK_UNAVAILABLE', '4 FS_REFUSED', '5 FS_REFUSED', '6 FS_REFUSED', '7 FS_REFUSED', '8 DENIED_BY_POLICY', '9 well',
    ]);
    assert.ok(!stdout.includes('outside content') && !stdout.includes('tops3cret'));
    assert.deepEqual(await files('out'), { 'secret.txt': 'outside content' });
  });

  test('devices, pipes and network shares are refused before they are touched', { skip: !posix && 'no such files there' }, async (t) => {
    const { run, at } = await workspace(t, {});
    execFileSync('mkfifo', [at('pipe')]);
    const paths = ['pipe', '/dev/zero', '/dev/stdin', '\\\\server\\share\\a.txt', '//server/share/a.txt', '\\\\?\\C:\\a', '\\\\.\\pipe\\x', '\\??\\C:\\a', 'a\0b'];
    const { lines } = await run(paths.flatMap((path) => [read(path), write(path, 'x')]), ['--answer', 'allow']);
    assert.deepEqual([...new Set(codes(lines))], ['FS_REFUSED']);
    assert.ok(lines.every(({ approval }) => approval === null));
  });

  test('a search and a listing pass a pipe by without opening it', { skip: !posix && 'no pipes there' }, async (t) => {
    const { run, at } = await workspace(t, { 'a.txt': 'needle' });
    execFileSync('mkfifo', [at('pipe')]);
    const { lines } = await run([flat('search_text', { query: 'needle' }), flat('list_directory', {}), flat('find_files', { pattern: '*' })]);
    assert.deepEqual(codes(lines), ['well', 'well', 'well']);
    assert.match(textOf(lines[0]), /a\.txt:1: needle/);
  });

  test('a file without permission is refused, and says so', { skip: (root || !posix) && 'the superuser may read everything' }, async (t) => {
    const { run, at } = await workspace(t, { 'a.txt': 'x' });
    await chmod(at('a.txt'), 0);
    assert.deepEqual(codes((await run([read('a.txt')])).lines), ['FS_REFUSED']);
  });

  test('protected files and files with several names ask although a rule of the user allows writing', { skip: !posix && 'hard links differ there' }, async (t) => {
    const { run, at, base } = await workspace(t, { 'a.txt': 'x', 'package.json': '{"scripts":{"test":"true"}}' });
    await link(at('a.txt'), join(base, 'elsewhere.txt'));
    const policy = join(base, 'policy.json');
    await writeFile(policy, JSON.stringify({ rules: [{ effect: 'write', decision: 'allow' }] }));
    const { lines } = await run([
      write('plain.txt', 'x', 'p'), write('.vscode/settings.json', '{}'), write('.git/hooks/pre-commit', 'x'), write('sub/.GIT/config', 'x'), write('AGENTS.md', 'x'), write('.npmrc', 'x'), write('x.code-workspace', '{}'), read('a.txt'), edit('a.txt', 'x', 'y'), read('package.json'), edit('package.json', 'true', 'evil'), write('../out.txt', 'x'),
    ], ['--policy', policy]);
    assert.deepEqual(codes(lines), ['well', ...Array.from({ length: 6 }, () => 'ASK_UNAVAILABLE'), 'well', 'ASK_UNAVAILABLE', 'well', 'ASK_UNAVAILABLE', 'ASK_UNAVAILABLE']);
  });
});

suite('the headless host: policy', () => {
  const settings = (rules: unknown): string => `{\n  // comments are allowed here\n  "countersign.policy.rules": ${JSON.stringify(rules)},\n}\n`;

  test('rules of --policy are the user\'s: they allow, ask and deny, and the verdict names the rule', async (t) => {
    const { run, base } = await workspace(t, { 'a.txt': 'x', 'b.md': 'y' });
    const policy = join(base, 'policy.json');
    await writeFile(policy, JSON.stringify({ rules: [{ effect: 'write', path: 'src/**', decision: 'allow' }, { path: '**/*.md', decision: 'deny', reason: 'No prose.' }, { path: 'src/x.ts', decision: 'ask' }] }));
    const { lines } = await run([write('src/a.ts', 'x'), write('lib/a.ts', 'x'), read('b.md'), write('src/b.md', 'x'), write('src/x.ts', 'x'), write('src/../b.md', 'x')], ['--policy', policy]);
    assert.deepEqual(codes(lines), ['well', 'ASK_UNAVAILABLE', 'DENIED_BY_POLICY', 'DENIED_BY_POLICY', 'ASK_UNAVAILABLE', 'DENIED_BY_POLICY']);
    assert.equal(lines[0]?.verdict?.decidedBy, `${policy} rules[0]`);
    assert.equal(lines[2]?.verdict?.decidedBy, `${policy} rules[1]`);
    assert.match(textOf(lines[2]), /No prose\..*No person refused it/);
  });

  test('rules of the workspace tighten; its allow rules do nothing', async (t) => {
    const { run } = await workspace(t, { 'a.txt': 'x', 'b.txt': 'y', '.vscode/settings.json': settings([{ path: 'a.txt', decision: 'deny' }, { effect: 'write', decision: 'allow' }, { decision: 'allow' }]) });
    const { lines } = await run([read('a.txt'), read('b.txt'), write('new.txt', 'x')]);
    assert.deepEqual(codes(lines), ['DENIED_BY_POLICY', 'well', 'ASK_UNAVAILABLE']);
    assert.equal(lines[0]?.verdict?.decidedBy, '.vscode/settings.json countersign.policy.rules[0]');
  });

  test('a deny rule of the workspace stands although the user allows the same', async (t) => {
    const { run, base } = await workspace(t, { '.vscode/settings.json': settings([{ effect: 'write', decision: 'deny' }]) });
    await writeFile(join(base, 'policy.json'), JSON.stringify({ rules: [{ effect: 'write', decision: 'allow' }] }));
    assert.deepEqual(codes((await run([write('new.txt', 'x')], ['--policy', join(base, 'policy.json'), '--answer', 'allow'])).lines), ['DENIED_BY_POLICY']);
  });

  test('a rule that is not understood is reported on standard error with its place, and never allows', async (t) => {
    const { run, base } = await workspace(t, {});
    await writeFile(join(base, 'policy.json'), JSON.stringify({ rules: [{ effect: 'write', decision: 'allow', hosts: ['x'] }, { effect: 'wrte', decision: 'allow' }] }));
    const { lines, stderr } = await run([write('new.txt', 'x')], ['--policy', join(base, 'policy.json')]);
    assert.deepEqual(codes(lines), ['ASK_UNAVAILABLE']);
    assert.match(stderr, /policy\.json rules\[0\]: .*hosts/);
    assert.match(stderr, /policy\.json rules\[1\]: .*effect/);
  });
});

suite('the headless host: log and options', () => {
  test('I0 the log is written outside of the workspace, is whole, and holds every call', async (t) => {
    const { run, base, files } = await workspace(t, { 'a.txt': 'one' });
    const log = join(base, 'logs', 'session.jsonl');
    await run([[read('a.txt', 'x'), flat('read_file', '{', 'y')], edit('a.txt', 'one', 'two'), 'garbage'], ['--log', log, '--answer', 'allow']);
    const { records, torn } = readLog(log);
    assert.equal(torn, false);
    assert.deepEqual(records.map(({ event }) => event.type), ['session', 'assistant', 'started', 'settled', 'settled', 'assistant', 'asked', 'decided', 'started', 'settled']);
    assert.deepEqual(Object.keys(await files()), ['a.txt']);
    if (posix) assert.equal((await readFile(log, 'utf8')).includes('\r'), false);
  });

  test('I0 a log or a state inside the workspace is refused before anything is read', async (t) => {
    const { run, at, files } = await workspace(t, { 'a.txt': 'x' });
    for (const args of [['--log', at('log.jsonl')], ['--state', at('deep/er')]]) {
      const { code, stdout, stderr } = await run([write('new.txt', 'x')], [...args, '--answer', 'allow']);
      assert.deepEqual([code, stdout], [2, '']);
      assert.match(stderr, /inside the workspace/);
    }
    assert.deepEqual(Object.keys(await files()), ['a.txt']);
  });

  test('I0 where the temporary folder lies inside the workspace, a log must be named', async (t) => {
    const { run, at, base, files } = await workspace(t, { 'tmp/x': '' });
    const env = { TMPDIR: at('tmp'), TEMP: at('tmp'), TMP: at('tmp') };
    const { code, stderr } = await run([read('tmp/x')], [], { env });
    assert.equal(code, 2);
    assert.match(stderr, /temporary folder.*inside the workspace/);
    assert.equal((await run([read('tmp/x')], ['--log', join(base, 'log.jsonl')], { env })).code, 0);
    assert.deepEqual(Object.keys(await files()), ['tmp/x']);
  });

  test('options that cannot be used end it with 2, a message and nothing on standard output', async (t) => {
    const { run, base } = await workspace(t, { 'a.txt': 'x' });
    await writeFile(join(base, 'broken.json'), '{"rules": [');
    for (const args of [['--policy', join(base, 'broken.json')], ['--policy', join(base, 'none.json')], ['--mode', 'sandboxed'], ['--workspace', join(base, 'none')]]) {
      const { code, stdout, stderr } = await run([read('a.txt')], args);
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /Usage:/);
      assert.doesNotMatch(stderr, /\n\s+at /, args.join(' '));
    }
  });

  test('without a command, with one that is unknown or without a workspace it ends with 2', async () => {
    for (const args of [[], ['walk'], ['run'], ['schemas', 'more']]) {
      const { code, stdout } = await headless(args, '');
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
    }
    assert.equal((await headless(['--help'], '')).code, 0);
  });

  test('A1 A2 schemas prints the model-facing fields and no others, the same bytes each time, without a workspace', async () => {
    const { code, stdout } = await headless(['schemas'], '');
    assert.equal(code, 0);
    const schemas = JSON.parse(stdout) as readonly Readonly<Record<string, unknown>>[];
    assert.deepEqual(schemas.map(({ name }) => name), ['read_file', 'list_directory', 'find_files', 'search_text', 'edit_file', 'write_file', 'ask_user', 'update_plan']);
    for (const schema of schemas) {
      assert.deepEqual(Object.keys(schema).filter((key) => key !== 'deferLoading'), ['name', 'description', 'parameters']);
      assert.ok(schema['deferLoading'] === undefined || schema['deferLoading'] === true);
    }
    assert.equal((await headless(['schemas'], '')).stdout, stdout);
    for (const field of ['output', 'effects', 'execute', 'timeoutMs', 'isConcurrencySafe', 'presentCall']) assert.ok(!stdout.includes(`"${field}":`), field);
  });

  test('several workspaces are several folders, each with its name', async (t) => {
    const { run, base } = await workspace(t, { 'a.txt': 'x' });
    await mkdir(join(base, 'second'));
    await writeFile(join(base, 'second', 'b.txt'), 'y');
    const { lines } = await run([read('ws/a.txt'), read('second/b.txt'), read('a.txt'), write('second/c.txt', 'z')], ['--workspace', join(base, 'second'), '--answer', 'allow']);
    assert.deepEqual(codes(lines), ['well', 'well', 'FS_NOT_FOUND', 'well']);
  });

  test('a workspace that is named by a link or a relative path is the same workspace', { skip: !posix && 'links need a privilege there' }, async (t) => {
    const { base, at } = await workspace(t, { 'a.txt': 'x' });
    await symlink(at('.'), join(base, 'link'));
    const line = `${JSON.stringify(read('a.txt'))}\n${JSON.stringify(read(at('a.txt')))}\n`;
    for (const [dir, cwd] of [[join(base, 'link'), base], ['ws', base], ['.', at('.')], ['link/', base]] as const) assert.deepEqual(codes((await headless(['run', '--workspace', dir], line, { cwd })).lines), ['well', 'well'], dir);
  });

  test('nothing is left in the temporary folder', async (t) => {
    const { run, base, files } = await workspace(t, { 'a.txt': 'x' });
    await mkdir(join(base, 'tmp'));
    await run([read('a.txt')], [], { env: { TMPDIR: join(base, 'tmp'), TEMP: join(base, 'tmp'), TMP: join(base, 'tmp') } });
    assert.deepEqual(await files('tmp'), {});
    await rm(join(base, 'tmp'), { recursive: true });
  });

  test('a thousand lines give a thousand lines, in order', async (t) => {
    const { run } = await workspace(t, { 'a.txt': 'x' });
    const { lines } = await run(Array.from({ length: 1000 }, (_, index) => (index % 3 === 0 ? 'garbage' : read('a.txt', `c${index}`))));
    assert.deepEqual(lines.map(({ id }) => id), Array.from({ length: 1000 }, (_, index) => (index % 3 === 0 ? null : `c${index}`)));
  });

  test('it runs on the Node of the system too', { skip: otherNode === null && 'there is no Node 20 beside the one that runs the tests' }, async (t) => {
    const { run, files } = await workspace(t, { 'a.txt': 'one', '.env': 'KEY=x' });
    const lines: readonly Line[] = (await run([read('a.txt'), edit('a.txt', 'one', 'two'), read('.env'), 'garbage', flat('search_text', { query: 'two' })], ['--answer', 'allow'], { node: otherNode ?? '' })).lines;
    assert.deepEqual(codes(lines), ['well', 'well', 'DENIED_BY_POLICY', 'INVALID_PROPOSAL', 'well']);
    assert.equal((await files())['a.txt'], 'two');
  });
});
