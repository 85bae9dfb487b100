import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Block, Inline } from '../../../../webview/markdown/tree.ts';
import { parseMarkdown } from '../../../../webview/markdown/stream.ts';

const text = (value: string): Inline => ({ kind: 'text', text: value });
const paragraph = (...children: readonly Inline[]): Block => ({ kind: 'paragraph', children });
const line = (...children: readonly Inline[]): Block => ({ kind: 'line', children });
const link = (url: string, ...children: readonly Inline[]): Inline => ({ kind: 'link', url, host: null, children });

const cases: readonly (readonly [does: string, source: string, blocks: readonly Block[]])[] = [
  ['emphasis nests', 'a **b *c*** ~~d~~', [paragraph(text('a '), { kind: 'strong', children: [text('b '), { kind: 'emphasis', children: [text('c')] }] }, text(' '), { kind: 'deleted', children: [text('d')] })]],
  ['character references are read in text and not in code', 'a &amp; b &#8217; `&amp;` &unknown;', [paragraph(text('a & b ’ '), { kind: 'code', text: '&amp;' }, text(' &unknown;'))]],
  ['headings keep their depth', '## Two', [{ kind: 'heading', depth: 2, children: [text('Two')] }]],
  ['a code block keeps its language and its text', '```ts title="x"\nconst a = "<b>";\n```', [{ kind: 'code', language: 'ts', text: 'const a = "<b>";', source: 'const a = "<b>";' }]],
  ['a code block shows what is hidden in it, and copies what it holds', '```\na\u202Eb\n```', [{ kind: 'code', language: '', text: 'a‹U+202E›b', source: 'a\u202Eb' }]],
  ['quotes nest', '> a\n>\n> > b', [{ kind: 'quote', blocks: [paragraph(text('a')), { kind: 'quote', blocks: [paragraph(text('b'))] }] }]],
  ['an ordered list keeps its start', '3. a\n4. b', [{ kind: 'list', start: 3, items: [{ task: false, blocks: [line(text('a'))] }, { task: false, blocks: [line(text('b'))] }] }]],
  ['a task has its box in its first line', '- [x] a\n- [ ] b', [{ kind: 'list', start: null, items: [
    { task: true, blocks: [line({ kind: 'checkbox', checked: true }, text('a'))] }, { task: true, blocks: [line({ kind: 'checkbox', checked: false }, text('b'))] },
  ] }]],
  ['a table keeps its sides', '|a|b|\n|-|-:|\n|1|2|', [{ kind: 'table', align: ['none', 'right'], header: [[text('a')], [text('b')]], rows: [[[text('1')], [text('2')]]] }]],
  ['raw HTML is text', '<img src=x onerror=alert(1)>', [paragraph(text('<img src=x onerror=alert(1)>'))]],
  ['raw HTML within a line is text', 'a <b onclick=x>b</b>', [paragraph(text('a '), text('<b onclick=x>'), text('b'), text('</b>'))]],
  ['a script is text', '<script>\nalert(1)\n</script>', [paragraph(text('<script>'), { kind: 'break' }, text('alert(1)'), { kind: 'break' }, text('</script>'))]],
  ['a web link is a link', '[docs](https://example.com/a)', [paragraph(link('https://example.com/a', text('docs')))]],
  ['a bare web address is a link', 'see https://example.com/a', [paragraph(text('see '), link('https://example.com/a', text('https://example.com/a')))]],
  ['a link that lies about its host says it', '[github.com](https://evil.org)', [paragraph({ kind: 'link', url: 'https://evil.org/', host: 'evil.org', children: [text('github.com')] })]],
  ['a command link is text, with its address', '[run](command:evil)', [paragraph(text('run'), { kind: 'address', text: ' (command:evil)' })]],
  ['an encoded scheme is text', '[run](java&#115;cript:alert)', [paragraph(text('run'), { kind: 'address', text: ' (javascript:alert)' })]],
  ['a mail address is text', 'me@example.com', [paragraph(text('me@example.com'))]],
  ['an image is its words and its address', '![a cat](https://evil.org/?secret)', [paragraph({ kind: 'image', alt: 'a cat' }, { kind: 'address', text: ' (https://evil.org/?secret)' })]],
  ['an image in a link stays words', '[![x](https://a.b/i.png)](https://c.d/)', [paragraph(link('https://c.d/', { kind: 'image', alt: 'x' }, { kind: 'address', text: ' (https://a.b/i.png)' }))]],
  ['a link by reference is read', '[docs]\n\n[docs]: https://example.com/', [paragraph(link('https://example.com/', text('docs')))]],
];

for (const [does, source, blocks] of cases) test(does, () => assert.deepEqual(parseMarkdown(source), blocks));

test('quotes a thousand deep are shown as they are written', () => {
  const source = '>'.repeat(5000);
  assert.deepEqual(parseMarkdown(source), [paragraph(text(source))]);
});

test('a paragraph that is too long for inline marks is still shown', () => {
  const source = Array.from({ length: 3000 }, (_, n) => `word${n} *x*`).join('\n');
  assert.deepEqual(parseMarkdown(source), [paragraph(text(source))]);
});
