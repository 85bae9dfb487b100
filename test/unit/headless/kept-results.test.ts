import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { headless, temporaryWorkspace } from './in-process.ts';

const calls = [
  { id: 'a', name: 'search_text', arguments: { query: 'needle', contextLines: 5 } },
  { id: 'b', name: 'read_file', arguments: { path: 'countersign-result:s1.1', startLine: 1, endLine: 2 } },
];
const files = { 'a.txt': Array.from({ length: 2000 }, (_, n) => `needle ${n} ${'x'.repeat(100)}\n`).join('') };

test('a result that was cut is read again by the next call, from the state folder or from memory', async (t) => {
  const { base, folder } = await temporaryWorkspace(t, files);
  const state = join(base, 'state');
  for (const options of [['--state', state], []]) {
    const { stdout } = await headless(['run', '--workspace', folder, ...options], calls);
    const [cut = '', read = ''] = stdout.trimEnd().split('\n');
    assert.match(cut, /call read_file with the path \\"countersign-result:s1\.1\\", startLine \d+ and endLine \d+/);
    assert.match(read, /"decidedBy":"built-in: results"[\s\S]*"isError":false/);
  }
  const [session = ''] = await readdir(join(state, 'results'));
  assert.deepEqual(await readdir(join(state, 'results', session)), ['s1.1.txt']);
});
