import assert from 'node:assert/strict';
import { chmod, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { sha256 } from '../../../extension/boundary/digest.ts';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { MemoryObjectStore } from '../../../extension/files/object-store.ts';
import type { OpenDocuments } from '../../../extension/files/open-documents.ts';
import { Buffers } from '../pipeline/buffers.ts';
import { codeOf, textOf } from '../pipeline/plain-tool.ts';
import { layer } from '../pipeline/session-host.ts';
import { undoing } from './undoing.ts';

const poem = '1\n2\n3\n4\n5\n6\n7\n8\n9\n';

suite('undo of one call', () => {
  test('an edit: the file is byte for byte as it was, and so it is after the undo of the undo', async (t) => {
    const before = '\uFEFFone\r\ntwo\nthree';
    const session = await undoing(t, { files: { 'a.txt': before } });
    const call = await session.edited('a.txt', 'two', '2');
    const after = await readFile(session.at('a.txt'));
    const undo = await session.undone(call);
    assert.equal(await readFile(session.at('a.txt'), 'utf8'), before);
    await session.undone(undo);
    assert.deepEqual(await readFile(session.at('a.txt')), after);
  });

  test('a created file is deleted, and there again after the undo of that', async (t) => {
    const session = await undoing(t);
    const call = await session.made('write_file', { path: 'deep/new.txt', content: 'new\n' });
    const undo = await session.undo(call);
    assert.equal(textOf(undo), 'Undone: deep/new.txt (deleted). What was changed since is kept.');
    assert.deepEqual(Object.keys(await session.world()), ['home/', 'outside/', 'ws/', 'ws/deep/']);
    await session.undone(undo.call);
    assert.equal((await session.world())['ws/deep/new.txt'], 'new\n');
  });

  test('a deleted file is there again', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': 'old\n' } });
    await session.read('a.txt');
    const call = await session.made('remove', { path: 'a.txt' });
    assert.equal('ws/a.txt' in await session.world(), false);
    await session.undone(call);
    assert.equal((await session.world())['ws/a.txt'], 'old\n');
  });

  test('bytes that are no text are put back exactly; where they changed since, nothing is done', async (t) => {
    const session = await undoing(t, { files: { 'a.bin': 'old' } });
    await session.read('a.bin');
    const call = await session.made('write_file', { path: 'a.bin', content: 'new' });
    await writeFile(session.at('a.bin'), Buffer.from([0xff, 0, 1]));
    const refused = await session.undo(call);
    assert.equal(codeOf(refused), 'FS_STALE');
    assert.match(textOf(refused), /Nothing was undone.*a\.bin was changed since, and it is not UTF-8 text/);
    await writeFile(session.at('a.bin'), 'new');
    await session.undone(call);
    assert.equal((await session.world())['ws/a.bin'], 'old');
  });

  test('what the person changed elsewhere in the file is kept', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem } });
    const call = await session.edited('a.txt', '2', 'two');
    await writeFile(session.at('a.txt'), (await readFile(session.at('a.txt'), 'utf8')).replace('8', 'eight'));
    await session.undone(call);
    assert.equal((await session.world())['ws/a.txt'], poem.replace('8', 'eight'));
  });

  test('what the person changed in the same place is not undone: the file, the lines and both texts are named', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem } });
    const call = await session.edited('a.txt', '5', 'five');
    const now = `top\n${poem.replace('5', 'FIVE!')}`;
    await writeFile(session.at('a.txt'), now);
    const outcome = await session.undo(call);
    assert.equal(codeOf(outcome), 'FS_STALE');
    assert.equal(textOf(outcome), 'FS_STALE: Nothing was undone. a.txt was changed since in the same place, line 6:\nNow it is\n> FIVE!\nand before the call it was\n> 5\nChange it by hand.');
    assert.deepEqual([(await session.world())['ws/a.txt'], session.ledger.canUndo(call)], [now, true]);
  });

  test('a created file that was changed since is not deleted', async (t) => {
    const session = await undoing(t);
    const call = await session.made('write_file', { path: 'a.txt', content: 'new\n' });
    await writeFile(session.at('a.txt'), 'new\nmine\n');
    const outcome = await session.undo(call);
    assert.match(textOf(outcome), /^FS_STALE: Nothing was undone\. a\.txt was created by the call and changed since/);
    assert.equal((await session.world())['ws/a.txt'], 'new\nmine\n');
  });

  const refusals: readonly (readonly [string, (path: RealPath) => Promise<void>, RegExp])[] = [
    ['was deleted since', (path) => unlink(path), /was changed by the call and deleted since/],
    ['is a link by now', async (path) => { await unlink(path); await symlink('/etc/hostname', path); }, /is a link by now|DENIED|outside/],
  ];
  for (const [what, change, words] of refusals) {
    test(`an edited file that ${what} is left as it is`, async (t) => {
      const session = await undoing(t, { files: { 'a.txt': poem } });
      const call = await session.edited('a.txt', '5', 'five');
      await change(session.at('a.txt'));
      const world = await session.world();
      const outcome = await session.undo(call);
      assert.match(textOf(outcome), words);
      assert.deepEqual(await session.world(), world);
    });
  }

  test('where there is nothing to undo it says so: a call without changes, one that is undone, a file put back by hand', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem } });
    const call = await session.edited('a.txt', '5', 'five');
    assert.match(textOf(await session.undo('c1')), /^EDIT_INVALID: This call changed no file/);
    assert.match(textOf(await session.undo('none', 'c1')), /^EDIT_INVALID: These calls changed no files/);
    await writeFile(session.at('a.txt'), poem);
    assert.match(textOf(await session.undo(call)), /^EDIT_INVALID: There is nothing to undo/);
    await writeFile(session.at('a.txt'), `mine\n${poem}`);
    assert.match(textOf(await session.undo(call)), /^EDIT_INVALID: There is nothing to undo/);
  });
});

suite('undo of several calls', () => {
  for (const [what, order] of [['the newer first', [1, 0]], ['the older first', [0, 1]]] as const) {
    test(`two calls on one file, undone one after the other, ${what}`, async (t) => {
      const session = await undoing(t, { files: { 'a.txt': poem } });
      const calls = [await session.edited('a.txt', '2', 'two'), await session.edited('a.txt', '8', 'eight')];
      for (const at of order) await session.undone(calls[at] ?? '');
      assert.equal((await session.world())['ws/a.txt'], poem);
    });

    test(`two calls on one line, undone together, named ${what}`, async (t) => {
      const session = await undoing(t, { files: { 'a.txt': poem } });
      const calls = [await session.edited('a.txt', '2', 'two'), await session.edited('a.txt', 'two', 'zwei')];
      await session.undone(...order.map((at) => calls[at] ?? ''));
      assert.equal((await session.world())['ws/a.txt'], poem);
    });
  }

  test('the older of two calls on one line is not undone under the newer', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem } });
    const older = await session.edited('a.txt', '2', 'two');
    await session.edited('a.txt', 'two', 'zwei');
    assert.match(textOf(await session.undo(older)), /line 2:\nNow it is\n> zwei\nand before the call it was\n> 2\n/);
  });

  test('a conflict under a newer change is named by the lines of the file as it is', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem } });
    const calls = [await session.edited('a.txt', '8', 'eight'), await session.edited('a.txt', '2', 'two\ntwo and a half')];
    await writeFile(session.at('a.txt'), (await readFile(session.at('a.txt'), 'utf8')).replace('eight', 'mine'));
    assert.match(textOf(await session.undo(...calls)), /line 9:\nNow it is\n> mine\nand before the call it was\n> 8\n/);
  });

  test('a file that was created, edited and deleted by the person meanwhile stands in the way of nothing', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem } });
    const calls = [await session.made('write_file', { path: 'new.txt', content: 'x\n' }), await session.edited('new.txt', 'x', 'y'), await session.edited('a.txt', '2', 'two')];
    await unlink(session.at('new.txt'));
    await session.undone(...calls);
    assert.deepEqual(await session.world(), { 'home/': '', 'outside/': '', 'ws/': '', 'ws/a.txt': poem });
  });

  test('one conflict among several files, and nothing is changed; without it all are', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem, 'b.txt': poem, 'c.txt': 'old\n' } });
    const calls = [await session.edited('a.txt', '2', 'two'), await session.edited('b.txt', '2', 'two'), await session.made('write_file', { path: 'new.txt', content: 'new' }), await session.edited('a.txt', '8', 'eight')];
    await writeFile(session.at('b.txt'), poem.replace('2', 'mine'));
    const world = await session.world();
    const outcome = await session.undo(...session.ledger.since(0));
    assert.match(textOf(outcome), /^FS_STALE: Nothing was undone\. b\.txt was changed since in the same place, line 2/);
    assert.deepEqual(await session.world(), world);
    await session.undone(...calls.filter((call) => call !== calls[1]));
    assert.deepEqual(await session.world(), { 'home/': '', 'outside/': '', 'ws/': '', 'ws/a.txt': poem, 'ws/b.txt': poem.replace('2', 'mine'), 'ws/c.txt': 'old\n' });
  });

  test('a file that moves while the card is open, and nothing is changed: the deletion neither', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem } });
    const calls = [await session.made('write_file', { path: 'new.txt', content: 'new' }), await session.edited('a.txt', '2', 'two')];
    session.setPolicy({});
    session.setAnswer(async () => {
      await writeFile(session.at('a.txt'), 'theirs');
      return { approval: 'allowed', reason: '' };
    });
    assert.equal(codeOf(await session.undo(...calls)), 'STALE_PERMIT');
    assert.deepEqual(await session.world(), { 'home/': '', 'outside/': '', 'ws/': '', 'ws/a.txt': 'theirs', 'ws/new.txt': 'new' });
  });
});

suite('undo is a call like any other', () => {
  test('the person is asked with a diff of each file; a no changes nothing', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': 'old\n' } });
    const calls = [await session.edited('a.txt', 'old', 'new'), await session.made('write_file', { path: 'new.txt', content: 'x\ny\n' })];
    session.setPolicy({});
    session.setAnswer('denied');
    assert.equal(codeOf(await session.undo(...calls)), 'DENIED_BY_PERSON');
    const [ask] = session.asks;
    assert.deepEqual(ask?.content.diffs.map(({ display, change, added, removed }) => ({ display, change, added, removed })), [
      { display: 'new.txt', change: 'delete', added: 0, removed: 2 }, { display: 'a.txt', change: 'edit', added: 1, removed: 1 },
    ]);
    assert.deepEqual(ask?.files.map(({ base, result }) => [Buffer.from(base ?? []).toString(), result === null ? null : Buffer.from(result).toString()]), [['x\ny\n', null], ['new\n', 'old\n']]);
    assert.equal((await session.world())['ws/a.txt'], 'new\n');
  });

  test('mode Plan denies it, and a rule on its effects decides', async (t) => {
    const session = await undoing(t);
    const call = await session.made('write_file', { path: 'new.txt', content: 'x' });
    session.setPolicy({ mode: 'plan' });
    const planned = await session.undo(call);
    assert.deepEqual([codeOf(planned), planned.verdict?.decidedBy], ['DENIED_BY_POLICY', 'mode Plan']);
    session.setPolicy({ layers: [layer([{ effect: 'delete', decision: 'deny' }])] });
    assert.equal(codeOf(await session.undo(call)), 'DENIED_BY_POLICY');
    session.setPolicy({ layers: [layer([{ effect: 'read', path: 'new.txt', decision: 'deny' }])] });
    assert.equal(codeOf(await session.undo(call)), 'DENIED_BY_POLICY');
    assert.equal((await session.world())['ws/new.txt'], 'x');
  });

  test('a deletion of what is protected asks whatever a rule allows', async (t) => {
    const session = await undoing(t, { answer: 'allowed' });
    const call = await session.made('write_file', { path: '.vscode/tasks.json', content: '{}' });
    assert.equal(session.asks.length, 1);
    await session.undone(call);
    assert.match(session.asks[1]?.content.warnings.join() ?? '', /delete .*tasks\.json: it is protected/);
  });

  test('for a model it does not exist: not by its name, not as a hint, not among the schemas', async (t) => {
    const session = await undoing(t);
    const call = await session.made('write_file', { path: 'new.txt', content: 'x' });
    for (const name of ['undo_changes', 'undo_change']) {
      const outcome = await session.propose(name, { calls: [call] });
      assert.equal(codeOf(outcome), 'UNKNOWN_TOOL');
      assert.equal(textOf(outcome).replace(`There is no tool "${name}"`, '').includes('undo'), false, textOf(outcome));
    }
    assert.equal(session.registry.schemas().some(({ name }) => name === 'undo_changes'), false);
    assert.equal((await session.world())['ws/new.txt'], 'x');
  });

  test('after it the model does not know the file: what the person wrote into it is not written over', async (t) => {
    const session = await undoing(t, { files: { 'a.txt': poem } });
    const call = await session.edited('a.txt', '2', 'two');
    await writeFile(session.at('a.txt'), `${await readFile(session.at('a.txt'), 'utf8')}mine\n`);
    await session.undone(call);
    assert.equal(codeOf(await session.propose('write_file', { path: 'a.txt', content: 'all new' })), 'FS_STALE');
  });
});

suite('what a change replaces is kept first', () => {
  test('where it cannot be kept, nothing is written', async (t) => {
    const objects = { put: () => Promise.reject(new Error('ENOSPC: no space left on device')), get: () => Promise.resolve(null) };
    const session = await undoing(t, { files: { 'a.txt': 'old\n' }, host: { objects } });
    await session.read('a.txt');
    for (const [tool, args] of [['edit_file', { path: 'a.txt', edits: [{ oldText: 'old', newText: 'new' }] }], ['remove', { path: 'a.txt' }], ['write_file', { path: 'new.txt', content: 'x' }]] as const) {
      const outcome = await session.propose(tool, args);
      assert.equal(codeOf(outcome), 'FS_REFUSED');
      assert.match(textOf(outcome), /cannot be kept for an undo, so nothing was written\. Ask the person to free disk space/);
    }
    assert.deepEqual(await session.world(), { 'home/': '', 'outside/': '', 'ws/': '', 'ws/a.txt': 'old\n' });
  });

  test('bytes that are gone or damaged are said to be; nothing is undone', async (t) => {
    const whole = new MemoryObjectStore();
    let given: (bytes: Uint8Array | null) => Uint8Array | null = (bytes) => bytes;
    const objects = { put: (bytes: Uint8Array) => whole.put(bytes), get: async (digest: ReturnType<typeof sha256>) => given(await whole.get(digest)) };
    const session = await undoing(t, { files: { 'a.txt': 'old\n' }, host: { objects } });
    const call = await session.edited('a.txt', 'old', 'new');
    for (const lost of [() => null, () => Buffer.from('other')]) {
      given = lost;
      const outcome = await session.undo(call);
      assert.equal(textOf(outcome), 'FS_NOT_FOUND: Nothing was undone. What stood in a.txt before is not kept any more, or is damaged.');
    }
    assert.equal((await session.world())['ws/a.txt'], 'new\n');
  });
});

test('undo since a message takes the edits of the model away and leaves those of the person, wherever they lie', async (t) => {
  const edit = fc.record({ by: fc.constantFrom('model', 'person'), with: fc.constantFrom('change', 'insert', 'delete') });
  await fc.assert(fc.asyncProperty(fc.uniqueArray(fc.nat(9), { minLength: 1 }), fc.array(edit, { minLength: 10, maxLength: 10 }), async (places, edits) => {
    const original = Array.from({ length: 40 }, (_, n) => `line ${n}\n`);
    const session = await undoing(t, { files: { 'a.txt': original.join('') } });
    const mine = [...original];
    session.log.append({ type: 'user', turn: 't', text: 'Do it.' });
    for (const [n, place] of places.entries()) {
      const { by, with: how } = edits[n] ?? { by: 'model', with: 'change' };
      // Four lines apart, so that none touch.
      const line = original[place * 4 + 1] ?? '';
      const instead = { change: `changed ${line}`, insert: `${line}more of ${line}`, delete: '' }[how];
      if (by === 'model') {
        await session.edited('a.txt', line, instead);
      } else {
        await writeFile(session.at('a.txt'), (await readFile(session.at('a.txt'), 'utf8')).replace(line, () => instead));
        mine[place * 4 + 1] = instead;
      }
    }
    const calls = session.ledger.since(1);
    if (calls.length > 0) await session.undone(...calls);
    assert.equal(await readFile(session.at('a.txt'), 'utf8'), mine.join(''));
    assert.deepEqual(session.ledger.since(1), []);
  }), { numRuns: 15 });
});

suite('undo in a document with unsaved changes', () => {
  test('of an edit that was made there is made there, around what was typed since; the file on disk is not touched', async (t) => {
    const documents = new Buffers();
    const session = await undoing(t, { files: { 'a.txt': poem }, host: { documents } });
    const at = session.at('a.txt');
    documents.texts.set(at, `typed\n${poem}`);
    const call = await session.edited('a.txt', '2', 'two');
    documents.texts.set(at, `${documents.texts.get(at)}typed later\n`);
    const undo = await session.undone(call);
    assert.deepEqual([documents.texts.get(at), await readFile(at, 'utf8')], [`typed\n${poem}typed later\n`, poem]);
    await session.undone(undo);
    assert.equal(documents.texts.get(at), `typed\n${poem.replace('2', 'two')}typed later\n`);
  });

  test('of an edit that was made on disk is made in the document that has become unsaved since', async (t) => {
    const documents = new Buffers();
    const session = await undoing(t, { files: { 'a.txt': poem }, host: { documents } });
    const call = await session.edited('a.txt', '2', 'two');
    const after = await readFile(session.at('a.txt'), 'utf8');
    documents.texts.set(session.at('a.txt'), after.replace('8', 'eight'));
    await session.undone(call);
    assert.deepEqual([documents.texts.get(session.at('a.txt')), await readFile(session.at('a.txt'), 'utf8')], [poem.replace('8', 'eight'), after]);
  });

  test('that takes no edit is refused before anybody is asked', async (t) => {
    const documents = new Buffers();
    const session = await undoing(t, { files: { 'a.txt': poem }, host: { documents } });
    const call = await session.edited('a.txt', '2', 'two');
    documents.texts.set(session.at('a.txt'), await readFile(session.at('a.txt'), 'utf8'));
    documents.unfit.set(session.at('a.txt'), 'its line ends are mixed');
    session.setPolicy({});
    assert.match(textOf(await session.undo(call)), /^FS_DIRTY: .*its line ends are mixed/);
    assert.equal(session.asks.length, 0);
  });
});

suite('a deletion', () => {
  test('of a file with unsaved changes in the editor is refused, planned or signed', async (t) => {
    let unsaved: ReturnType<OpenDocuments['unsaved']> = null;
    const documents: OpenDocuments = { unsaved: () => unsaved, replace: () => Promise.reject(new CodedError('STALE_PERMIT', 'no')) };
    const session = await undoing(t, { host: { documents } });
    const call = await session.made('write_file', { path: 'new.txt', content: 'x\n' });
    const bytes = Buffer.from('x\n');
    const open = { bytes, digest: sha256(bytes), unfit: null };
    session.setPolicy({});
    session.setAnswer(() => {
      unsaved = open;
      return { approval: 'allowed', reason: '' };
    });
    assert.equal(codeOf(await session.undo(call)), 'STALE_PERMIT');
    assert.match(textOf(await session.undo(call)), /^FS_DIRTY: Nothing was undone\. new\.txt would be deleted, and it has unsaved changes/);
    assert.equal((await session.world())['ws/new.txt'], 'x\n');
  });

  test('of a read-only file is refused before anybody is asked', async (t) => {
    const session = await undoing(t);
    const call = await session.made('write_file', { path: 'new.txt', content: 'x\n' });
    await chmod(session.at('new.txt'), 0o444);
    session.setPolicy({});
    const outcome = await session.undo(call);
    assert.deepEqual([codeOf(outcome), (await stat(session.at('new.txt'))).mode & 0o777], ['FS_REFUSED', 0o444]);
    assert.equal(session.asks.length, 0);
  });
});
