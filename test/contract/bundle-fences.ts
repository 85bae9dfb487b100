/** What the fences read of one of esbuild's metafiles. */
export interface Metafile {
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, { readonly imports: readonly { readonly path: string; readonly external?: boolean }[] }>>;
}

interface Fence {
  /** Every source of the bundle lies under one of these. */
  readonly inside: readonly RegExp[];
  /** No source of the bundle lies under one of these. */
  readonly without: readonly RegExp[];
  /** The bundle may ask the editor for its interface. */
  readonly vscode: 'may' | 'never';
}

const packages = (...names: readonly string[]): RegExp => new RegExp(`^node_modules/(${names.join('|')})/`);
/** Sources of the extension host: its own, what both ends of a channel share, and packages. */
const host = [/^extension\//, /^(tool-host|webview)\/protocol\//, /^generated\/(tool-host-protocol|host-message|view-message|tool-schemas|tool-schemas-all)\.js$/, /^node_modules\//];

const fences: Readonly<Record<string, Fence>> = {
  'main.cjs': { inside: host, without: [packages('openai', '@anthropic-ai/sdk')], vscode: 'may' },
  'workbench.cjs': { inside: host, without: [packages('openai', '@anthropic-ai/sdk')], vscode: 'may' },
  'openai.cjs': { inside: [/^extension\/(model|boundary)\//, packages('openai')], without: [], vscode: 'never' },
  'anthropic.cjs': { inside: [/^extension\/(model|boundary)\//, packages('@anthropic-ai/sdk')], without: [], vscode: 'never' },
  'demonstration.cjs': { inside: [/^extension\/model\/demonstration\//], without: [], vscode: 'never' },
  'headless.js': { inside: host, without: [/^extension\/editor\//, /^extension\/main\.ts$/, packages('openai', '@anthropic-ai/sdk')], vscode: 'never' },
  'tool-host.cjs': { inside: [/^tool-host\//, /^generated\/tool-host-protocol\.js$/, packages('vscode-jsonrpc')], without: [], vscode: 'never' },
  'webview.json': { inside: [/^webview\//, /^generated\/host-message\.js$/, packages('preact', 'marked')], without: [], vscode: 'never' },
};

export const bundleNames: readonly string[] = Object.keys(fences);

/** Everything in a bundle that does not belong there, in words. A bundle that no fence knows does not belong at all. */
export function faultsOfBundle(name: string, metafile: Metafile): readonly string[] {
  const fence = fences[name];
  if (fence === undefined) return [`${name} has no fence`];
  const sources = Object.keys(metafile.inputs);
  const strayed = sources.filter((source) => !fence.inside.some((place) => place.test(source)) || fence.without.some((place) => place.test(source)));
  const asked = Object.values(metafile.outputs).flatMap(({ imports }) => imports.filter(({ external }) => external === true).map(({ path }) => path));
  return [
    ...(sources.length === 0 ? [`${name} has no source`] : []),
    ...strayed.map((source) => `${name} contains ${source}`),
    ...(fence.vscode === 'never' && asked.includes('vscode') ? [`${name} imports vscode`] : []),
  ];
}
