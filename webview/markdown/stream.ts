import { blockOf, blocksOf } from './block-tree.ts';
import { capped } from './cap.ts';
import { lex } from './lex.ts';
import type { Block } from './tree.ts';

/** How far a growing text has been read. Blocks keep their identity once they are closed. */
export interface MarkdownStream {
  /** Nothing that may still come changes these. */
  readonly closed: readonly Block[];
  /** The last ones, read anew with each piece. */
  readonly open: readonly Block[];
  /** The source of the closed ones. */
  readonly closedSource: string;
}

export const emptyStream: MarkdownStream = { closed: [], open: [], closedSource: '' };

/** How many blocks at the end may still change: the last, and the one before it, which a longer last one may yet join. */
const openBlocks = 2;

const normalised = (text: string): string => capped(text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text);

/** Reads on. The text may also be another one altogether: then it is read from its start. */
export function readOn(stream: MarkdownStream, text: string): MarkdownStream {
  const source = normalised(text);
  const from = source.startsWith(stream.closedSource) ? stream : emptyStream;
  const tokens = lex(source.slice(from.closedSource.length));
  const solid = tokens.flatMap((token, index) => (token.type === 'space' ? [] : [index]));
  const firstOpen = solid.at(-openBlocks) ?? 0;
  const raw = tokens.slice(0, firstOpen).map((token) => token.raw).join('');
  // A lexer that changed what it read could not say where to read on.
  const faithful = source.startsWith(raw, from.closedSource.length);
  const closing = faithful ? tokens.slice(0, firstOpen) : [];
  const open = blocksOf(faithful ? tokens.slice(firstOpen) : tokens);
  if (closing.length === 0) return { ...from, open };
  return { closed: [...from.closed, ...closing.flatMap((token) => blockOf(token, 1))], open, closedSource: from.closedSource + raw };
}

/** The finished text. A link definition reaches back over all of it, so it is read as a whole where there may be one. */
export function finish(stream: MarkdownStream, text: string): readonly Block[] {
  if (/\[[^\]\n]+\]:/.test(text)) return parseMarkdown(text);
  const { closed, open } = readOn(stream, text);
  return [...closed, ...open];
}

export function parseMarkdown(text: string): readonly Block[] {
  return blocksOf(lex(normalised(text)));
}
