import { builtinModules } from 'node:module';

/** What code could do to the world, beyond computing. */
export type Power = 'changes files' | 'starts processes' | 'opens connections' | 'changes through the editor' | 'runs text as code';

const fileModules = /^(?:node:)?(?:fs|fs\/promises)$/;
/** What of them only looks; everything else, and the module as a whole, can change something. */
const looks = new Set([
  'readFile', 'readFileSync', 'readdir', 'readdirSync', 'stat', 'statSync', 'lstat', 'lstatSync', 'realpath', 'realpathSync', 'readlink', 'readlinkSync', 'existsSync', 'access', 'accessSync', 'constants',
  'opendir', 'closeSync', 'readSync', 'fstatSync', 'watch', 'glob', 'Stats', 'Dirent', 'BigIntStats',
]);
const processModules = /^(?:node:)?(?:child_process|worker_threads|cluster)$/;
const connectionModules = /^(?:node:)?(?:net|http|https|http2|tls|dgram|dns|dns\/promises|inspector|inspector\/promises)$|^(?:undici|ws|node-fetch)$/;
const codeModules = /^(?:node:)?(?:vm|module|repl|wasi|v8)$/;

const words: readonly (readonly [Power, RegExp])[] = [
  ['starts processes', /\bprocess\s*\.\s*(?:dlopen|binding|_linkedBinding|kill|execve)\b/],
  ['opens connections', /(?<!#)\b(?:fetch|WebSocket|EventSource|XMLHttpRequest|sendBeacon)\b\s*[(.]|\bnew\s+(?:WebSocket|EventSource|XMLHttpRequest)\b/],
  ['changes through the editor', /\b(?:applyEdit|createTerminal|executeTask|startDebugging|openExternal|createFileSystemWatcher)\b|\bfs\s*\.\s*(?:writeFile|delete|rename|copy|createDirectory)\b|\bsaveAll\s*\(|[dD]ocument\s*\.\s*save\s*\(|[eE]ditor\s*\.\s*edit\s*\(/],
  ['runs text as code', /\beval\s*\(|\bnew\s+Function\b|\bFunction\s*\(\s*['"`]|\bimport\s*\(\s*[^'"`\s)]/],
];

/** The powers that a source takes hold of. It may have more than it needs; what has none here can do nothing but compute. */
export function powersOf(source: string): readonly Power[] {
  const code = withoutComments(source);
  const found = new Set<Power>();
  for (const { names, module } of importsOf(code)) {
    if (fileModules.test(module) && (names === null || names.some((name) => !looks.has(name)))) found.add('changes files');
    if (processModules.test(module)) found.add('starts processes');
    if (connectionModules.test(module)) found.add('opens connections');
    if (codeModules.test(module)) found.add('runs text as code');
  }
  for (const [power, word] of words) if (word.test(code)) found.add(power);
  return [...found].toSorted();
}

/** Of a built bundle: the modules that it asks Node and the editor for. */
export function requiredBy(bundle: string): readonly string[] {
  const names = [...bundle.matchAll(/\b(?:require|import)\(\s*(["'`])([^"'`]+)\1\s*\)/g)].map(([, , name]) => name ?? '');
  return [...new Set(names)].filter((name) => builtinModules.includes(name.replace(/^node:/, '')) || !name.includes(' ')).toSorted();
}

interface Import {
  /** null: the module as a whole. */
  readonly names: readonly string[] | null;
  readonly module: string;
}

function importsOf(code: string): readonly Import[] {
  const statements = [...code.matchAll(/\b(?:import|export)\s+(type\s+)?([^'"`;]*?)\s*from\s*['"]([^'"]+)['"]/g)]
    .filter(([, type]) => type === undefined)
    .map(([, , what = '', module = '']): Import => ({ module, names: /^\{[^}]*\}$/.test(what) ? named(what) : null }));
  const others = [...code.matchAll(/\b(?:require|import)\s*\(\s*['"`]([^'"`]+)['"`]\s*\)|\bimport\s+['"]([^'"]+)['"]/g)].map(([, call, bare]): Import => ({ module: call ?? bare ?? '', names: null }));
  return [...statements, ...others];
}

function named(list: string): readonly string[] {
  return list.slice(1, -1).split(',').map((name) => name.trim()).filter((name) => name !== '' && !name.startsWith('type ')).map((name) => name.split(/\s+as\s+/)[0] ?? name);
}

function withoutComments(source: string): string {
  return source.replaceAll(/\/\*[\s\S]*?\*\//g, ' ').replaceAll(/(^|[^:'"`\\])\/\/[^\n]*/g, '$1');
}
