// Starts every npm script: `node scripts/bootstrap.mjs NAME ARGS…` runs scripts/NAME.ts.
// Plain JavaScript without imports of packages, because it must run under an older Node and before `npm ci`.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'node_modules', '.bin');
const node = join(root, 'node_modules', 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');

/** Whether node_modules holds what the lock file says: by content, as modification times change with every checkout. */
function installed() {
  if (!existsSync(node)) return false;
  try {
    const read = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;
    const present = read('node_modules/.package-lock.json');
    return Object.entries(read('package-lock.json')).every(
      ([path, entry]) => path === '' || (present[path] === undefined ? entry.optional === true : present[path].version === entry.version),
    );
  } catch {
    return false;
  }
}

const [name, ...args] = process.argv.slice(2);
if (name === undefined || !/^[a-z][a-z-]*$/.test(name) || !existsSync(join(root, 'scripts', `${name}.ts`))) {
  console.error('usage: node scripts/bootstrap.mjs NAME [ARGS…], where scripts/NAME.ts exists');
  process.exit(2);
}

if (!installed()) {
  console.error('Installing the packages of package-lock.json (npm ci) …');
  // npm says where it lies when it started us; its output goes to stderr, as a script's stdout may be for programs.
  const npmCli = process.env.npm_execpath;
  const [program, first] = npmCli?.endsWith('.js') ? [process.execPath, [npmCli]] : ['npm', []];
  const shell = process.platform === 'win32' && first.length === 0;
  const npm = spawnSync(program, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root, stdio: ['ignore', 2, 2], shell });
  if (npm.status !== 0) {
    console.error(`npm ci failed${npm.error ? `: ${npm.error.message}` : ''}. Run it by hand in ${root} to see why.`);
    process.exit(1);
  }
  if (!existsSync(node)) {
    console.error('npm ci ran, but the package "node" did not bring its program: its install script must be allowed to run. Try `npm rebuild node`.');
    process.exit(1);
  }
}

const separator = process.platform === 'win32' ? ';' : ':';
const child = spawn(node, [join(root, 'scripts', `${name}.ts`), ...args], {
  stdio: 'inherit',
  env: { ...process.env, PATH: `${bin}${separator}${process.env.PATH ?? ''}` },
});
// Ctrl-C reaches the whole group; a signal to this process alone is passed on. Either way the script ends by itself, and then this does.
process.on('SIGINT', () => {});
for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`${node} does not start: ${error.message}`);
  process.exit(1);
});
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)));
