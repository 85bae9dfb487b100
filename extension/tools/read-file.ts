import { CodedError, ToolArgsError } from '../boundary/error-codes.ts';
import { namesResult } from '../boundary/result-path.ts';
import type { Reader, ToolDefinition } from '../boundary/tool-definition.ts';
import { decodeText } from '../edits/text.ts';
import { countSchema, objectSchema, pathSchema, textContent, textSchema } from './schemas.ts';
import { type TextWindow, windowOf, windowOfPart } from './text-window.ts';

interface Args {
  readonly path: string;
  readonly startLine?: number;
  readonly endLine?: number;
}

/** `totalLines` is null of a part of a file that is too large to be read to its end. */
type Value = { readonly text: string; readonly firstLine: number; readonly lastLine: number; readonly totalLines: number | null; readonly cut: boolean };

const lineSchema = (description: string) => ({ type: 'integer', minimum: 1, description }) as const;

export const readFile: ToolDefinition<Args, Value> = {
  name: 'read_file',
  description: 'Reads a text file, with line numbers (number, tab, line). Give startLine and endLine (1-based, inclusive) to read a part of a long file. A file must have been read before it can be edited.',
  parameters: objectSchema({
    path: pathSchema('The file, relative to the workspace folder; or the countersign-result: path of a result that was cut or left out.'),
    startLine: lineSchema('First line, 1-based.'), endLine: lineSchema('Last line, inclusive.'),
  }, ['path']),
  output: {
    schema: objectSchema({ text: textSchema, firstLine: countSchema, lastLine: countSchema, totalLines: { type: ['integer', 'null'], minimum: 0 }, cut: { type: 'boolean' } }, ['text', 'firstLine', 'lastLine', 'totalLines', 'cut']),
    render: ({ path }, value) => textContent(narrate(path, value)),
  },
  effects: async ({ path, startLine, endLine }, look) => {
    if (startLine !== undefined && endLine !== undefined && endLine < startLine) throw new ToolArgsError(`endLine (${endLine}) stands before startLine (${startLine}).`);
    const located = await look.locate(path);
    if (located.type === 'directory') throw new CodedError('FS_REFUSED', `${located.display} is a folder. Use list_directory.`);
    return { effects: [{ kind: 'read', path: located.path, extent: 'file', except: [] }], claims: [], content: new Map() };
  },
  execute: async ({ path, startLine = 1, endLine = Number.MAX_SAFE_INTEGER }, run) => {
    const [effect] = run.effects;
    if (effect?.kind !== 'read') throw new Error('read_file has no read to perform');
    const { firstLine, lastLine, totalLines, cut, text } = await windowFrom(await run.perform(effect), path, startLine, endLine);
    if (totalLines !== null && startLine > totalLines && startLine > 1) throw new CodedError('TOOL_FAILED', `${path} has ${totalLines} lines; line ${startLine} does not exist.`);
    return { firstLine, lastLine, totalLines, cut, text };
  },
  isConcurrencySafe: () => true,
  presentCall: ({ path, startLine, endLine }) => ({
    title: `Read ${namesResult(path) ? 'a result again' : path}${startLine === undefined && endLine === undefined ? '' : `, lines ${startLine ?? 1} to ${endLine ?? 'the end'}`}`,
    parts: [],
  }),
  presentResult: (_args, result) => ({ summary: result.content[0]?.text.startsWith('(') === true ? 'empty' : `${linesIn(result.content[0]?.text ?? '')} lines` }),
};

async function windowFrom(reader: Reader, path: string, startLine: number, endLine: number): Promise<TextWindow> {
  // Only where a part was asked for: of a file that is too large, the whole is refused.
  const isPart = startLine > 1 || endLine < Number.MAX_SAFE_INTEGER;
  const part = isPart ? await reader.part(startLine, endLine) : null;
  if (part !== null) return windowOfPart(part, startLine, endLine);
  const decoded = decodeText(await reader.bytes(), path);
  if (decoded instanceof CodedError) throw decoded;
  return windowOf(decoded.text, startLine, endLine);
}

function narrate(path: string, { text, firstLine, lastLine, totalLines, cut }: Value): string {
  if (totalLines === 0) return `(${path} is empty)`;
  if (firstLine === 1 && lastLine === totalLines) return text;
  const next = cut ? ` It was cut here for its size; go on with startLine ${lastLine + 1}.` : '';
  return `${text}\n[lines ${firstLine} to ${lastLine}${totalLines === null ? ' of a file that is too large to be read whole' : ` of ${totalLines}`}.${next}]`;
}

function linesIn(text: string): number {
  return text.split('\n').filter((line) => /^\s*\d+\t/.test(line)).length;
}
