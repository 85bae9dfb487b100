import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { Buffers } from './buffers.ts';
import { codeOf, plainTool, textOf } from './plain-tool.ts';
import { layer, sessionHost, type Session, type SessionSetup } from './session-host.ts';

const edit = (path: string): object => ({ path, edits: [{ oldText: 'old', newText: 'new' }] });
const create = (path: string): object => ({ path, content: 'new' });

interface Move {
  readonly what: string;
  readonly setup?: SessionSetup;
  /** Before the call is proposed. */
  readonly prepare?: (session: Session) => Promise<void>;
  readonly tool: 'edit_file' | 'write_file';
  readonly args: object;
  /** Read before, so that it may be edited. */
  readonly observe?: string;
  /** What happens while the card is open. */
  readonly move: (session: Session) => Promise<void>;
}

const files = { files: { 'src/a.ts': 'old text\n', 'src/b.ts': 'old neighbour\n' }, outside: { 'a.ts': 'old outside\n', 'dir/a.ts': 'old outside\n' } };
const swapFolder = async (session: Session, target: string): Promise<void> => {
  await rename(session.at('src'), session.at('src-before'));
  await symlink(session.at(target), session.at('src'));
};

const moves: readonly Move[] = [
  { what: "the file's content changed", tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts', move: (s) => writeFile(s.at('src/a.ts'), 'old text, and more\n') },
  { what: 'the file was deleted', tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts', move: (s) => unlink(s.at('src/a.ts')) },
  {
    what: 'the file was replaced by a link to one with the same content', tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts',
    move: async (s) => { await writeFile(s.at('../outside/same'), 'old text\n'); await unlink(s.at('src/a.ts')); await symlink(s.at('../outside/same'), s.at('src/a.ts')); },
  },
  { what: 'the file became a folder', tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts', move: async (s) => { await unlink(s.at('src/a.ts')); await mkdir(s.at('src/a.ts')); } },
  {
    what: 'the link that was named was re-pointed', prepare: (s) => symlink('src/a.ts', s.at('link')), tool: 'edit_file', args: edit('link'), observe: 'link',
    move: async (s) => { await unlink(s.at('link')); await symlink(s.at('../outside/a.ts'), s.at('link')); },
  },
  {
    what: 'the link that was named leads nowhere', prepare: (s) => symlink('src/a.ts', s.at('link')), tool: 'edit_file', args: edit('link'), observe: 'link',
    move: async (s) => { await unlink(s.at('link')); await symlink('nowhere', s.at('link')); },
  },
  { what: 'the folder was swapped for a link to one outside', tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts', move: (s) => swapFolder(s, '../outside/dir') },
  { what: 'the folder was swapped for a link to itself', tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts', move: (s) => swapFolder(s, 'src-before') },
  { what: 'the folder is gone', tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts', move: (s) => rm(s.at('src'), { recursive: true }) },
  { what: 'a file appeared where one was to be created', tool: 'write_file', args: create('src/new.ts'), move: (s) => writeFile(s.at('src/new.ts'), 'theirs') },
  { what: 'the same file appeared where one was to be created', tool: 'write_file', args: create('src/new.ts'), move: (s) => writeFile(s.at('src/new.ts'), 'new') },
  { what: 'a link appeared where a file was to be created', tool: 'write_file', args: create('src/new.ts'), move: (s) => symlink(s.at('../outside/a.ts'), s.at('src/new.ts')) },
  { what: 'a dangling link appeared where a file was to be created', tool: 'write_file', args: create('src/new.ts'), move: (s) => symlink(s.at('../outside/none'), s.at('src/new.ts')) },
  { what: 'the folder of a new file was swapped for a link', tool: 'write_file', args: create('src/new.ts'), move: (s) => swapFolder(s, '../outside/dir') },
  { what: 'a link appeared where folders were to be created', tool: 'write_file', args: create('deep/er/new.ts'), move: (s) => symlink(s.at('../outside/dir'), s.at('deep')) },
  { what: 'a file appeared where a folder was to be created', tool: 'write_file', args: create('deep/new.ts'), move: (s) => writeFile(s.at('deep'), 'theirs') },
  { what: 'the policy denies by now', tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts', move: async (s) => s.setPolicy({ layers: [layer([{ effect: 'write', decision: 'deny' }])] }) },
  { what: 'reading the file is denied by now', tool: 'edit_file', args: edit('src/a.ts'), observe: 'src/a.ts', move: async (s) => s.setPolicy({ layers: [layer([{ effect: 'read', path: 'src/**', decision: 'deny' }])] }) },
  { what: 'the mode is Plan by now', tool: 'write_file', args: create('src/new.ts'), move: async (s) => s.setPolicy({ mode: 'plan' }) },
];

for (const { what, prepare, tool, args, observe, move } of moves) {
  test(`D12 after the approval ${what}: STALE_PERMIT, and nothing is written`, async (t) => {
    const session = await sessionHost(t, files);
    await prepare?.(session);
    if (observe !== undefined) await session.read(observe);
    let world: unknown = null;
    session.setAnswer(async () => {
      await move(session);
      world = await session.world();
      return { approval: 'allowed', reason: '' };
    });
    const outcome = await session.propose(tool, args);
    assert.equal(codeOf(outcome), 'STALE_PERMIT', textOf(outcome));
    assert.deepEqual(await session.world(), world);
    assert.deepEqual([session.asks.length, outcome.approval], [1, 'allowed']);
  });
}

test('D12 the document was edited in the editor after the approval: STALE_PERMIT', async (t) => {
  const documents = new Buffers();
  const session = await sessionHost(t, { ...files, host: { documents } });
  await session.read('src/a.ts');
  session.setAnswer(() => {
    documents.texts.set(session.at('src/a.ts'), 'typed');
    return { approval: 'allowed', reason: '' };
  });
  const outcome = await session.propose('edit_file', edit('src/a.ts'));
  assert.equal(codeOf(outcome), 'STALE_PERMIT');
  assert.match(textOf(outcome), /unsaved changes/);
  assert.equal((await session.world())['ws/src/a.ts'], 'old text\n');
});

test('D12 a policy that became laxer after the approval does not matter', async (t) => {
  const session = await sessionHost(t, files);
  session.setAnswer(() => {
    session.setPolicy({ layers: [layer([{ decision: 'allow' }])] });
    return { approval: 'allowed', reason: '' };
  });
  assert.equal(codeOf(await session.propose('write_file', create('src/new.ts'))), 'well');
});

const reads: readonly (readonly [string, string, object, (s: Session) => Promise<void>])[] = [
  ['the folder was swapped for a link', 'read_file', { path: 'src/a.ts' }, (s) => swapFolder(s, '../outside/dir')],
  ['the file was swapped for a link to a secret', 'read_file', { path: 'src/a.ts' }, async (s) => { await unlink(s.at('src/a.ts')); await symlink(s.at('.env'), s.at('src/a.ts')); }],
  ['the folder to list was swapped for a link', 'list_directory', { path: 'src' }, (s) => swapFolder(s, '../outside/dir')],
  ['the folder to search was swapped for a link', 'find_files', { pattern: '**', path: 'src' }, (s) => swapFolder(s, '../outside/dir')],
];
for (const [what, tool, args, move] of reads) {
  test(`D12 ${what} after a read was approved: STALE_PERMIT, and nothing of it is read`, async (t) => {
    const session = await sessionHost(t, { files: { ...files.files, '.env': 'KEY=hunter2' }, outside: files.outside, policy: { layers: [layer([{ effect: 'read', decision: 'ask' }])] } });
    session.setAnswer(async () => {
      await move(session);
      return { approval: 'allowed', reason: '' };
    });
    const outcome = await session.propose(tool, args);
    assert.equal(codeOf(outcome), 'STALE_PERMIT', textOf(outcome));
    assert.doesNotMatch(JSON.stringify(outcome), /hunter2|old outside/);
  });
}

test('D12 the folder of a file that the tool never looked at was swapped for a link: STALE_PERMIT', async (t) => {
  const session = await sessionHost(t, { ...files, policy: { layers: [layer([{ effect: 'read', decision: 'ask' }])] } });
  session.registry.register(plainTool({
    effects: () => ({ effects: [{ kind: 'read', path: session.at('src/a.ts'), extent: 'file', except: [] }], claims: [], content: new Map() }),
    execute: async (_args, run) => {
      for (const effect of run.effects) if (effect.kind === 'read') await run.perform(effect);
      return 'done';
    },
  }));
  session.setAnswer(async () => {
    await swapFolder(session, '../outside/dir');
    return { approval: 'allowed', reason: '' };
  });
  assert.equal(codeOf(await session.propose('plain', {})), 'STALE_PERMIT');
});

test('a folder that is swapped between performing a read and reading is noticed', async (t) => {
  const session = await sessionHost(t, files);
  session.registry.register(plainTool({
    effects: async (_args, look) => ({ effects: [{ kind: 'read', path: (await look.locate('src')).path, extent: 'tree', except: [] }], claims: [], content: new Map() }),
    execute: async (_args, run) => {
      const [effect] = run.effects;
      if (effect?.kind !== 'read') throw new Error('no read');
      const reader = await run.perform(effect);
      await swapFolder(session, '../outside/dir');
      const uses = [() => reader.entries(), () => reader.find('*'), () => reader.search({ query: 'old', include: [], exclude: [], contextLines: 0 }), () => reader.bytes()];
      for (const use of uses) await assert.rejects(use(), { code: 'STALE_PERMIT' });
      return 'done';
    },
  }));
  assert.equal(codeOf(await session.propose('plain', {})), 'well');
});
