import { sha256 } from '../boundary/digest.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { Run, Snapshot, ToolDefinition } from '../boundary/tool-definition.ts';
import { applyReplacements, type Replacement } from '../edits/replace.ts';
import { decodeText, encodeText, surveyLines } from '../edits/text.ts';
import { objectSchema, pathSchema, textContent } from './schemas.ts';

interface Args {
  readonly path: string;
  readonly edits: readonly Replacement[];
}

type Value = { readonly edits: number; readonly unsaved: boolean };

export const editFile: ToolDefinition<Args, Value> = {
  name: 'edit_file',
  description: 'Replaces exact text in a file that has been read. Each oldText must stand in the file exactly once (or set replaceAll); all edits are matched against the file as it is now, and either all are made or none.',
  parameters: objectSchema({
    path: pathSchema('The file, relative to the workspace folder.'),
    edits: {
      type: 'array', minItems: 1, maxItems: 1000,
      items: objectSchema({
        oldText: { type: 'string', minLength: 1, description: 'The text as it stands in the file, without line numbers, with enough around it to be unique.' },
        newText: { type: 'string', description: 'What takes its place.' },
        replaceAll: { type: 'boolean', description: 'Replace every place where oldText stands.' },
      }, ['oldText', 'newText']),
    },
  }, ['path', 'edits']),
  output: {
    schema: objectSchema({ edits: { type: 'integer', minimum: 1 }, unsaved: { type: 'boolean' } }, ['edits', 'unsaved']),
    render: ({ path }, { edits, unsaved }) => textContent(`Edited ${path}: ${edits} ${edits === 1 ? 'replacement' : 'replacements'} made, exactly as proposed${unsaved ? inEditor : ''}.`),
  },
  effects: async ({ path, edits }, look) => {
    const snapshot = await look.editable(path);
    if (snapshot.bytes === null) throw new CodedError('FS_NOT_FOUND', `${snapshot.display} does not exist. Create it with write_file.`);
    return writeOf(snapshot, valueOf(edited(snapshot.bytes, snapshot.display, edits)));
  },
  execute: async ({ edits }, run) => {
    await run.performAll();
    return { edits: edits.length, unsaved: landedUnsaved(run) };
  },
  presentCall: ({ path }) => ({ title: `Edit ${path}`, parts: [] }),
  presentResult: ({ edits }, result) => ({ summary: result.isError ? '' : `${edits.length} ${edits.length === 1 ? 'edit' : 'edits'}` }),
};

/** What writing these bytes in the place of a snapshot would do. FS_DIRTY for what a document of the editor's cannot hold. */
export function writeOf(snapshot: Snapshot, bytes: Uint8Array): Awaited<ReturnType<ToolDefinition['effects']>> {
  if (snapshot.via === 'buffer') refuseUnholdable(snapshot, bytes);
  const result = sha256(bytes);
  return { effects: [{ kind: 'write', path: snapshot.path, base: snapshot.digest, result, via: snapshot.via }], claims: [], content: new Map([[result, bytes]]) };
}

/** What the model is told of a change that went into an unsaved document. */
export const inEditor = ', in the editor, on top of the unsaved changes there; it is changed in the editor and not saved, so the file on disk is as it was';

export function landedUnsaved({ effects }: Run): boolean {
  return effects.some((effect) => effect.kind === 'write' && effect.via === 'buffer');
}

/** A document has one kind of line end, and its byte order mark is not part of its text. */
function refuseUnholdable({ bytes: base, display }: Snapshot, bytes: Uint8Array): void {
  const refuse = (why: string): never => {
    throw new CodedError('FS_DIRTY', `${display} has unsaved changes in the editor, and ${why}. Ask the person to save it, then read it again.`);
  };
  const before = valueOf(decodeText(base ?? new Uint8Array(), display));
  const after = valueOf(decodeText(bytes, display));
  const { ends } = surveyLines(after.text);
  if (ends === 'mixed' || ends === 'cr') refuse(`the new text has ${ends === 'mixed' ? 'mixed line ends' : 'carriage returns alone for line ends'}, which a document there cannot hold`);
  if (before.bom !== after.bom) refuse(`its byte order mark cannot be ${after.bom ? 'added' : 'removed'} there`);
}

/** A failure that was expected is a value until here, where the call ends with it. */
export function valueOf<T>(value: T | CodedError): T {
  if (value instanceof CodedError) throw value;
  return value;
}

function edited(bytes: Uint8Array, display: string, edits: readonly Replacement[]): Uint8Array | CodedError {
  const decoded = decodeText(bytes, display);
  if (decoded instanceof CodedError) return decoded;
  const text = applyReplacements(decoded.text, edits);
  return text instanceof CodedError ? text : encodeText({ text, bom: decoded.bom }, display);
}
