import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { folderOutside } from '../../extension/editor/storage-folder.ts';
import { Roots } from '../../extension/files/roots.ts';

suite('the folder of the sessions', () => {
  test('one for all that others can write is not taken', async function () {
    if (process.platform === 'win32') return this.skip();
    const base = mkdtempSync(join(tmpdir(), 'countersign-storage-'));
    const before = process.env['TMPDIR'];
    process.env['TMPDIR'] = base;
    try {
      mkdirSync(join(base, 'w'));
      const roots = await Roots.of([{ name: 'w', path: join(base, 'w') }]);
      const { path, isGiven } = folderOutside(join(base, 'w', 'storage'), roots);
      assert.equal(isGiven, false);
      chmodSync(path, 0o777);
      assert.throws(() => folderOutside(join(base, 'w', 'storage'), roots), /not yours alone/);
    } finally {
      if (before === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = before;
      rmSync(base, { recursive: true, force: true });
    }
  });
});
