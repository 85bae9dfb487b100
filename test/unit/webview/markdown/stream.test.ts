import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { emptyStream, finish, parseMarkdown, readOn, type MarkdownStream } from '../../../../webview/markdown/stream.ts';

const source = `# Title

First paragraph, with *emphasis*.

- one
- two

  still two

\`\`\`js
let a = 1;

let b = 2;
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

> quote
continued

last`;

function streamed(text: string, sizes: readonly number[]): MarkdownStream {
  let stream = emptyStream;
  let end = 0;
  for (let n = 0; end < text.length; n += 1) {
    end += Math.max(1, sizes[n % sizes.length] ?? 1);
    stream = readOn(stream, text.slice(0, end));
  }
  return stream;
}

const all = ({ closed, open }: MarkdownStream) => [...closed, ...open];

test('a text that arrives letter by letter ends as the text read at once', () => {
  assert.deepEqual(all(streamed(source, [1])), parseMarkdown(source));
});

test('blocks that are closed stay the same objects while the text grows', () => {
  const half = readOn(emptyStream, source.slice(0, 120));
  const later = readOn(half, source);
  assert.ok(half.closed.length >= 2);
  half.closed.forEach((block, n) => assert.equal(later.closed[n], block));
});

test('only the last two blocks are read again', () => {
  const { closed, open } = readOn(emptyStream, 'a\n\nb\n\nc\n\nd');
  assert.equal(closed.length, 2);
  assert.equal(open.length, 2);
});

test('another text in its place is read from its start', () => {
  const stream = readOn(emptyStream, source);
  assert.deepEqual(all(readOn(stream, 'Other *text*')), parseMarkdown('Other *text*'));
});

test('a link definition at the end reaches back over the finished text', () => {
  const text = '[docs] and more\n\nb\n\nc\n\nd\n\n[docs]: https://example.com/';
  assert.deepEqual(finish(streamed(text, [3]), text), parseMarkdown(text));
});

test('the finished text is the same however it arrived', () => {
  const pieces = ['# h', '\n', '\n\n', '\r\n', 'a', ' ', '- ', '1. ', '> ', '```', '`', '*', '**', '| a | b |', '|-|-|', '---', '===', '<b>', '    ', '[x](http://y.z)', '[x]: http://y.z', '[x]', '\t', '- [ ] ', '<!--', '~~~'];
  fc.assert(fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (parts, sizes) => {
    const text = parts.join('');
    assert.deepEqual(finish(streamed(text, sizes), text), parseMarkdown(text));
  }), { numRuns: 2000 });
});

test('a growing line of a megabyte stays cut', () => {
  const grown = readOn(readOn(emptyStream, `a\n\nb\n\n${'x'.repeat(500_000)}`), `a\n\nb\n\n${'x'.repeat(1_000_000)}`);
  assert.deepEqual(all(grown), parseMarkdown(`a\n\nb\n\n${'x'.repeat(1_000_000)}`));
});
