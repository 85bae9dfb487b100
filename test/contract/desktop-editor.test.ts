import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { findDesktopEditor, openDesktopEditor } from '../../scripts/desktop-editor.ts';

/** A folder with a program `code` in it that writes down how it was started. */
async function installed(t: TestContext): Promise<{ readonly folder: string; readonly starts: () => Promise<readonly string[]> }> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-desktop-'));
  t.after(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'code'), `#!/bin/sh\necho "$@" >> '${join(folder, 'starts')}'\ncase "$*" in *--new-window*) cat "$2/User/settings.json" >> '${join(folder, 'starts')}';; esac\n`);
  await chmod(join(folder, 'code'), 0o755);
  return { folder, starts: async () => (await readFile(join(folder, 'starts'), 'utf8')).trimEnd().split('\n') };
}

test('a desktop editor on the PATH is found where a window can be opened', async (t) => {
  const { folder } = await installed(t);
  const PATH = ['/nowhere', folder].join(delimiter);
  assert.equal(findDesktopEditor({ PATH, DISPLAY: ':0' }, 'linux'), join(folder, 'code'));
  assert.equal(findDesktopEditor({ PATH }, 'darwin'), join(folder, 'code'));
  assert.equal(findDesktopEditor({ PATH }, 'linux'), null);
  assert.equal(findDesktopEditor({ PATH, DISPLAY: ':0', VSCODE_IPC_HOOK_CLI: '/run/x' }, 'linux'), null);
  assert.equal(findDesktopEditor({ PATH: '/nowhere', DISPLAY: ':0' }, 'linux'), null);
});

test('it is opened with settings and extensions of its own, the package in it, and waited for', async (t) => {
  const { folder, starts } = await installed(t);
  await openDesktopEditor({ program: join(folder, 'code'), vsix: '/x/countersign.vsix', folder: '/w', settings: { 'countersign.mode': 'plan' } });
  const [install, open, ...settings] = await starts();
  assert.match(install ?? '', /^--user-data-dir \S+\/user --extensions-dir \S+\/extensions --install-extension \/x\/countersign\.vsix$/);
  assert.match(open ?? '', /^--user-data-dir \S+\/user --extensions-dir \S+\/extensions --new-window --wait --skip-welcome \/w$/);
  assert.deepEqual(JSON.parse(settings.join('\n')), { 'countersign.mode': 'plan' });
});
