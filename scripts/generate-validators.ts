import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { default as standaloneModule } from 'ajv/dist/standalone/index.js';
import { build } from 'esbuild';
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

const declaration = `export interface Fault { readonly instancePath: string; readonly keyword: string; readonly params: Readonly<Record<string, unknown>> }
export interface Validate { (data: unknown): boolean; errors?: readonly Fault[] | null }
`;

/** Compiles every message schema ahead of time into \`generated/\`: the view may not compile, and the host need not load Ajv for it. */
export async function generateValidators(root: string): Promise<void> {
  for (const channel of channels) {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, discriminator: true, messages: false, inlineRefs: false, code: { source: true, esm: true } });
    for (const [name, schema] of Object.entries(channel.schemas)) ajv.addSchema(schema, name);
    const names = Object.keys(channel.schemas);
    // Nobody reads where in the schema a fault is declared; it is a fifth of the view's validator.
    const source = standalone(ajv, Object.fromEntries(names.map((name) => [name, name]))).replaceAll(/schemaPath:"[^"]*",/g, '');
    const outfile = join(root, 'generated', `${channel.file}.js`);
    await mkdir(dirname(outfile), { recursive: true });
    await build({
      stdin: { contents: source, resolveDir: root, loader: 'js' },
      bundle: true, format: 'esm', platform: 'neutral', mainFields: ['main'], outfile, logLevel: 'error', minify: true,
    });
    await writeFile(outfile.replace(/\.js$/, '.d.ts'), declaration + names.map((name) => `export const ${name}: Validate;\n`).join(''));
  }
}

if (process.argv[1] === import.meta.filename) await generateValidators(join(import.meta.dirname, '..'));
