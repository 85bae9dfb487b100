import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, suite, test } from 'node:test';
import { buildAll } from '../../scripts/build.ts';
import { root } from '../../scripts/project-paths.ts';
import { bundleNames, type Metafile } from './bundle-fences.ts';
import { type Power, powersOf, requiredBy } from './powers.ts';

/**
 * Every source in every bundle that can do something to the world, and what. Whoever adds a line here drills a hole into the boundary, and
 * says in the same change why it is none.
 */
const holders: Readonly<Record<string, readonly Power[]>> = {
  // What a permit was redeemed for.
  'extension/edits/delete-disk.ts': ['changes files'],
  'extension/edits/place-new.ts': ['changes files'],
  'extension/edits/write-file.ts': ['changes files'],
  'extension/edits/write-disk.ts': ['changes files'],
  'extension/editor/buffer-edit.ts': ['changes through the editor'],
  'extension/editor/editor-files.ts': ['changes through the editor'],
  // Files of our own, outside every workspace folder.
  'extension/editor/storage-folder.ts': ['changes files'],
  'extension/files/kept-results.ts': ['changes files'],
  'extension/files/object-store.ts': ['changes files'],
  'extension/headless/run.ts': ['changes files'],
  'extension/session/event-log.ts': ['changes files'],
  'extension/session/follow-log.ts': ['changes files'],
  'extension/session/open-log.ts': ['changes files'],
  'extension/session/owner-files.ts': ['changes files'],
  'extension/session/queue-file.ts': ['changes files'],
  'extension/session/repair.ts': ['changes files'],
  'extension/session/write-whole.ts': ['changes files'],
  // Opens files to read them: what opens can also write.
  'extension/files/read-bytes.ts': ['changes files'],
  // Asks whether a process is there (signal 0).
  'extension/session/owner-alive.ts': ['starts processes'],
  // Requests to the server of the model that a person has set up.
  'extension/model/create-client.ts': ['opens connections'],
  'extension/model/model-list.ts': ['opens connections'],
  'extension/model/response-watch.ts': ['opens connections'],
  'extension/model/stream-connection.ts': ['opens connections'],
  // A link that a person clicked.
  'extension/editor/open-link.ts': ['changes through the editor'],
  // A function on text that has the name of the editor's.
  'node_modules/jsonc-parser/lib/esm/impl/edit.js': ['changes through the editor'],
  'node_modules/jsonc-parser/lib/esm/main.js': ['changes through the editor'],
};

const metafileOf = async (name: string): Promise<Metafile> => JSON.parse(await readFile(join(root, 'out/meta', `${name}.json`), 'utf8')) as Metafile;

suite('the bundles', () => {
  before(async () => {
    if (bundleNames.some((name) => !existsSync(join(root, 'out/meta', `${name}.json`)))) await buildAll();
  });

  test('hold no source that can change files, start processes, open connections, act through the editor or run text, but those that are named', async () => {
    const sources = new Set((await Promise.all(bundleNames.map(async (name) => Object.keys((await metafileOf(name)).inputs)))).flat().filter((path) => !path.startsWith('<') && !path.startsWith('(')));
    const found: Record<string, readonly Power[]> = {};
    for (const path of [...sources].toSorted()) {
      const powers = powersOf(await readFile(join(root, path), 'utf8'));
      if (powers.length > 0) found[path] = powers;
    }
    assert.deepEqual(found, Object.fromEntries(Object.entries(holders).toSorted(([one], [other]) => (one < other ? -1 : 1))));
  });

  test('ask Node and the editor for these modules and no others', async () => {
    // A text in the compiled schemas, which would be code where they were compiled anew.
    const helper = 'ajv/dist/runtime/ucs2length';
    const expected: Readonly<Record<string, readonly string[]>> = {
      'main.cjs': ['./workbench.cjs', 'node:crypto', 'node:fs', 'node:path', 'node:timers/promises', 'vscode'],
      'workbench.cjs': ['./anthropic.cjs', './demonstration.cjs', './openai.cjs', helper, 'node:crypto', 'node:fs', 'node:fs/promises', 'node:os', 'node:path', 'vscode'],
      'openai.cjs': [], 'anthropic.cjs': [], 'demonstration.cjs': [],
      'headless.js': [helper, 'node:crypto', 'node:fs', 'node:fs/promises', 'node:os', 'node:path', 'node:util'],
      'tool-host.cjs': [helper, 'node:events'],
    };
    for (const [bundle, modules] of Object.entries(expected)) assert.deepEqual(requiredBy(await readFile(join(root, 'dist', bundle), 'utf8')), modules, bundle);
  });
});

test('a hole is seen, however it is drilled', () => {
  const holes: readonly (readonly [string, readonly Power[]])[] = [
    ["import { writeFile } from 'node:fs/promises';", ['changes files']], ["import { readFile, rm as away } from 'node:fs/promises';", ['changes files']], ["import * as files from 'fs';", ['changes files']],
    ["import files from 'node:fs';", ['changes files']], ["export { writeFileSync } from 'node:fs';", ['changes files']], ["const { rm } = await import('node:fs/promises');", ['changes files']], ["const files = require('fs');", ['changes files']],
    ["import { spawn } from 'node:child_process';", ['starts processes']], ["await import(\n  'node:worker_threads'\n);", ['starts processes']], ['process.dlopen(module, path);', ['starts processes']],
    ["import { connect } from 'node:net';", ['opens connections']], ["globalThis.fetch('x');", ['opens connections']], ["const socket = new WebSocket('x');", ['opens connections']],
    ['await workspace.applyEdit(edit);', ['changes through the editor']], ['vscode.workspace.fs.writeFile(uri, bytes);', ['changes through the editor']], ['await editor.edit((change) => {});', ['changes through the editor']], ["window.createTerminal('x');", ['changes through the editor']],
    ['eval(text);', ['runs text as code']], ["new Function('return 1');", ['runs text as code']], ['await import(name);', ['runs text as code']], ["import { createContext } from 'node:vm';", ['runs text as code']],
  ];
  for (const [source, powers] of holes) assert.deepEqual(powersOf(source), powers, source);
  const harmless = ["import { readFile, type FileHandle } from 'node:fs/promises';", "import type { ChildProcess } from 'node:child_process';", "// await workspace.applyEdit(edit)\n", "/* eval(text) */", "await import('./tour.ts');", 'this.#fetch(missing);', 'prompts.save();'];
  for (const source of harmless) assert.deepEqual(powersOf(source), [], source);
});
