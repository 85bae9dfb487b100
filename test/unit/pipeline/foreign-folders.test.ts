import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { suite, test, type TestContext } from 'node:test';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { isForeignPath } from '../../../extension/boundary/foreign-path.ts';
import { Roots } from '../../../extension/files/roots.ts';
import { MemoryFiles } from '../files/memory-files.ts';
import { undoing, type Undoing } from '../tools/undoing.ts';
import { Buffers } from './buffers.ts';
import { codeOf, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost, type Session, type SessionSetup } from './session-host.ts';

const app = 'memfs://host/app';
const edits = [{ oldText: 'one', newText: '1' }];

function filesOf(files: Readonly<Record<string, string>> = { 'src/a.ts': 'one\ntwo\n', 'README.md': 'one\n' }): MemoryFiles {
  return new MemoryFiles([app], Object.fromEntries(Object.entries(files).map(([name, text]) => [`${app}/${name}`, text])));
}

/** A session on one folder, off the disk. */
function offDisk(t: TestContext, foreign: MemoryFiles, setup: SessionSetup = {}): Promise<Session> {
  return sessionHost(t, { folders: [], foreign, ...setup });
}

/** Nothing was looked at that lies outside the folder, or may as the file system reads it. */
function stayedInside(files: MemoryFiles): void {
  assert.deepEqual([...files.reached].filter((path) => !isForeignPath(path) || (path !== app && !path.startsWith(`${app}/`))), []);
}

async function refused(session: Session, name: string, args: object): Promise<string> {
  const outcome = await session.propose(name, args);
  assert.notEqual(codeOf(outcome), 'well', `${name} ${JSON.stringify(args)}`);
  return textOf(outcome);
}

suite('a workspace folder off the disk', () => {
  test('is listed, read and searched as one on disk', async (t) => {
    const files = filesOf({ 'src/a.ts': 'one\ntwo\n', 'src/deep/b.ts': 'two\n', '.env': 'two', 'node_modules/x/i.js': 'two' });
    files.links.add(`${app}/linked`);
    const session = await offDisk(t, files);
    assert.equal(textOf(await session.propose('list_directory', {})), '.env  3\nlinked@\nnode_modules/\nsrc/');
    assert.equal(textOf(await session.propose('list_directory', { path: 'src' })), 'a.ts  8\ndeep/');
    assert.equal(textOf(await session.propose('read_file', { path: 'src/a.ts' })), '1\tone\n2\ttwo');
    assert.equal(textOf(await session.propose('read_file', { path: `${app}/src/../src/a.ts`, startLine: 2 })).split('\n')[0], '2\ttwo');
    assert.equal(textOf(await session.propose('find_files', { pattern: '*.ts' })), 'src/a.ts\nsrc/deep/b.ts\n[left out: .env (/**/.env*), node_modules (**/node_modules/**)]');
    assert.equal(textOf(await session.propose('search_text', { query: 'two' })), 'src/a.ts:2: two\nsrc/deep/b.ts:1: two\n[2 matches in 2 files searched]\n[left out: .env (/**/.env*), node_modules (**/node_modules/**)]');
    assert.deepEqual(session.asks, []);
    stayedInside(files);
  });

  test('is edited after an approval, and the card shows what lands', async (t) => {
    const files = filesOf();
    const session = await offDisk(t, files, { answer: 'allowed' });
    assert.match(await refused(session, 'edit_file', { path: 'src/a.ts', edits }), /^FS_NOT_OBSERVED/);
    await session.read('src/a.ts');
    const outcome = await session.propose('edit_file', { path: 'src/a.ts', edits });
    assert.deepEqual([codeOf(outcome), files.text(`${app}/src/a.ts`)], ['well', '1\ntwo\n']);
    assert.equal(codeOf(await session.propose('write_file', { path: 'new/b.ts', content: 'new\n' })), 'well');
    assert.equal(files.text(`${app}/new/b.ts`), 'new\n');
    assert.deepEqual(session.asks.map((ask) => ask.files.map(({ path, display, base, result }) => [path, display, base === null ? null : Buffer.from(base).toString(), Buffer.from(result ?? []).toString()])),
      [[[`${app}/src/a.ts`, 'src/a.ts', 'one\ntwo\n', '1\ntwo\n']], [[`${app}/new/b.ts`, 'new/b.ts', null, 'new\n']]]);
    assert.deepEqual(outcome.effects.map((effect) => ('path' in effect ? effect.path : '')), [`${app}/src/a.ts`]);
  });

  test('nothing of it is ever taken for a path on disk', async (t) => {
    const session = await offDisk(t, filesOf(), { answer: 'allowed' });
    assert.equal(codeOf(await session.propose('write_file', { path: 'new.ts', content: 'new\n' })), 'well');
    assert.equal(existsSync('memfs:'), false);
    assert.deepEqual(await session.world(), { 'home/': '', 'outside/': '' });
  });

  test('denied, in Plan mode, protected: the same gate', async (t) => {
    const files = filesOf();
    const session = await offDisk(t, files, { answer: 'denied' });
    await session.read('src/a.ts');
    assert.match(await refused(session, 'edit_file', { path: 'src/a.ts', edits }), /^DENIED_BY_PERSON/);
    session.setPolicy({ layers: [layer([{ effect: 'write', decision: 'allow' }])] });
    assert.match(await refused(session, 'write_file', { path: '.vscode/settings.json', content: '{}' }), /^DENIED_BY_PERSON/);
    assert.match(await refused(session, 'write_file', { path: 'package.json', content: '{"scripts":{"a":"b"}}' }), /^DENIED_BY_PERSON/);
    assert.equal(session.asks.length, 3);
    session.setPolicy({ mode: 'plan' });
    assert.match(await refused(session, 'edit_file', { path: 'src/a.ts', edits }), /^DENIED_BY_POLICY/);
    session.setPolicy({ layers: [layer([{ effect: 'write', path: 'src/**', decision: 'deny' }])] });
    assert.match(await refused(session, 'edit_file', { path: 'src/a.ts', edits }), /^DENIED_BY_POLICY/);
    assert.deepEqual(files.all(), filesOf().all());
  });

  test('a secret is not read, and none of its bytes come out', async (t) => {
    const files = filesOf({ '.env': 'KEY=hush', 'src/.ENV.local': 'KEY=hush', 'a.txt': 'KEY' });
    const session = await offDisk(t, files, { answer: 'allowed' });
    for (const path of ['.env', './src/../.env', 'src/.ENV.local', `${app}/.env`]) {
      const text = await refused(session, 'read_file', { path });
      assert.match(text, /^DENIED_BY_POLICY/, path);
      assert.doesNotMatch(text, /hush/);
    }
    assert.match(await refused(session, 'edit_file', { path: '.env', edits: [{ oldText: 'hush', newText: 'x' }] }), /^DENIED_BY_POLICY/);
    assert.match(textOf(await session.propose('search_text', { query: 'KEY' })), /^a\.txt:1: KEY\n\[1 match in 1 file searched\]/);
    assert.match(await refused(session, 'read_file', { path: '%2eenv' }), /^FS_REFUSED/);
  });

  test('a path outside the folder is refused, whatever the policy says, and nothing is asked of any file system', async (t) => {
    const files = filesOf();
    files.files.set('memfs://host/app-evil/a.ts', Buffer.from('one'));
    files.files.set('memfs://other/app/a.ts', Buffer.from('one'));
    const session = await offDisk(t, files, { policy: { layers: [layer([{ decision: 'allow' }, { path: '/**', decision: 'allow' }])] }, answer: 'allowed' });
    for (const path of ['memfs://host/app-evil/a.ts', 'memfs://other/app/a.ts', 'vfs://host/app/src/a.ts', 'MEMFS://host/app/src/a.ts', '../app-evil/a.ts', '../../etc/passwd', `${app}/../app-evil/a.ts`, 'https://host/app', 'src/a.ts?x', 'src/%61.ts', 'src\\a.ts', 'memfs://', 'untitled://x/y']) {
      assert.match(await refused(session, 'read_file', { path }), /^FS_REFUSED/, path);
      assert.match(await refused(session, 'write_file', { path, content: 'x' }), /^FS_REFUSED/, path);
    }
    for (const path of ['memfs://host/app-evil/a.ts', '../x', 'vfs://host/app/a.ts']) assert.throws(() => session.roots.absolute(path), /lies in no folder that is open here/);
    assert.deepEqual(session.asks, []);
    stayedInside(files);
  });

  test('a link is not followed, and neither is one on the way', async (t) => {
    const files = filesOf({ 'a.ts': 'one', 'dir/b.ts': 'one' });
    for (const link of ['a.ts', 'dir']) files.links.add(`${app}/${link}`);
    const session = await offDisk(t, files, { answer: 'allowed' });
    for (const path of ['a.ts', 'dir/b.ts', 'dir/new.ts']) assert.match(await refused(session, 'write_file', { path, content: 'x' }), /^FS_REFUSED: .* is a link/, path);
    assert.match(textOf(await session.propose('search_text', { query: 'one' })), /^\[0 matches in 0 files searched\]/);
    const read = files.read.bind(files);
    files.links.clear();
    files.read = (path) => {
      files.links.add(`${app}/dir`);
      return read(path);
    };
    assert.match(textOf(await session.propose('search_text', { query: 'one' })), /^a\.ts:1: one\n\[1 match in 1 file searched\]\n\[not searched: dir\/b\.ts \(cannot be read\)\]/);
  });

  test('a name that leads elsewhere is listed, and never entered', async (t) => {
    const files = filesOf({ 'a.ts': 'one' });
    files.listed.push({ name: '../app-evil', type: 'directory' }, { name: '..', type: 'directory' }, { name: 'x/../../y.ts', type: 'file' }, { name: '%2e%2e', type: 'directory' });
    files.files.set('memfs://host/app-evil/b.ts', Buffer.from('one'));
    const session = await offDisk(t, files);
    assert.match(textOf(await session.propose('search_text', { query: 'one' })), /^a\.ts:1: one\n\[1 match in 1 file searched\]/);
    assert.equal(textOf(await session.propose('find_files', { pattern: '**' })).split('\n')[0], 'a.ts');
    assert.match(textOf(await session.propose('list_directory', {})), /a\.ts {2}3/);
    stayedInside(files);
  });

  test('what moved while the card was open makes the permit stale', async (t) => {
    const moves: Readonly<Record<string, (files: MemoryFiles, session: Session) => void>> = {
      content: (files) => void files.files.set(`${app}/src/a.ts`, Buffer.from('one\ntyped\n')),
      gone: (files) => void files.files.delete(`${app}/src/a.ts`),
      link: (files) => void files.links.add(`${app}/src/a.ts`),
      'a link on the way': (files) => void files.links.add(`${app}/src`),
      policy: (_files, session) => session.setPolicy({ layers: [layer([{ effect: 'write', decision: 'deny' }])] }),
    };
    for (const [what, move] of Object.entries(moves)) {
      const files = filesOf();
      const session = await offDisk(t, files);
      await session.read('src/a.ts');
      let world: unknown = null;
      session.setAnswer(() => {
        move(files, session);
        world = files.all();
        return { approval: 'allowed', reason: '' };
      });
      assert.equal(codeOf(await session.propose('edit_file', { path: 'src/a.ts', edits })), 'STALE_PERMIT', what);
      assert.deepEqual(files.all(), world, what);
    }
  });

  test('a file system that writes something else: the call fails, and the file must be read again', async (t) => {
    const files = filesOf();
    const session = await offDisk(t, files, { answer: 'allowed' });
    await session.read('src/a.ts');
    files.land = (path) => void files.files.set(path, Buffer.from('something one'));
    assert.match(await refused(session, 'edit_file', { path: 'src/a.ts', edits }), /^TOOL_FAILED: .* a file of 13 bytes/);
    assert.match(await refused(session, 'edit_file', { path: 'src/a.ts', edits }), /^FS_STALE/);
  });

  test('what is read-only is refused before anybody is asked', async (t) => {
    const files = filesOf();
    const session = await offDisk(t, files, { answer: 'allowed' });
    for (const path of ['src/a.ts', 'README.md']) await session.read(path);
    files.readOnlyFiles.add(`${app}/README.md`);
    assert.match(await refused(session, 'edit_file', { path: 'README.md', edits }), /^FS_REFUSED: Cannot change README\.md: the file is read-only/);
    files.whyReadOnly = 'it is a museum.';
    assert.match(await refused(session, 'write_file', { path: 'new.ts', content: 'x' }), /^FS_REFUSED: Cannot change new\.ts: it is a museum\./);
    assert.deepEqual(session.asks, []);
  });

  test('unsaved text is read, and changed in the editor', async (t) => {
    const files = filesOf();
    const documents = new Buffers();
    documents.texts.set(`${app}/src/a.ts`, 'one, typed\n');
    const session = await offDisk(t, files, { answer: 'allowed', host: { documents } });
    assert.equal(textOf(await session.propose('read_file', { path: 'src/a.ts' })), '1\tone, typed');
    assert.equal(codeOf(await session.propose('edit_file', { path: 'src/a.ts', edits })), 'well');
    assert.deepEqual([documents.texts.get(`${app}/src/a.ts`), files.text(`${app}/src/a.ts`)], ['1, typed\n', 'one\ntwo\n']);
    await session.read('README.md');
    session.setAnswer(() => {
      documents.texts.set(`${app}/README.md`, 'typed');
      return { approval: 'allowed', reason: '' };
    });
    assert.equal(codeOf(await session.propose('edit_file', { path: 'README.md', edits })), 'STALE_PERMIT');
  });

  test('a file that cannot be reached is an error that says so, and one that is too large is not fetched', async (t) => {
    const files = filesOf();
    const session = await offDisk(t, files);
    const status = files.status.bind(files);
    files.status = async (path) => (path.endsWith('large.bin') ? { type: 'file', size: 21 * 1024 * 1024, readOnly: false } : status(path));
    files.read = (path) => Promise.reject(new CodedError('FS_REFUSED', `${path} cannot be used: offline`));
    assert.match(await refused(session, 'read_file', { path: 'src/a.ts' }), /^FS_REFUSED: .*offline/);
    assert.match(await refused(session, 'read_file', { path: 'large.bin' }), /^FS_REFUSED: .* has 22020096 bytes/);
    assert.match(textOf(await session.propose('search_text', { query: 'one' })), /\[0 matches in 0 files searched\]\n\[not searched: README\.md \(cannot be read\), src\/a\.ts \(cannot be read\)\]/);
  });
});

suite('folders on disk and off it together', () => {
  test('each is named, and neither lies in the other', async (t) => {
    const files = filesOf();
    const session = await sessionHost(t, { folders: ['ws'], files: { 'ws/a.ts': 'one\n' }, foreign: files, answer: 'allowed' });
    assert.equal(textOf(await session.propose('find_files', { pattern: '*.ts' })), 'ws/a.ts\napp/src/a.ts');
    assert.equal(textOf(await session.propose('search_text', { query: 'one' })).split('\n').slice(0, 3).join('|'), 'ws/a.ts:1: one|app/README.md:1: one|app/src/a.ts:1: one');
    for (const path of ['ws/a.ts', 'app/src/a.ts']) {
      await session.read(path);
      assert.equal(codeOf(await session.propose('edit_file', { path, edits })), 'well');
    }
    assert.deepEqual([(await session.world())['ws/a.ts'], files.text(`${app}/src/a.ts`)], ['1\n', '1\ntwo\n']);
    assert.match(await refused(session, 'read_file', { path: 'app/../ws/a.ts' }), /^FS_REFUSED/);
  });

  test('without such a folder every such path is refused', async (t) => {
    const session = await sessionHost(t, { files: { 'a.ts': 'one' }, policy: { layers: [layer([{ decision: 'allow' }])] } });
    for (const path of ['memfs://host/app/a.ts', 'vscode-vfs://github/o/r/a.ts']) {
      for (const [name, args] of [['read_file', { path }], ['list_directory', { path }], ['write_file', { path, content: '' }], ['find_files', { path, pattern: '*' }]] as const) assert.match(await refused(session, name, args), /^FS_REFUSED/);
    }
    assert.deepEqual(await session.world(), { 'home/': '', 'outside/': '', 'ws/': '', 'ws/a.ts': 'one' });
  });

  test('a folder that does not exist, or is a file, is none', async () => {
    for (const path of ['memfs://host/app/none', 'memfs://host/app/README.md']) {
      const files = new MemoryFiles([path], filesOf().all());
      if (path.endsWith('none')) files.status = () => Promise.resolve(null);
      await assert.rejects(Roots.of([{ name: 'x', path }], undefined, files), (error: unknown) => error instanceof CodedError && error.code === 'FS_NOT_FOUND');
    }
    await assert.rejects(Roots.of([{ name: 'x', path: app }]), (error: unknown) => error instanceof CodedError && error.code === 'FS_REFUSED');
  });
});

suite('undo off the disk', () => {
  const undoable = async (t: TestContext, files: MemoryFiles): Promise<Undoing> => undoing(t, { folders: [], foreign: files });

  test('an edit, a new file and a deletion are taken back, and the undo of that too', async (t) => {
    const files = filesOf();
    const session = await undoable(t, files);
    const before = files.all();
    const calls = [await session.edited('src/a.ts', 'one', '1'), await session.made('write_file', { path: 'new.ts', content: 'new\n' })];
    await session.read('README.md');
    calls.push(await session.made('remove', { path: 'README.md' }));
    const after = files.all();
    assert.deepEqual(after, { [`${app}/src/a.ts`]: '1\ntwo\n', [`${app}/new.ts`]: 'new\n' });
    const undo = await session.undone(...calls);
    assert.deepEqual(files.all(), before);
    await session.undone(undo);
    assert.deepEqual(files.all(), after);
  });

  test('what was changed since is kept', async (t) => {
    const files = filesOf({ 'a.txt': '1\n2\n3\n4\n5\n6\n7\n' });
    const session = await undoable(t, files);
    const call = await session.edited('a.txt', '2', 'two');
    files.files.set(`${app}/a.txt`, Buffer.from('1\ntwo\n3\n4\n5\nsix\n7\n'));
    await session.undone(call);
    assert.equal(files.text(`${app}/a.txt`), '1\n2\n3\n4\n5\nsix\n7\n');
  });
});

test('an effect off the disk is judged by its canonical path, and no program runs there', async (t) => {
  const files = filesOf();
  const read = (path: string) => plainTool({ effects: () => ({ effects: [{ kind: 'read', path: path as never, extent: 'file', except: [] }], claims: [], content: new Map() }) });
  for (const path of [`${app}/../x`, `${app}/src/`, 'memfs://host/app/%2eenv', `${app}//a`]) {
    const session = await offDisk(t, files, { tools: [read(path)] });
    assert.equal(codeOf(await session.propose('plain', {})), 'INVALID_EFFECTS', path);
  }
  const outside = await offDisk(t, files, { tools: [read('memfs://other/app/a')], policy: { layers: [layer([{ decision: 'allow' }])] }, answer: 'allowed' });
  assert.equal(codeOf(await outside.propose('plain', {})), 'FS_REFUSED');
  const run = await offDisk(t, files, { tools: [plainTool({ effects: () => ({ effects: [{ kind: 'run', program: '/bin/ls' as never, argv: [], cwd: app as never, grant: 'a'.repeat(64) as never, background: false }], claims: [], content: new Map() }) })] });
  assert.equal(codeOf(await run.propose('plain', {})), 'INVALID_EFFECTS');
});
