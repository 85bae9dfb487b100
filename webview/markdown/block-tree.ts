import type { MarkedToken, Token, Tokens } from 'marked';
import { inlinesOf, maxDepth } from './inline-tree.ts';
import type { Align, Block, ListItem } from './tree.ts';
import { visibleText } from './visible-text.ts';

export function blocksOf(tokens: readonly Token[], depth = 0): readonly Block[] {
  return tokens.flatMap((token) => blockOf(token, depth + 1));
}

/** The block that a token stands for; none for blank space and link definitions. */
export function blockOf(generic: Token, depth: number): readonly Block[] {
  if (depth > maxDepth) return [plain(generic.raw)];
  // No extension is registered, so every token is one of marked's own.
  const token = generic as MarkedToken;
  switch (token.type) {
    case 'space': case 'def': return [];
    case 'paragraph': return [{ kind: 'paragraph', children: inlinesOf(token.tokens, depth) }];
    case 'text': return [{ kind: 'line', children: inlinesOf(token.tokens ?? [token], depth) }];
    case 'heading': return [{ kind: 'heading', depth: headingDepth(token.depth), children: inlinesOf(token.tokens, depth) }];
    case 'code': return [{ kind: 'code', language: languageOf(token.lang), text: visibleText(token.text), source: token.text }];
    case 'blockquote': return [{ kind: 'quote', blocks: blocksOf(token.tokens, depth) }];
    case 'list': return [{ kind: 'list', start: startOf(token), items: token.items.map((item) => itemOf(item, depth)) }];
    case 'table':
      return [{
        kind: 'table',
        align: token.align.map((align): Align => align ?? 'none'),
        header: token.header.map((cell) => inlinesOf(cell.tokens, depth)),
        rows: token.rows.map((row) => row.map((cell) => inlinesOf(cell.tokens, depth))),
      }];
    case 'hr': return [{ kind: 'rule' }];
    // Raw HTML, and whatever belongs inside blocks: as it is written.
    case 'html': return [plain(token.raw.trimEnd())];
    default: return [{ kind: 'line', children: inlinesOf([token], depth) }];
  }
}

/** As it is written, line by line. */
function plain(source: string): Block {
  const lines = visibleText(source).split('\n');
  return { kind: 'paragraph', children: lines.flatMap((line, n) => [...(n === 0 ? [] : [{ kind: 'break' } as const]), { kind: 'text', text: line } as const]) };
}

/** The lexer puts the box of a tight item before its first line; it is drawn as part of that line. */
function itemOf(item: Tokens.ListItem, depth: number): ListItem {
  const [box, first, ...rest] = blocksOf(item.tokens, depth);
  const apart = item.tokens[0]?.type === 'checkbox' && box?.kind === 'line' && (first?.kind === 'line' || first?.kind === 'paragraph');
  const blocks = apart ? [{ kind: first.kind, children: [...box.children, ...first.children] }, ...rest] : blocksOf(item.tokens, depth);
  return { task: item.task, blocks };
}

function startOf(token: Tokens.List): number | null {
  return token.ordered ? (token.start === '' ? 1 : token.start) : null;
}

function headingDepth(depth: number): 1 | 2 | 3 | 4 | 5 | 6 {
  switch (depth) {
    case 1: case 2: case 3: case 4: case 5: return depth;
    default: return 6;
  }
}

/** The first word after the fence: `ts title="a"` is `ts`. */
function languageOf(info: string | undefined): string {
  return visibleText((info ?? '').trim().split(/\s/, 1)[0] ?? '').slice(0, 40);
}
