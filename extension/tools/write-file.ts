import { CodedError } from '../boundary/error-codes.ts';
import type { ToolDefinition } from '../boundary/tool-definition.ts';
import { encodeText } from '../edits/text.ts';
import { inEditor, landedUnsaved, valueOf, writeOf } from './edit-file.ts';
import { objectSchema, pathSchema, textContent } from './schemas.ts';

interface Args {
  readonly path: string;
  readonly content: string;
}

type Value = { readonly bytes: number; readonly unsaved: boolean };

export const writeFile: ToolDefinition<Args, Value> = {
  name: 'write_file',
  description: 'Creates a file, with its folders, or replaces the whole of one that has been read. To change a part of a file use edit_file.',
  parameters: objectSchema({ path: pathSchema('The file, relative to the workspace folder.'), content: { type: 'string', description: 'The whole content, as it is to stand in the file.' } }, ['path', 'content']),
  output: {
    schema: objectSchema({ bytes: { type: 'integer', minimum: 0 }, unsaved: { type: 'boolean' } }, ['bytes', 'unsaved']),
    render: ({ path }, { bytes, unsaved }) => textContent(`Wrote ${path}: ${bytes} bytes, exactly as proposed${unsaved ? inEditor : ''}.`),
  },
  effects: async ({ path, content }, look) => {
    const snapshot = await look.editable(path);
    // A mark that the file has is kept: the model does not see it, so it cannot mean to take it away.
    const bom = snapshot.bytes !== null && snapshot.bytes[0] === 0xef && snapshot.bytes[1] === 0xbb && snapshot.bytes[2] === 0xbf && !content.startsWith('\uFEFF');
    const bytes = valueOf(encodeText({ text: content, bom }, snapshot.display));
    if (snapshot.bytes !== null && Buffer.compare(snapshot.bytes, bytes) === 0) throw new CodedError('EDIT_INVALID', `${snapshot.display} already has exactly this content; nothing would change.`);
    return writeOf(snapshot, bytes);
  },
  execute: async ({ content }, run) => {
    await run.performAll();
    return { bytes: Buffer.byteLength(content), unsaved: landedUnsaved(run) };
  },
  presentCall: ({ path }) => ({ title: `Write ${path}`, parts: [] }),
  presentResult: ({ content }, result) => ({ summary: result.isError ? '' : `${content.split('\n').length} lines` }),
};
