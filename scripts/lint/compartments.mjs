import { isBuiltin } from 'node:module';
import { posix } from 'node:path';

/**
 * Which place may import which: a place is a compartment, a protocol, or a layer of the extension. Each may import
 * itself; what is not listed is not allowed, a folder that is not listed may import nothing.
 */
const toolHostMessages = ['tool-host/protocol', 'generated/tool-host-protocol.js'];
const toolSchemas = ['generated/tool-schemas.js', 'generated/tool-schemas-all.js'];
const viewMessages = ['webview/protocol', 'generated/host-message.js', 'generated/view-message.js'];

const layers = {
  'extension/boundary': [],
  'extension/files': ['extension/boundary'],
  'extension/edits': ['extension/boundary', 'extension/files'],
  'extension/gate': ['extension/boundary', 'extension/files', 'extension/edits'],
  'extension/session': ['extension/boundary', 'extension/model', 'extension/files'],
  'extension/pipeline': ['extension/boundary', 'extension/gate', 'extension/session', 'extension/files', 'extension/edits'],
  'extension/model': ['extension/boundary'],
  'extension/agent': ['extension/boundary', 'extension/pipeline', 'extension/session', 'extension/model'],
  'extension/tools': ['extension/boundary', 'extension/edits', ...toolSchemas],
  'extension/chat': ['extension/boundary', 'extension/files', 'extension/edits', 'extension/model', 'extension/session', 'extension/agent', ...viewMessages],
  'extension/sandbox': ['extension/boundary', ...toolHostMessages],
};
const everyLayer = [...Object.keys(layers), ...toolHostMessages, ...viewMessages];

const allowed = {
  ...layers,
  'extension/headless': everyLayer,
  'extension/editor': everyLayer,
  'extension/main.ts': [...everyLayer, 'extension/editor'],
  'tool-host/protocol': [],
  'tool-host': toolHostMessages,
  'webview/protocol': [],
  'webview': ['webview/protocol', 'generated/host-message.js'],
};

/** Packages and built-in modules of the places that may not have all of them. */
const modules = {
  'extension/tools': (name) => name === 'node:path',
  'tool-host': (name) => name.startsWith('node:') || /^vscode-jsonrpc(\/|$)/.test(name),
  'tool-host/protocol': () => false,
  'webview': (name) => /^(preact|marked)(\/|$)/.test(name),
  'webview/protocol': () => false,
};

const placesOfVscode = new Set(['extension/editor', 'extension/main.ts', 'test/vscode']);

/** The place of a file, by its path from the root; null outside all of them. */
export function placeOf(path) {
  const [first, second] = path.split('/');
  if (first === 'extension' && second === 'headless.ts') return 'extension/headless';
  if (first === 'generated') return path;
  if (first === 'extension' || second === 'protocol' || (first === 'test' && second === 'vscode')) return `${first}/${second}`;
  return ['tool-host', 'webview', 'test', 'scripts'].includes(first) ? first : null;
}

/** What is wrong with an import of `specifier` in the file at `path` (from the root, with `/`); null if nothing is. */
export function faultOfImport(path, specifier) {
  const from = placeOf(path);
  if (from === null) return null;
  if (specifier.startsWith('.')) return faultOfPath(from, posix.join(posix.dirname(path), specifier));
  if (specifier.startsWith('/') || specifier.startsWith('#') || /^(file|data|https?):/.test(specifier)) {
    return `${from} imports by package name or relative path only.`;
  }
  return faultOfModule(from, isBuiltin(specifier) && !specifier.startsWith('node:') ? `node:${specifier}` : specifier);
}

function faultOfPath(from, target) {
  const rules = allowed[from];
  if (rules === undefined) {
    if (from === 'scripts' || from.startsWith('test')) return null;
    return `${from} has no place among the layers: give it one in scripts/lint/compartments.mjs.`;
  }
  const to = placeOf(target);
  if (to === from || rules.includes(to)) return null;
  return `${from} may not import ${to ?? target}.`;
}

function faultOfModule(from, name) {
  if (name === 'vscode' || name.startsWith('vscode/')) return placesOfVscode.has(from) ? null : `${from} may not import vscode.`;
  const rule = modules[from];
  return rule === undefined || rule(name) ? null : `${from} may not import ${name}.`;
}
