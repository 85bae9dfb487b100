import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { buildAll } from '../../scripts/build.ts';
import { bundleNames, faultsOfBundle, type Metafile } from './bundle-fences.ts';

const root = join(import.meta.dirname, '../..');

interface Ended {
  readonly code: number;
  readonly output: string;
}

function runNode(script: string, args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((resolve) => {
    execFile(process.execPath, [join(root, 'node_modules', script), ...args], { cwd, maxBuffer: 1 << 26 }, (error, stdout) => {
      resolve({ code: error === null ? 0 : Number(error.code ?? -1), output: stdout });
    });
  });
}

/** A project with our own configuration and these files instead of ours; `node_modules` is ours. */
async function project(t: TestContext, configuration: readonly string[], files: Readonly<Record<string, string>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-fences-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  for (const path of configuration) await cp(join(root, path), join(folder, path), { recursive: true });
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return folder;
}

// First fence: projects of the compiler.

const compilerConfiguration = [
  'tsconfig.base.json', 'extension/tsconfig.json', 'extension/no-vscode.d.ts', 'extension/editor/tsconfig.json', 'tool-host/tsconfig.json', 'tool-host/protocol/tsconfig.json',
  'webview/tsconfig.json', 'webview/protocol/tsconfig.json',
];
const sound: Readonly<Record<string, string>> = {
  'tool-host/protocol/methods.ts': 'export const version = 1;\n',
  'webview/protocol/messages.ts': 'export const version = 1;\n',
  'tool-host/main.ts': "import { version } from './protocol/methods.ts';\nexport const shown = version;\n",
  'webview/main.tsx': "import { version } from './protocol/messages.ts';\nexport const shown = version;\n",
  'extension/secret.ts': "import { version } from '../tool-host/protocol/methods.ts';\nexport const secret = version;\n",
  'extension/kind.ts': "export type Kind = 'kind';\n",
  'extension/editor/workbench.ts': "import * as vscode from 'vscode';\nimport { secret } from '../secret.ts';\nexport const shown = [vscode.version, secret];\n",
  'extension/main.ts': "import { version } from 'vscode';\nexport const shown = version;\n",
};
const projects = ['tool-host', 'webview', 'extension', 'extension/editor'];

/** The compiler's errors by file, in a project of ours that has these files too. */
async function compile(t: TestContext, files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, readonly string[]>>> {
  const folder = await project(t, compilerConfiguration, { ...sound, ...files });
  const { code, output } = await runNode('typescript/bin/tsc', ['-b', '--pretty', 'false', ...projects], folder);
  const errors: Record<string, string[]> = {};
  for (const [, file = '', error = ''] of output.matchAll(/^(\S+?)\(\d+,\d+\): error (TS\d+)/gm)) (errors[file] ??= []).push(error);
  assert.equal(code === 0, Object.keys(errors).length === 0, output);
  return errors;
}

test('the compiler accepts what the compartments may import', async (t) => {
  assert.deepEqual(await compile(t, {}), {});
});

const rejectedByCompiler: Readonly<Record<string, readonly [string, string]>> = {
  // The editor's interface: whole, by name, a type of it, and when running.
  'extension/gate/whole.ts': ["import * as vscode from 'vscode';\nexport const shown = vscode.version;\n", 'TS2306'],
  'extension/tools/named.ts': ["import { workspace } from 'vscode';\nexport const shown = workspace;\n", 'TS2306'],
  'extension/type.ts': ["export type Place = import('vscode').Uri;\n", 'TS2306'],
  'extension/later.ts': ["export const shown = async (): Promise<string> => (await import('vscode')).version;\n", 'TS2306'],
  // One compartment in another.
  'webview/host.ts': ["import { secret } from '../extension/secret.ts';\nexport const shown = secret;\n", 'TS6307'],
  'webview/host-type.ts': ["import type { Kind } from '../extension/kind.ts';\nexport type Shown = Kind;\n", 'TS6307'],
  'webview/tool-host.ts': ["import { shown } from '../tool-host/main.ts';\nexport const again = shown;\n", 'TS6307'],
  'tool-host/host.ts': ["import { secret } from '../extension/secret.ts';\nexport const shown = secret;\n", 'TS6307'],
  'extension/tool-host.ts': ["import { shown } from '../tool-host/main.ts';\nexport const again = shown;\n", 'TS6307'],
  // Node where there is none.
  'webview/node.ts': ["import { readFileSync } from 'node:fs';\nexport const shown = readFileSync;\n", 'TS2591'],
};

test('the compiler rejects an import of another compartment, and of the editor outside its project', async (t) => {
  const errors = await compile(t, Object.fromEntries(Object.entries(rejectedByCompiler).map(([path, [text]]) => [path, text])));
  for (const [path, [, error]] of Object.entries(rejectedByCompiler)) assert.ok(errors[path]?.includes(error), `${path}: ${String(errors[path])}, not ${error}`);
});

// By itself: what refers to a protocol is not compiled once the protocol has an error.
test('the compiler rejects an import of a compartment in a protocol', async (t) => {
  const errors = await compile(t, { 'webview/protocol/host.ts': "import { secret } from '../../extension/secret.ts';\nexport const shown = secret;\n" });
  assert.ok(errors['webview/protocol/host.ts']?.includes('TS6307'), JSON.stringify(errors));
});

// Second fence: lint.

/** One run over all files: what our own rules, and those that forbid constructs, say of each. */
async function lint(t: TestContext, files: Readonly<Record<string, string>>): Promise<Readonly<Record<string, readonly string[]>>> {
  const folder = await project(t, ['.oxlintrc.json', '.gitignore', 'scripts/lint'], files);
  const { output } = await runNode('oxlint/bin/oxlint', ['--format', 'json', ...Object.keys(files)], folder);
  const report: { readonly diagnostics: readonly { readonly filename: string; readonly code: string; readonly message: string }[] } = JSON.parse(output);
  const found: Record<string, string[]> = Object.fromEntries(Object.keys(files).map((path) => [path, []]));
  for (const { filename, code, message } of report.diagnostics) {
    found[filename.replaceAll('\\', '/')]?.push(code.startsWith('countersign(') ? message : code);
  }
  return found;
}

const importOf = (specifier: string): string => `import * as it from '${specifier}';\nexport const shown = it;\n`;

/** The file, an import in it, and who may not import what; null if it may. */
const imports: readonly (readonly [string, string, string | null])[] = [
  ['extension/boundary/a.ts', '../gate/x.ts', 'extension/boundary may not import extension/gate.'],
  ['extension/boundary/b.ts', './x.ts', null],
  ['extension/boundary/c.ts', '../../webview/protocol/x.ts', 'extension/boundary may not import webview/protocol.'],
  ['extension/files/a.ts', '../edits/x.ts', 'extension/files may not import extension/edits.'],
  ['extension/edits/a.ts', '../files/x.ts', null],
  ['extension/edits/b.ts', '../gate/x.ts', 'extension/edits may not import extension/gate.'],
  ['extension/gate/a.ts', '../edits/x.ts', null],
  ['extension/gate/b.ts', '../pipeline/x.ts', 'extension/gate may not import extension/pipeline.'],
  ['extension/gate/c.ts', '../tools/x.ts', 'extension/gate may not import extension/tools.'],
  ['extension/session/a.ts', '../pipeline/x.ts', 'extension/session may not import extension/pipeline.'],
  ['extension/pipeline/a.ts', '../session/x.ts', null],
  ['extension/pipeline/b.ts', '../tools/x.ts', 'extension/pipeline may not import extension/tools.'],
  ['extension/pipeline/c.ts', '../agent/x.ts', 'extension/pipeline may not import extension/agent.'],
  ['extension/model/a.ts', '../agent/x.ts', 'extension/model may not import extension/agent.'],
  ['extension/agent/a.ts', '../pipeline/x.ts', null],
  ['extension/agent/b.ts', '../gate/x.ts', 'extension/agent may not import extension/gate.'],
  ['extension/tools/a.ts', '../edits/x.ts', null],
  ['extension/tools/b.ts', '../gate/x.ts', 'extension/tools may not import extension/gate.'],
  ['extension/tools/c.ts', '../files/x.ts', 'extension/tools may not import extension/files.'],
  ['extension/tools/d.ts', 'node:fs', 'extension/tools may not import node:fs.'],
  ['extension/tools/e.ts', 'fs', 'extension/tools may not import node:fs.'],
  ['extension/tools/f.ts', 'node:fs/promises', 'extension/tools may not import node:fs/promises.'],
  ['extension/tools/g.ts', 'child_process', 'extension/tools may not import node:child_process.'],
  ['extension/tools/h.ts', 'node:net', 'extension/tools may not import node:net.'],
  ['extension/tools/i.ts', 'node:https', 'extension/tools may not import node:https.'],
  ['extension/tools/j.ts', 'node:worker_threads', 'extension/tools may not import node:worker_threads.'],
  ['extension/tools/k.ts', 'vscode', 'extension/tools may not import vscode.'],
  ['extension/tools/l.ts', 'some-package', 'extension/tools may not import some-package.'],
  ['extension/tools/m.ts', 'file:///etc/passwd', 'extension/tools imports by package name or relative path only.'],
  ['extension/chat/a.ts', '../../webview/protocol/x.ts', null],
  ['extension/chat/b.ts', '../../webview/view/x.ts', 'extension/chat may not import webview.'],
  ['extension/sandbox/a.ts', '../../tool-host/protocol/x.ts', null],
  ['extension/sandbox/b.ts', '../../tool-host/main.ts', 'extension/sandbox may not import tool-host.'],
  ['extension/sandbox/c.ts', 'vscode', 'extension/sandbox may not import vscode.'],
  ['extension/headless.ts', './tools/x.ts', null],
  ['extension/headless/a.ts', '../editor/x.ts', 'extension/headless may not import extension/editor.'],
  ['extension/editor/a.ts', 'vscode', null],
  ['extension/editor/b.ts', '../tools/x.ts', null],
  ['extension/editor/c.ts', '../main.ts', 'extension/editor may not import extension/main.ts.'],
  ['extension/main.ts', './editor/x.ts', null],
  ['extension/novelty/a.ts', '../boundary/x.ts', 'extension/novelty has no place among the layers: give it one in scripts/lint/compartments.mjs.'],
  ['tool-host/a.ts', './protocol/x.ts', null],
  ['tool-host/b.ts', '../extension/boundary/x.ts', 'tool-host may not import extension/boundary.'],
  ['tool-host/c.ts', 'openai', 'tool-host may not import openai.'],
  ['tool-host/d.ts', 'vscode', 'tool-host may not import vscode.'],
  ['tool-host/protocol/a.ts', '../main.ts', 'tool-host/protocol may not import tool-host.'],
  ['tool-host/protocol/b.ts', 'ajv', 'tool-host/protocol may not import ajv.'],
  ['webview/a.ts', '../generated/host-message.js', null],
  ['webview/b.ts', '../generated/view-message.js', 'webview may not import generated/view-message.js.'],
  ['webview/c.ts', '../extension/gate/x.ts', 'webview may not import extension/gate.'],
  ['webview/d.ts', 'preact/hooks', null],
  ['webview/e.ts', 'node:fs', 'webview may not import node:fs.'],
  ['webview/f.ts', '../test/x.ts', 'webview may not import test.'],
  ['webview/protocol/a.ts', '../../tool-host/protocol/x.ts', 'webview/protocol may not import tool-host/protocol.'],
  ['test/vscode/a.ts', 'vscode', null],
  ['test/unit/a.ts', 'vscode', 'test may not import vscode.'],
  ['test/unit/b.ts', '../../extension/gate/x.ts', null],
  ['scripts/a.ts', 'vscode', 'scripts may not import vscode.'],
];

test('lint rejects an import that a compartment or a layer may not have, and no other', async (t) => {
  const found = await lint(t, Object.fromEntries(imports.map(([path, specifier]) => [path, importOf(specifier)])));
  assert.deepEqual(found, Object.fromEntries(imports.map(([path, , message]) => [path, message === null ? [] : [message]])));
});

const gate = 'extension/boundary may not import extension/gate.';
const acts = (name: string): string => `A tool may not use ${name}: it acts only through run.`;
const unreadable = 'Name the module that is imported in a literal, so that this rule can read it.';
const constructs: Readonly<Record<string, readonly [string, readonly string[]]>> = {
  'extension/boundary/type.ts': ["import type { A } from '../gate/x.ts';\nexport const shown = (a: A): A => a;\n", [gate]],
  'extension/boundary/named.ts': ["export { a } from '../gate/x.ts';\n", [gate]],
  'extension/boundary/star.ts': ["export * from '../gate/x.ts';\n", [gate]],
  'extension/boundary/later.ts': ["export const later = (): Promise<unknown> => import('../gate/x.ts');\n", [gate]],
  'extension/boundary/template.ts': ['export const later = (): Promise<unknown> => import(`../gate/x.ts`);\n', [gate]],
  'extension/boundary/inline.ts': ["export type A = import('../gate/x.ts').A;\n", [gate]],
  'extension/boundary/side-effect.ts': ["import '../gate/x.ts';\n", [gate]],
  'extension/boundary/hidden.ts': ['export const later = (name: string): Promise<unknown> => import(name);\n', [unreadable]],
  'extension/tools/process.ts': ["export const shown = process.getBuiltinModule('fs');\n", [acts('process')]],
  'extension/tools/global.ts': ['export const shown = globalThis;\n', [acts('globalThis')]],
  'extension/tools/fetch.ts': ["export const shown = fetch('http://127.0.0.1/');\n", [acts('fetch')]],
  'extension/tools/shorthand.ts': ['export const shown = { fetch };\n', [acts('fetch')]],
  'extension/tools/fine.ts': ["export const shown = (run: { readonly process: string }): object => ({ process: run.process, kind: 'process' });\n", []],
  'extension/gate/default.ts': ['export default 1;\n', ['import(no-default-export)']],
  'extension/gate/any.ts': ['export const shown = (value: any): unknown => value;\n', ['typescript(no-explicit-any)']],
  'extension/gate/non-null.ts': ['export const shown = (value: string | null): string => value!;\n', ['typescript(no-non-null-assertion)']],
  'extension/gate/console.ts': ["console.log('shown');\n", ['eslint(no-console)']],
  'tool-host/console.ts': ["console.log('shown');\n", ['eslint(no-console)']],
};

test('lint sees an import however it is written, and what may not be written at all', async (t) => {
  const found = await lint(t, Object.fromEntries(Object.entries(constructs).map(([path, [text]]) => [path, text])));
  assert.deepEqual(found, Object.fromEntries(Object.entries(constructs).map(([path, [, messages]]) => [path, messages])));
});

// Third fence: what is in the bundles.

const metaFolder = join(root, 'out/meta');
const metafileOf = async (name: string): Promise<Metafile> => {
  const metafile: Metafile = JSON.parse(await readFile(join(metaFolder, `${name}.json`), 'utf8'));
  return metafile;
};

test('every bundle stays inside its compartment', async () => {
  if (bundleNames.some((name) => !existsSync(join(metaFolder, `${name}.json`)))) await buildAll();
  const built = (await readdir(metaFolder)).map((file) => file.replace(/\.json$/, '')).sort();
  assert.deepEqual(built, [...bundleNames].sort());
  for (const name of built) assert.deepEqual(faultsOfBundle(name, await metafileOf(name)), []);
});

const metafile = (inputs: readonly string[], externals: readonly string[] = []): Metafile => ({
  inputs: Object.fromEntries(inputs.map((path) => [path, {}])),
  outputs: { 'dist/bundle': { imports: externals.map((path) => ({ path, external: true })) } },
});

const doctored: Readonly<Record<string, readonly [string, Metafile, readonly string[]]>> = {
  'the gate in the webview': ['webview.json', metafile(['webview/main.tsx', 'extension/gate/decide.ts']), ['webview.json contains extension/gate/decide.ts']],
  'another package in the webview': [
    'webview.json', metafile(['node_modules/preact/dist/preact.module.js', 'node_modules/ajv/dist/ajv.js']), ['webview.json contains node_modules/ajv/dist/ajv.js'],
  ],
  'a package whose name only begins like an allowed one': ['webview.json', metafile(['node_modules/preact-evil/i.js']), ['webview.json contains node_modules/preact-evil/i.js']],
  'a folder whose name only begins like the webview': ['webview.json', metafile(['webview-evil/i.ts']), ['webview.json contains webview-evil/i.ts']],
  'what the host checks in the webview': ['webview.json', metafile(['webview/a.ts', 'generated/view-message.js']), ['webview.json contains generated/view-message.js']],
  'the extension in the tool host': ['tool-host.cjs', metafile(['tool-host/main.ts', 'extension/boundary/json.ts']), ['tool-host.cjs contains extension/boundary/json.ts']],
  'the editor in the tool host': ['tool-host.cjs', metafile(['tool-host/main.ts'], ['vscode', 'node:events']), ['tool-host.cjs imports vscode']],
  'the model client at start': ['main.cjs', metafile(['extension/main.ts', 'node_modules/openai/index.mjs'], ['vscode']), ['main.cjs contains node_modules/openai/index.mjs']],
  'the tool host\'s code in the extension': ['main.cjs', metafile(['extension/main.ts', 'tool-host/main.ts']), ['main.cjs contains tool-host/main.ts']],
  'the view\'s code in the extension': ['workbench.cjs', metafile(['extension/a.ts', 'webview/main.tsx']), ['workbench.cjs contains webview/main.tsx']],
  'the editor\'s folder without an editor': [
    'headless.js', metafile(['extension/headless.ts', 'extension/editor/workbench.ts'], ['vscode']),
    ['headless.js contains extension/editor/workbench.ts', 'headless.js imports vscode'],
  ],
  'a test in the product': ['main.cjs', metafile(['extension/main.ts', 'test/model-server/server.ts']), ['main.cjs contains test/model-server/server.ts']],
  'a bundle without sources': ['webview.json', metafile([]), ['webview.json has no source']],
  'a bundle that nobody fenced': ['new.cjs', metafile(['extension/main.ts']), ['new.cjs has no fence']],
};
for (const [what, [name, meta, faults]] of Object.entries(doctored)) {
  test(`the fence around the bundles rejects ${what}`, () => assert.deepEqual(faultsOfBundle(name, meta), faults));
}
