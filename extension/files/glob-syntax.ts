/** A glob as picomatch is to read it, or why it is refused. */
export type GlobSyntax = { readonly kind: 'glob'; readonly glob: string } | { readonly kind: 'refused'; readonly why: string };

const longest = 1000;

/**
 * Refuses what picomatch would take literally, or as a piece of a regular expression, without a word: a rule that silently
 * matches nothing protects nothing. Parentheses without `@ ? ! + *` before them are plain characters (`app/(auth)/page.tsx`).
 */
export function checkGlob(glob: string): GlobSyntax {
  const plain = glob.startsWith('./') ? glob.slice(2) : glob;
  const why = refusedWhole(plain);
  return why === null ? scan(plain) : refused(why);
}

function refused(why: string): GlobSyntax {
  return { kind: 'refused', why };
}

function refusedWhole(glob: string): string | null {
  if (glob === '') return 'it is empty';
  if (glob.length > longest) return `it is longer than ${longest} characters`;
  if (glob.includes('\0')) return 'it holds a NUL';
  if (glob.startsWith('!') && !glob.startsWith('!(')) return 'a glob cannot be negated as a whole with "!"; say what it is to match';
  if (glob !== '/' && glob.endsWith('/')) return `it ends with "/" and would match nothing: write "${glob}**" for what is in the folder`;
  if (glob.includes('//')) return '"//" matches nothing: write one "/"';
  return glob.split('/').some((part) => part === '.' || part === '..') ? 'the parts "." and ".." match nothing: write the path that they lead to' : null;
}

interface Open {
  readonly kind: 'brace' | 'extglob' | 'negation' | 'plain';
  readonly from: number;
}

function scan(glob: string): GlobSyntax {
  const open: Open[] = [];
  let out = '';
  for (let at = 0; at < glob.length; at += 1) {
    const character = glob[at] ?? '';
    const next = glob[at + 1] ?? '';
    const before = glob[at - 1] ?? '';
    const inner = open.at(-1);
    switch (character) {
      case '\\':
        if (next === '') return refused('it ends with "\\"');
        if (/[\p{L}\p{N}\s]/u.test(next)) return refused(`"\\${next}" is no escape: folders are parted by "/", and "\\" only takes the meaning from a special character`);
        out += character + next;
        at += 1;
        break;
      case '"':
        // picomatch drops quotation marks and takes what they enclose literally; in a path they are plain characters.
        out += '\\"';
        break;
      case '[': {
        const end = classEnd(glob, at);
        if (end < 0) return refused('"[" has no closing "]"; write \\[ for the character itself');
        const members = glob.slice(at, end + 1);
        if (/[/\\]/.test(members)) return refused(`"${members}" holds "/" or "\\", which no set of characters can`);
        // picomatch knows only `^` as the negation of a set.
        out += members.startsWith('[!') ? `[^${members.slice(2)}` : members;
        at = end;
        break;
      }
      case ']': return refused('"]" has no opening "["; write \\] for the character itself');
      case '{':
        open.push({ kind: 'brace', from: at });
        out += character;
        break;
      case '}': {
        if (inner?.kind !== 'brace') return refused('"}" has no opening "{"; write \\} for the character itself');
        const why = refusedBraces(glob.slice(inner.from + 1, at));
        if (why !== null) return refused(why);
        open.pop();
        out += character;
        break;
      }
      case '(': {
        const extglob = '@?!+*'.includes(before) && before !== '' && !escaped(glob, at - 1);
        if (extglob && before === '*' && glob[at - 2] === '*') return refused('"**(" is ambiguous: write "**/*" or "*(…)"');
        if (extglob && next === '?') return refused('"?" cannot stand directly beside a parenthesis');
        open.push({ kind: !extglob ? 'plain' : before === '!' ? 'negation' : 'extglob', from: at });
        out += extglob ? character : '\\(';
        break;
      }
      case ')':
        if (inner === undefined || inner.kind === 'brace') return refused('")" has no opening "("; write \\) for the character itself');
        if (inner.kind !== 'plain' && next === '?' && glob[at + 2] !== '(') return refused('"?" cannot stand directly beside a parenthesis');
        if (inner.kind === 'negation' && glob.slice(inner.from, at).includes('/')) return refused('"!(…)" cannot span folders');
        open.pop();
        out += inner.kind === 'plain' ? '\\)' : character;
        break;
      case '|':
        if (inner === undefined || inner.kind === 'plain' || inner.kind === 'brace') return refused('"|" parts alternatives only in "@(a|b)"; write {a,b}, or \\| for the character itself');
        out += character;
        break;
      case '+':
        out += next === '(' ? character : '\\+';
        break;
      default: out += character;
    }
  }
  const left = open.at(-1);
  if (left !== undefined) return refused(left.kind === 'brace' ? '"{" has no closing "}"; write \\{ for the character itself' : '"(" has no closing ")"; write \\( for the character itself');
  return { kind: 'glob', glob: out };
}

function escaped(glob: string, at: number): boolean {
  let backslashes = 0;
  while (glob[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}

/** The offset of the `]` that closes the set at `at`, or -1. A `]` that comes first is a member. */
function classEnd(glob: string, at: number): number {
  let from = at + 1;
  if (glob[from] === '!' || glob[from] === '^') from += 1;
  if (glob[from] === ']') from += 1;
  for (let next = from; next < glob.length; next += 1) {
    if (glob[next] === '[' && glob[next + 1] === ':') {
      const end = glob.indexOf(':]', next + 2);
      if (end < 0) return -1;
      next = end + 1;
    } else if (glob[next] === ']') return next;
  }
  return -1;
}

function refusedBraces(content: string): string | null {
  if (!content.includes('..')) return null;
  const range = /^(?:([a-z])\.\.([a-z])|([A-Z])\.\.([A-Z])|(\d)\.\.(\d))$/.exec(content);
  const [from, to] = range === null ? [] : range.slice(1).filter((part) => part !== undefined);
  return from !== undefined && to !== undefined && from <= to ? null : `"{${content}}" is no range of single letters or digits: list what is meant, {9,10,11}`;
}
