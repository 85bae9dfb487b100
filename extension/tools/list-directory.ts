import { CodedError } from '../boundary/error-codes.ts';
import type { DirectoryEntry, ToolDefinition } from '../boundary/tool-definition.ts';
import { makeVisible } from '../edits/visible.ts';
import { countSchema, objectSchema, pathSchema, textContent } from './schemas.ts';

interface Args {
  readonly path?: string;
}

type Value = { readonly entries: readonly { readonly name: string; readonly type: string; readonly size: number }[]; readonly more: number };

export const listDirectory: ToolDefinition<Args, Value> = {
  name: 'list_directory',
  description: 'Lists what stands in a folder: folders end with /, links with @, files have their size in bytes. Without a path: the workspace folder.',
  parameters: objectSchema({ path: pathSchema('The folder, relative to the workspace folder.') }),
  output: {
    schema: objectSchema({
      entries: { type: 'array', items: objectSchema({ name: { type: 'string' }, type: { enum: ['file', 'directory', 'link', 'other'] }, size: { type: 'integer', minimum: 0 } }, ['name', 'type', 'size']) },
      more: countSchema,
    }, ['entries', 'more']),
    render: (_args, value) => textContent(narrate(value)),
  },
  effects: async ({ path }, look) => {
    const folders = path === undefined ? await look.roots() : [await look.locate(path)];
    const file = folders.find(({ type }) => type !== 'directory');
    if (file !== undefined) throw new CodedError('FS_REFUSED', `${file.display} is a file. Use read_file.`);
    if (folders.length === 0) throw new CodedError('FS_NOT_FOUND', 'No folder is open. Give an absolute path, or ask the person to open a folder.');
    return { effects: folders.map(({ path: folder }) => ({ kind: 'read', path: folder, extent: 'file', except: [] })), claims: [], content: new Map() };
  },
  execute: async (_args, run) => {
    const entries: DirectoryEntry[] = [];
    let more = 0;
    for (const effect of run.effects) {
      if (effect.kind !== 'read') continue;
      const reader = await run.perform(effect);
      // With several workspace folders, a path begins with the folder's name.
      const prefix = run.effects.length > 1 ? `${reader.display}/` : '';
      const listing = await reader.entries();
      entries.push(...listing.entries.map((entry) => ({ ...entry, name: prefix + entry.name.toWellFormed() })));
      more += listing.more;
    }
    return { more, entries: entries.map(({ name, type, size }) => ({ name, type, size })) };
  },
  isConcurrencySafe: () => true,
  presentCall: ({ path }) => ({ title: path === undefined || path === '.' ? 'List the workspace folder' : `List ${path}`, parts: [] }),
  presentResult: (_args, result) => {
    const text = result.content[0]?.text ?? '';
    return { summary: text === '(empty)' ? 'empty' : `${text.split('\n').filter((row) => !row.startsWith('[cut: ')).length} entries` };
  },
};

function narrate({ entries, more }: Value): string {
  if (entries.length === 0) return '(empty)';
  const rows = entries.map((entry) => line({ ...entry, name: makeVisible(entry.name) })).join('\n');
  return more === 0 ? rows : `${rows}\n[cut: ${more} more stand there; find_files finds them by a pattern]`;
}

function line({ name, type, size }: Pick<DirectoryEntry, 'name' | 'size'> & { readonly type: string }): string {
  switch (type) {
    case 'directory':
      return `${name}/`;
    case 'link':
      return `${name}@`;
    default:
      return `${name}  ${size}`;
  }
}
