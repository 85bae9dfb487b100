import { Lexer, type Token } from 'marked';

/** Above this, the text of one block is shown without its inline marks: finding them takes time that grows with its square. */
const maxInline = 20_000;

/** Marked's tokens of a text whose line ends are `\n`. Never throws: what cannot be lexed is one plain text. */
export function lex(source: string): readonly Token[] {
  const lexer = new Lexer({ gfm: true });
  try {
    lexer.blockTokens(source, lexer.tokens);
    for (const { src, tokens } of lexer.inlineQueue) {
      if (src.length > maxInline) tokens.push({ type: 'text', raw: src, text: src, escaped: false });
      else lexer.inlineTokens(src, tokens);
    }
    return lexer.tokens;
  } catch {
    // Quotes nested a thousand deep overflow its stack.
    return [{ type: 'html', raw: source, text: source, block: true, pre: false }];
  }
}
