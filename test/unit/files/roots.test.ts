import assert from 'node:assert/strict';
import { mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { isWithin, Roots, type RootFolder } from '../../../extension/files/roots.ts';

let base = '';
before(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'roots-')));
  for (const folder of ['app', 'app-evil', 'app/packages/inner', 'lib', 'home']) await mkdir(join(base, folder), { recursive: true });
  await symlink('app', join(base, 'link'));
  await symlink('home', join(base, 'home-link'));
});
after(() => rm(base, { recursive: true, force: true }));

const at = (path: string): string => join(base, path);
const of = (...names: readonly string[]): Promise<Roots> => Roots.of(names.map((name): RootFolder => ({ name, path: at(name) })), at('home'));
const isCoded = (code: string) => (error: unknown): boolean => error instanceof CodedError && error.code === code;

test('a folder is known by its real path', async () => {
  const roots = await Roots.of([{ name: 'link', path: at('link') }]);
  assert.deepEqual(roots.list, [{ name: 'link', path: at('app') }]);
  assert.equal(roots.home, await realpath(homedir()));
});

test('a folder that does not exist is refused', async () => {
  await assert.rejects(of('none'), isCoded('FS_NOT_FOUND'));
});

test('the home is known by its real path, or as it is where there is none', async () => {
  assert.equal((await Roots.of([], at('home-link'))).home, at('home'));
  assert.equal((await Roots.of([], at('nowhere'))).home, at('nowhere'));
});

test('equal names get numbers, and names are parts of a path', async () => {
  const names = async (...given: readonly string[]): Promise<readonly string[]> => (await Roots.of(given.map((name) => ({ name, path: base })))).list.map(({ name }) => name);
  assert.deepEqual(await names('app', 'app', 'app-2', 'app'), ['app', 'app-2', 'app-2-2', 'app-3']);
  assert.deepEqual(await names('a/b', 'a\\b', '', '..', '~', '.'), ['a-b', 'a-b-2', 'folder', 'folder..', 'folder~', 'folder.']);
});

for (const [path, folder, within] of [
  ['/srv/app', '/srv/app', true], ['/srv/app/a', '/srv/app', true], ['/srv/app-evil', '/srv/app', false], ['/srv/app-evil/a', '/srv/app', false], ['/srv/ap', '/srv/app', false], ['/srv', '/srv/app', false], ['/SRV/app/a', '/srv/app', false],
  ['/anything', '/', true], ['/', '/', true],
] as const) test(`${path} lies ${within ? '' : 'not '}within ${folder}`, () => assert.equal(isWithin(path, folder), within));

test('the innermost folder holds a path', async () => {
  const roots = await of('app', 'app/packages/inner', 'lib');
  const names = (...paths: readonly string[]): readonly (string | null)[] => paths.map((path) => roots.rootOf(at(path))?.path.slice(base.length + 1) ?? null);
  assert.deepEqual(names('app/a', 'app/packages/inner/a', 'app/packages/inner', 'app/packages/inner-evil', 'app-evil/a', '.', 'lib'), ['app', 'app/packages/inner', 'app/packages/inner', 'app', null, null, 'lib']);
});

test('a path is shown relative inside, and absolute outside', async () => {
  const one = await of('app');
  assert.deepEqual(['app', 'app/a/b', 'app-evil/a'].map((path) => one.display(at(path))), ['.', 'a/b', at('app-evil/a')]);
  assert.deepEqual(['app', 'app/a', 'lib'].map((path) => one.relativeIn(at(path))), ['', 'a', null]);
  const two = await of('app', 'lib');
  assert.deepEqual(['app', 'lib/a/b', 'home'].map((path) => two.display(at(path))), ['app', 'lib/a/b', at('home')]);
});

test('what is shown leads back to where it came from', async () => {
  for (const roots of [await of('app'), await of('app', 'lib', 'app/packages/inner')]) {
    for (const path of ['app', 'app/a', 'app/packages/inner/x', 'lib/y', 'app-evil/z']) assert.equal(roots.absolute(roots.display(at(path))), at(path));
  }
});

test('paths that the model writes, in one folder', async () => {
  const roots = await of('app');
  const cases: readonly (readonly [string, string])[] = [
    ['a', 'app/a'], ['./a', 'app/a'], ['a//b/', 'app/a/b'], ['.', 'app'], ['..', '.'], ['../lib/a', 'lib/a'], ['a/../../lib', 'lib'], [at('lib/a'), 'lib/a'], [`${at('app')}/../lib`, 'lib'], ['~', 'home'], ['~/a', 'home/a'], ['~/../lib', 'lib'], ['~other/a', 'app/~other/a'], ['…', 'app/…'], [' a ', 'app/ a '],
  ];
  for (const [given, expected] of cases) assert.equal(roots.absolute(given), at(expected), given);
});

test('paths that the model writes, in several folders', async () => {
  const roots = await of('app', 'lib');
  for (const [given, expected] of [['app/a', 'app/a'], ['./lib/a', 'lib/a'], ['././lib', 'lib'], ['app/../lib', 'lib'], ['lib/../../x', '../x'], ['~/a', 'home/a']] as const) assert.equal(roots.absolute(given), at(expected), given);
  for (const given of ['a', 'App/a', 'app-evil/a', '.', '..', '../app/a', 'toString/a']) assert.throws(() => roots.absolute(given), isCoded('FS_NOT_FOUND'), given);
});

test('a relative path without a folder leads nowhere', async () => {
  const roots = await Roots.of([]);
  assert.throws(() => roots.absolute('a'), isCoded('FS_NOT_FOUND'));
  assert.equal(roots.absolute('/etc/hosts'), '/etc/hosts');
  assert.equal(roots.rootOf('/etc/hosts'), null);
});

for (const path of ['', '\0', 'a\0b', '//server/share', '\\\\server\\share', '/\\server', '\\/server', '//./pipe/x', '\\\\?\\C:\\x', '\\??\\C:\\x', '\\Device\\HarddiskVolume1', 'x'.repeat(4097)]) {
  test(`${JSON.stringify(path.slice(0, 20))} is refused as a path`, async () => {
    const roots = await of('app');
    assert.throws(() => roots.absolute(path), isCoded('FS_REFUSED'));
  });
}
