import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { buildAll } from '../../scripts/build.ts';

const root = join(import.meta.dirname, '../..');
export const hostProgram = join(root, 'dist/headless.js');

export async function buildIfMissing(): Promise<void> {
  if (!existsSync(hostProgram)) await buildAll();
}

/** One line of standard output. */
export interface Line {
  readonly id: string | null;
  readonly name: string | null;
  readonly verdict: { readonly decision: string; readonly decidedBy: string; readonly rules: readonly { readonly place: string }[] } | null;
  readonly effects: readonly { readonly kind: string }[];
  readonly claims: readonly unknown[];
  readonly approval: string | null;
  readonly result: {
    readonly isError: boolean;
    readonly content: readonly { readonly type: string; readonly text: string }[];
    readonly error: { readonly code: string; readonly message: string; readonly violations?: readonly { readonly pointer: string }[] } | null;
  } | null;
}

export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly lines: readonly Line[];
}

export interface Surroundings {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Another program than the one that runs the tests. */
  readonly node?: string;
}

/** Runs the built host with this standard input, to its end. */
export async function headless(args: readonly string[], stdin: string | Uint8Array, { cwd, env = {}, node = process.execPath }: Surroundings = {}): Promise<Ran> {
  const child = spawn(node, [hostProgram, ...args], { cwd, env: { ...process.env, NODE_OPTIONS: '', ...env }, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => { stdout += text; });
  child.stderr.setEncoding('utf8').on('data', (text: string) => { stderr += text; });
  // It may end without having read its input.
  child.stdin.on('error', () => undefined).end(stdin);
  await once(child, 'close');
  const code = child.exitCode;
  return { code, stdout, stderr, lines: code === 0 && stdout.startsWith('{') ? stdout.trimEnd().split('\n').map((line) => JSON.parse(line) as Line) : [] };
}

export interface TestWorkspace {
  /** What holds the workspace, `ws`. */
  readonly base: string;
  at(path: string): string;
  run(lines: readonly unknown[] | string | Uint8Array, args?: readonly string[], surroundings?: Surroundings): Promise<Ran>;
  /** The files of the workspace, or of another folder beside it, by their relative paths. */
  files(folder?: string): Promise<Readonly<Record<string, string>>>;
}

/** A workspace of its own, with these files. Lines that are not text become their JSON. */
export async function workspace(t: TestContext, content: Readonly<Record<string, string | Uint8Array>>): Promise<TestWorkspace> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'countersign-headless-')));
  t.after(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, 'ws');
  await mkdir(folder);
  for (const [path, bytes] of Object.entries(content)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), bytes);
  }
  return {
    base,
    at: (path) => join(folder, path),
    run: (lines, args = [], surroundings = {}) => {
      const stdin = typeof lines === 'string' || lines instanceof Uint8Array ? lines : lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
      return headless(['run', '--workspace', folder, ...args], stdin, surroundings);
    },
    files: (name = 'ws') => filesOf(join(base, name)),
  };
}

async function filesOf(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) found[path.slice(folder.length + 1).replaceAll('\\', '/')] = await readFile(path, 'utf8');
  }
  return found;
}

export function openai(name: string, args: unknown, id = 'c1'): object {
  return { id, type: 'function', function: { name, arguments: JSON.stringify(args) } };
}

export function flat(name: string, args: unknown, id = 'c1'): object {
  return { id, name, arguments: args };
}

/** The error of each line, `well` where there is none, `none` where there is no result. */
export function codes(lines: readonly Line[]): readonly string[] {
  return lines.map(({ result }) => (result === null ? 'none' : result.error?.code ?? 'well'));
}

export function textOf(line: Line | undefined): string {
  return (line?.result?.content ?? []).map(({ text }) => text).join('\n');
}

/** A Node 20 of the system, or null. */
export const otherNode: string | null = systemNode();

function systemNode(): string | null {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '' && !folder.includes('node_modules'));
  for (const folder of folders) {
    const node = join(folder, process.platform === 'win32' ? 'node.exe' : 'node');
    if (!existsSync(node)) continue;
    try {
      if (execFileSync(node, ['--version'], { encoding: 'utf8' }).startsWith('v20.')) return node;
    } catch {
      // No Node that can be run.
    }
  }
  return null;
}
