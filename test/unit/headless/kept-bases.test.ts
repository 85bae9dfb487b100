import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sha256 } from '../../../extension/boundary/digest.ts';
import { headless, temporaryWorkspace } from './in-process.ts';

const calls = [{ id: 'r', name: 'read_file', arguments: { path: 'a.txt' } }, { id: 'w', name: 'write_file', arguments: { path: 'a.txt', content: 'new\n' } }];

test('with a state folder, what a write replaced is kept there, byte for byte', async (t) => {
  const { base, folder } = await temporaryWorkspace(t, { 'a.txt': 'old\r\n' });
  const state = join(base, 'state');
  await headless(['run', '--workspace', folder, '--answer', 'allow', '--state', state], calls);
  assert.equal(await readFile(join(folder, 'a.txt'), 'utf8'), 'new\n');
  const digest = sha256('old\r\n');
  assert.equal(await readFile(join(state, 'objects', digest.slice(0, 2), digest.slice(2)), 'utf8'), 'old\r\n');
});

for (const [what, options] of [['in a dry run', ['--answer', 'allow', '--dry-run']], ['for a write that is denied', ['--answer', 'deny']]] as const) {
  test(`nothing is kept ${what}`, async (t) => {
    const { base, folder } = await temporaryWorkspace(t, { 'a.txt': 'old\r\n' });
    await headless(['run', '--workspace', folder, '--state', join(base, 'state'), ...options], calls);
    assert.equal((await readdir(base)).includes('state') && (await readdir(join(base, 'state'))).includes('objects'), false);
  });
}
