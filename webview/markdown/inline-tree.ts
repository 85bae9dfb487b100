import type { MarkedToken, Token, Tokens } from 'marked';
import { decodeEntities } from './entities.ts';
import { hostToSay, webUrl } from './link-policy.ts';
import type { Inline } from './tree.ts';
import { visibleText } from './visible-text.ts';

/** Deeper than anyone writes: what lies below is shown as it is written. */
export const maxDepth = 40;

const text = (value: string): Inline => ({ kind: 'text', text: visibleText(value) });

export function inlinesOf(tokens: readonly Token[], depth: number): readonly Inline[] {
  return tokens.flatMap((token) => inlineOf(token, depth + 1));
}

function inlineOf(generic: Token, depth: number): readonly Inline[] {
  if (depth > maxDepth) return [text(generic.raw)];
  // No extension is registered, so every token is one of marked's own.
  const token = generic as MarkedToken;
  switch (token.type) {
    case 'text':
      return token.tokens === undefined ? [text(token.escaped === undefined ? token.text : decodeEntities(token.text))] : inlinesOf(token.tokens, depth);
    case 'escape': return [text(token.text)];
    case 'codespan': return [{ kind: 'code', text: visibleText(token.text) }];
    case 'strong': return [{ kind: 'strong', children: inlinesOf(token.tokens, depth) }];
    case 'em': return [{ kind: 'emphasis', children: inlinesOf(token.tokens, depth) }];
    case 'del': return [{ kind: 'deleted', children: inlinesOf(token.tokens, depth) }];
    case 'br': return [{ kind: 'break' }];
    case 'checkbox': return [{ kind: 'checkbox', checked: token.checked }];
    case 'link': return linkOf(token, depth);
    case 'image': return imageOf(token);
    // Raw HTML, and whatever belongs to blocks: as it is written.
    default: return [text(token.raw)];
  }
}

function linkOf(token: Tokens.Link, depth: number): readonly Inline[] {
  const address = token.autolink === true ? token.href : decodeEntities(token.href);
  const children = inlinesOf(token.tokens, depth);
  const url = webUrl(address);
  if (url !== null) return [{ kind: 'link', url, host: hostToSay(decodeEntities(token.text), url), children }];
  const told = address === '' || token.text === address || token.autolink === true;
  return told ? children : [...children, { kind: 'address', text: ` (${shortened(address)})` }];
}

/** An image is never loaded: its address alone could carry something out. */
function imageOf(token: Tokens.Image): readonly Inline[] {
  const alt = visibleText(decodeEntities(token.text));
  return [{ kind: 'image', alt }, { kind: 'address', text: `${alt === '' ? '' : ' '}(${shortened(decodeEntities(token.href))})` }];
}

function shortened(address: string): string {
  return visibleText(address.length > 300 ? `${address.slice(0, 300)}…` : address);
}
