import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build } from 'esbuild';
import { filesMatching } from './files-matching.ts';
import { outDirectory, root } from './project-paths.ts';

export const vscodeTestsDirectory = join(outDirectory, 'vscode-tests');
/** Folders of extensions that the suites need beside the one under development. */
export const testExtensions: readonly string[] = [join(root, 'test/vscode/model-provider')];

/** Makes one CommonJS file of each file of test/vscode that the extension host loads. */
export async function bundleVscodeTests(): Promise<void> {
  const files = await filesMatching('test/vscode/**/*.test.ts', 'test/vscode/index.ts', 'test/vscode/*-probe.ts');
  await rm(vscodeTestsDirectory, { recursive: true, force: true });
  await build({
    absWorkingDir: root, bundle: true, platform: 'node', target: 'node22', format: 'cjs', sourcemap: 'inline', external: ['vscode', 'mocha'],
    outdir: vscodeTestsDirectory, outExtension: { '.js': '.cjs' }, logLevel: 'warning',
    entryPoints: files.map((path) => ({ in: path, out: basename(path, '.ts') })),
  });
}

if (process.argv[1] === import.meta.filename) await bundleVscodeTests();
