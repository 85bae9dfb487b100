import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildOptions, type Plugin } from 'esbuild';
import { generateValidators } from './generate-validators.ts';
import { viewStyle } from './view-style.ts';

const root = join(import.meta.dirname, '..');
const dist = join(root, 'dist');

/**
 * What is loaded on first use stands in a file of its own: esbuild does not split CommonJS, so an import of one of
 * these sources from another bundle becomes a require of its bundle.
 */
const lazyEntries: Readonly<Record<string, string>> = {
  'extension/editor/workbench.ts': './workbench.cjs',
  'extension/model/openai-sdk.ts': './openai.cjs',
  'extension/model/demonstration/tour.ts': './demonstration.cjs',
  'extension/model/anthropic-sdk.ts': './anthropic.cjs',
};

function lazy(self: string): Plugin {
  return {
    name: 'lazy-entries',
    setup(builder) {
      builder.onResolve({ filter: /\.ts$/ }, (args) => {
        const path = join(args.resolveDir, args.path).slice(root.length + 1);
        const target = lazyEntries[path];
        return args.kind === 'dynamic-import' && target !== undefined && path !== self ? { path: target, external: true } : undefined;
      });
    },
  };
}

const node: BuildOptions = {
  absWorkingDir: root, bundle: true, platform: 'node', target: 'node20', format: 'cjs', minify: true, keepNames: true, sourcemap: 'linked',
  sourcesContent: false, metafile: true, logLevel: 'warning', legalComments: 'none', external: ['vscode'], mainFields: ['module', 'main'],
};

const bundles: readonly { readonly entry: string; readonly out: string }[] = [
  { entry: 'extension/main.ts', out: 'main.cjs' },
  { entry: 'extension/editor/workbench.ts', out: 'workbench.cjs' },
  { entry: 'extension/model/openai-sdk.ts', out: 'openai.cjs' },
  { entry: 'extension/model/demonstration/tour.ts', out: 'demonstration.cjs' },
  { entry: 'extension/model/anthropic-sdk.ts', out: 'anthropic.cjs' },
  { entry: 'extension/headless.ts', out: 'headless.js' },
  { entry: 'tool-host/main.ts', out: 'tool-host.cjs' },
];

/** Makes `dist/` whole: every bundle, the view's style and icons, and a metafile a bundle in `out/meta/` for the fences. */
export async function buildAll(): Promise<void> {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  await mkdir(join(root, 'out/meta'), { recursive: true });
  await generateValidators(root);
  const writeMeta = (out: string, metafile: unknown): Promise<void> => writeFile(join(root, 'out/meta', `${out}.json`), JSON.stringify(metafile));
  await Promise.all([
    ...bundles.filter(({ entry }) => existsSync(join(root, entry))).map(async ({ entry, out }) => {
      const result = await build({ ...node, entryPoints: [entry], outfile: join(dist, out), plugins: [lazy(entry)] });
      await writeMeta(out, result.metafile);
    }),
    (async () => {
      const result = await build({
        absWorkingDir: root, entryPoints: ['webview/main.tsx'], outfile: join(dist, 'webview/chat.js'), bundle: true, platform: 'browser',
        target: 'es2023', format: 'iife', minify: true, metafile: true, logLevel: 'warning', legalComments: 'none', jsx: 'automatic', jsxImportSource: 'preact',
      });
      await writeMeta('webview.json', result.metafile);
      await writeFile(join(dist, 'webview/chat.css'), await viewStyle());
      await refuseEarlyEnds('chat.js', /<\/script|<script/i);
      await refuseEarlyEnds('chat.css', /<\/style/i);
    })(),
  ]);
  // VS Code and Node read these files as CommonJS, whatever the package says of its sources.
  await writeFile(join(dist, 'package.json'), '{ "type": "commonjs" }\n');
}

/** The page has these files in it: what would end their element has to be written in another way. */
async function refuseEarlyEnds(file: string, end: RegExp): Promise<void> {
  if (end.test(await readFile(join(dist, 'webview', file), 'utf8'))) throw new Error(`${file} holds what would end its element in the page: ${end.source}`);
}

if (process.argv[1] === import.meta.filename) await buildAll();
