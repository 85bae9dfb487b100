import { join, relative, sep } from 'node:path';
import { faultOfImport, placeOf } from './compartments.mjs';

const root = join(import.meta.dirname, '../..');
const pathOf = (context) => relative(root, context.filename).split(sep).join('/');

/** The text of a literal module name, however it is written; undefined if only running the code would tell. */
function literal(node) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'TSLiteralType') return literal(node.literal);
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0].value.cooked;
  return undefined;
}

const compartments = {
  meta: { type: 'problem', docs: { description: 'Compartments and layers import only what they may.' } },
  create(context) {
    const path = pathOf(context);
    const place = placeOf(path);
    if (place === null) return {};
    const mayCompute = place === 'scripts' || place.startsWith('test');
    const check = (node, source) => {
      const specifier = literal(source);
      const message = specifier === undefined
        ? (mayCompute ? null : 'Name the module that is imported in a literal, so that this rule can read it.')
        : faultOfImport(path, specifier);
      if (message !== null) context.report({ node, message });
    };
    const from = (node) => {
      if (node.source) check(node, node.source);
    };
    return {
      ImportDeclaration: from, ExportNamedDeclaration: from, ExportAllDeclaration: from, ImportExpression: from,
      TSImportType: (node) => check(node, node.source ?? node.argument),
      TSExternalModuleReference: (node) => check(node, node.expression),
      CallExpression(node) {
        if (node.callee.type === 'Identifier' && node.callee.name === 'require') check(node, node.arguments[0]);
      },
    };
  },
};

/** Names by which code reaches the outside without an import. */
const powers = new Set([
  'process', 'globalThis', 'global', 'require', 'module', 'fetch', 'WebSocket', 'EventSource', 'XMLHttpRequest', 'Worker', 'eval', 'Function', 'WebAssembly',
]);

const toolsCannotAct = {
  meta: { type: 'problem', docs: { description: 'A tool describes effects; it reaches the world only through what it is handed.' } },
  create(context) {
    if (placeOf(pathOf(context)) !== 'extension/tools') return {};
    const reported = new Set();
    return {
      Identifier(node) {
        // `{ fetch }` is two identifiers in one place.
        const place = node.range[0];
        if (reported.has(place)) return;
        const isName = (node.parent?.type === 'MemberExpression' && node.parent.property === node && !node.parent.computed)
          || (node.parent?.type === 'Property' && node.parent.key === node && !node.parent.shorthand)
          || node.parent?.type.startsWith('TS');
        if (isName || !powers.has(node.name)) return;
        reported.add(place);
        context.report({ node, message: `A tool may not use ${node.name}: it acts only through run.` });
      },
      MetaProperty(node) {
        context.report({ node, message: 'A tool may not use import.meta: it acts only through run.' });
      },
    };
  },
};

const plugin = { meta: { name: 'countersign' }, rules: { compartments, 'tools-cannot-act': toolsCannotAct } };
// oxlint-disable-next-line import/no-default-export -- the linter takes a plugin this way only
export default plugin;
