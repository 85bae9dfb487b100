import { readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { JsonObject } from '../extension/boundary/json.ts';
import { createOutsideCompiler } from '../extension/boundary/outside/schemas.ts';

const variable = 'COUNTERSIGN_JSON_SCHEMA_SUITE';
const drafts = [
  { folder: 'draft2020-12', schema: 'https://json-schema.org/draft/2020-12/schema' },
  { folder: 'draft2019-09', schema: 'https://json-schema.org/draft/2019-09/schema' },
  { folder: 'draft7', schema: 'http://json-schema.org/draft-07/schema#' },
] as const;

/** What a schema from outside is refused for though its draft allows it. A group that is refused for anything else has failed. */
const onPurpose: readonly (readonly [string, RegExp])[] = [
  ['it refers to another document', /lies outside of the schema/],
  ['a reference that the way there decides', /as the way there decides/],
  ['a pattern that has no linear time', /in linear time/],
  ['a draft of its own inside', /may not be of a draft of its own/],
  ['a draft that is not read', /is no draft that is read here/],
];

interface Group {
  readonly description: string;
  readonly schema: JsonObject | boolean;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}
type Outcome = { readonly kind: 'passed' } | { readonly kind: 'refused'; readonly why: string; readonly message: string } | { readonly kind: 'failed'; readonly faults: readonly string[] };

const compile = createOutsideCompiler();

function outcomeOf(group: Group, draft: string): Outcome {
  const schema: JsonObject = typeof group.schema === 'boolean' ? { $schema: draft, allOf: [group.schema] } : { $schema: draft, ...group.schema };
  try {
    const validate = compile(schema);
    const faults = group.tests.filter(({ data, valid }) => (validate(data).length === 0) !== valid).map(({ description, valid }) => `${description}: is ${valid ? 'refused' : 'accepted'}`);
    return faults.length === 0 ? { kind: 'passed' } : { kind: 'failed', faults };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const why = onPurpose.find(([, pattern]) => pattern.test(message))?.[0];
    return why === undefined ? { kind: 'failed', faults: [`does not compile: ${message}`] } : { kind: 'refused', why, message };
  }
}

async function filesOf(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => name.endsWith('.json')).map((name) => name.replaceAll('\\', '/')).toSorted();
}

/** Runs one draft's folder and prints what was refused and what failed. */
async function runDraft(tests: string, { folder, schema }: (typeof drafts)[number]): Promise<{ readonly passed: number; readonly refused: number; readonly failed: number }> {
  const count = { passed: 0, refused: 0, failed: 0 };
  const lines: string[] = [];
  const files = await filesOf(join(tests, folder));
  for (const file of files.filter((name) => !name.includes('/'))) {
    const groups = JSON.parse(await readFile(join(tests, folder, file), 'utf8')) as readonly Group[];
    for (const group of groups) {
      const outcome = outcomeOf(group, schema);
      count[outcome.kind] += 1;
      const name = `${basename(file, '.json')}: ${group.description}`;
      switch (outcome.kind) {
        case 'passed':
          break;
        case 'refused':
          lines.push(`  refused  ${name}\n             ${outcome.why}: ${outcome.message.slice(0, 200)}`);
          break;
        case 'failed':
          lines.push(`  FAILED   ${name}`, ...outcome.faults.map((fault) => `             ${fault}`));
          break;
      }
    }
  }
  const skipped = files.filter((name) => name.includes('/')).length;
  console.log(`${folder}: ${count.passed} groups passed, ${count.refused} refused on purpose, ${count.failed} failed${skipped === 0 ? '' : `; ${skipped} files of optional tests are not run`}`);
  if (lines.length > 0) console.log(lines.join('\n'));
  return count;
}

/** `npm run test:schema`: holds the compiler of schemas from outside against the JSON-Schema-Test-Suite. */
async function main(suite: string | undefined): Promise<number> {
  if (suite === undefined || suite === '') {
    console.error(`${variable} must name the folder of the JSON-Schema-Test-Suite: the one that holds tests/draft2020-12, tests/draft2019-09 or tests/draft7.`);
    return 2;
  }
  const total = { passed: 0, refused: 0, failed: 0 };
  for (const draft of drafts) {
    const { passed, refused, failed } = await runDraft(join(suite, 'tests'), draft);
    total.passed += passed;
    total.refused += refused;
    total.failed += failed;
  }
  if (total.passed + total.refused + total.failed === 0) {
    console.error(`${suite} holds no groups of tests: ${variable} must name the folder that holds tests/draft2020-12, tests/draft2019-09 or tests/draft7.`);
    return 2;
  }
  console.log(`${total.refused} groups refused on purpose`);
  console.log(`${total.passed} passed, ${total.failed} failed`);
  return total.failed === 0 ? 0 : 1;
}

process.exitCode = await main(process.env[variable]);
