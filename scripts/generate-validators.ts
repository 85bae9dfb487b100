import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as standaloneModule } from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
import type { JsonObject } from '../extension/boundary/json.ts';
import { createRegistry } from '../extension/boundary/registry.ts';
import { toolSchemaOptions } from '../extension/boundary/schema-compiler.ts';
import { registerBuiltInTools } from '../extension/tools/built-in.ts';
import { createUndoChanges } from '../extension/tools/undo-changes.ts';
import { paramsSchemas, resultSchemas } from '../tool-host/protocol/schemas.ts';
import { hostMessageSchema, viewMessageSchema } from '../webview/protocol/schemas.ts';

interface Channel {
  readonly file: string;
  readonly schemas: Readonly<Record<string, object>>;
}

const channels: readonly Channel[] = [
  { file: 'host-message', schemas: { hostMessage: hostMessageSchema } },
  { file: 'view-message', schemas: { viewMessage: viewMessageSchema } },
  {
    file: 'tool-host-protocol',
    schemas: {
      initializeParams: paramsSchemas.initialize, pingParams: paramsSchemas.ping,
      initializeResult: resultSchemas.initialize, pingResult: resultSchemas.ping,
    },
  },
];

// CommonJS seen from a module: Node gives the whole exports object, and its types say the same of `default`.
const standalone = (standaloneModule as unknown as { default: typeof standaloneModule }).default;

const messageDeclaration = `export interface Fault { readonly instancePath: string; readonly keyword: string; readonly params: Readonly<Record<string, unknown>> }
export interface Validate { (data: unknown): boolean; errors?: readonly Fault[] | null }
`;

interface Generated {
  readonly file: string;
  /** A module. */
  readonly source: string;
  readonly declaration: string;
}

/** Compiles every schema that is known ahead of time into `generated/`: the view may not compile, and the host need not load Ajv. */
export async function generateValidators(root: string): Promise<void> {
  for (const { file, source, declaration } of [...channels.map(channelValidators), ...toolValidators()]) {
    const outfile = join(root, 'generated', `${file}.js`);
    await mkdir(dirname(outfile), { recursive: true });
    await build({
      stdin: { contents: source, resolveDir: root, loader: 'js' },
      bundle: true, format: 'esm', platform: 'neutral', mainFields: ['main'], outfile, logLevel: 'error', minify: true,
    });
    await writeFile(outfile.replace(/\.js$/, '.d.ts'), declaration);
  }
}

function channelValidators({ file, schemas }: Channel): Generated {
  const ajv = new Ajv2020({ strict: true, strictRequired: false, discriminator: true, messages: false, inlineRefs: false, code: { source: true, esm: true } });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  const names = Object.keys(schemas);
  // Nobody reads where in the schema a fault is declared; it is a fifth of the view's validator.
  const source = standalone(ajv, Object.fromEntries(names.map((name) => [name, name]))).replaceAll(/schemaPath:"[^"]*",/g, '');
  return { file, source, declaration: messageDeclaration + names.map((name) => `export const ${name}: Validate;\n`).join('') };
}

/** The schemas of the extension's own tools, each once: validators that end at the first fault, and those that find all. */
function toolValidators(): readonly Generated[] {
  const schemas = [...new Map(schemasOfTools().map((schema) => [JSON.stringify(schema), schema])).values()];
  const compiled = (allErrors: boolean): string => {
    const ajv = new Ajv2020({ ...toolSchemaOptions, allErrors, code: { source: true, esm: true } });
    for (const [index, schema] of schemas.entries()) ajv.addSchema(schema, `tool${index}`);
    return standalone(ajv, Object.fromEntries(schemas.map((_schema, index) => [`validate${index}`, `tool${index}`])));
  };
  const list = `[${schemas.map((_schema, index) => `validate${index}`).join(', ')}]`;
  const declaration = "import type { ErrorObject } from 'ajv';\ninterface Compiled { (value: unknown): boolean; errors?: readonly ErrorObject[] | null }\n";
  return [
    { file: 'tool-schemas', source: `${compiled(false)}\nexport const texts = ${JSON.stringify(schemas.map((schema) => JSON.stringify(schema)))};\nexport const validators = ${list};\n`, declaration: `${declaration}/** The schemas, as JSON. */\nexport const texts: readonly string[];\n/** In the order of the texts. */\nexport const validators: readonly Compiled[];\n` },
    { file: 'tool-schemas-all', source: `${compiled(true)}\nexport const validators = ${list};\n`, declaration: `${declaration}export const validators: readonly Compiled[];\n` },
  ];
}

/** As a session registers them. */
export function schemasOfTools(): readonly JsonObject[] {
  const schemas: JsonObject[] = [];
  const registry = createRegistry((schema) => {
    schemas.push(schema);
    return () => [];
  });
  registerBuiltInTools(registry);
  registry.register(createUndoChanges({ changesOf: () => null, object: () => Promise.resolve(null), display: (path) => path }), { for: 'person' });
  return schemas;
}

if (process.argv[1] === import.meta.filename) await generateValidators(join(import.meta.dirname, '..'));
