import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TextContent } from '../../../extension/boundary/result.ts';
import { asLines, MemoryKeptResults } from '../../../extension/files/kept-results.ts';
import { cutNarration, maxNarration } from '../../../extension/pipeline/cut-narration.ts';
import { plainTool, textOf } from './plain-tool.ts';
import { type Session, sessionHost, type SessionSetup } from './session-host.ts';

const text = (...texts: readonly string[]): readonly TextContent[] => texts.map((one) => ({ type: 'text', text: one }));
const numbered = (count: number): string => Array.from({ length: count }, (_, n) => `${n + 1}: what stands in this line\n`).join('');

async function sessionSaying(t: TestContext, said: readonly TextContent[], setup: SessionSetup = {}): Promise<Session> {
  return sessionHost(t, { ...setup, tools: [plainTool({ output: { schema: {}, render: () => said } })] });
}

test('content up to the cap is left as it is, in its parts', () => {
  const kept = new MemoryKeptResults();
  const content = text('x'.repeat(maxNarration - 3), 'abc');
  assert.equal(cutNarration(content, 'c', kept), content);
  assert.equal(kept.read('c'), null);
});

test('C9 of content over the cap the beginning and the end are told, at whole lines; the whole is kept, and the cut says how to read the rest', async (t) => {
  const whole = numbered(3000);
  const session = await sessionSaying(t, text(whole));
  const told = textOf(await session.propose('plain', {}));
  assert.ok(told.length <= maxNarration && told.length > maxNarration - 2500, `${told.length}`);
  const [, head = '', count = '', from = '', to = '', tail = ''] = /^([\s\S]*)\n\[cut here: ([\d,]+) of [\d,]+ characters were left out\. The whole is kept: to read them, call read_file with the path "countersign-result:c1", startLine (\d+) and endLine (\d+), in parts if they are many\]\n([\s\S]*)$/.exec(told) ?? [];
  assert.ok(whole.startsWith(head) && whole.endsWith(tail) && head.endsWith('\n') && head.length > tail.length * 1.8);
  assert.equal(whole.length - head.length - tail.length, Number(count.replaceAll(',', '')));
  assert.ok(tail.startsWith(`${Number(to) + 1}: `));
  // What the cut names is what is read, without a gap.
  let next = Number(from);
  let read = '';
  while (next <= Number(to)) {
    const part = textOf(await session.propose('read_file', { path: 'countersign-result:c1', startLine: next, endLine: Number(to) }));
    const rows = part.split('\n').flatMap((line) => /^\s*\d+\t(.*)$/.exec(line)?.slice(1) ?? []);
    assert.ok(rows.length > 0 && part.length <= maxNarration);
    read += rows.map((row) => `${row}\n`).join('');
    next += rows.length;
  }
  assert.equal(head + read + tail, whole);
});

test('C9 a cut never halves a character', () => {
  for (const shift of [0, 1]) {
    const [part] = cutNarration(text('x'.repeat(shift) + '😀'.repeat(maxNarration)), 'c', new MemoryKeptResults());
    assert.ok(part !== undefined && part.text.isWellFormed() && part.text.length <= maxNarration);
  }
});

test('a result of one endless line is read again by lines that are short enough to be shown', async (t) => {
  const whole = Array.from({ length: 20_000 }, (_, n) => `item${n}`).join(',');
  const session = await sessionSaying(t, text(whole));
  const told = textOf(await session.propose('plain', {}));
  const [, from = '', to = ''] = /startLine (\d+) and endLine (\d+)/.exec(told) ?? [];
  const lines = asLines(whole).split('\n');
  const part = textOf(await session.propose('read_file', { path: 'countersign-result:c1', startLine: Number(from), endLine: Number(from) + 1 }));
  assert.ok(!part.includes('[cut:'));
  assert.equal(part.split('\n')[0], `${from}\t${lines[Number(from) - 1]}`.padStart(String(Number(from) + 1).length + 1));
  assert.ok(Number(to) > Number(from) && lines.join('') === whole);
});

test('several parts are cut as one text', async (t) => {
  const session = await sessionSaying(t, text('a'.repeat(20_000), 'b'.repeat(20_000)));
  const { result } = await session.propose('plain', {});
  assert.equal(result?.content.length, 1);
  assert.match(result?.content[0]?.text ?? '', /^a+\n?b*\n\[cut here: [\s\S]*b$/);
  assert.equal(session.host.kept.read('c1'), `${'a'.repeat(20_000)}\n${'b'.repeat(20_000)}`);
});

test('what is redacted is redacted in what is kept, too', async (t) => {
  const session = await sessionSaying(t, text(`${'x'.repeat(maxNarration)} KEY ${'x'.repeat(100)}`), { host: { redact: (given) => given.replaceAll('KEY', '[key]') } });
  await session.propose('plain', {});
  assert.match(session.host.kept.read('c1') ?? '', / \[key\] /);
});

test('where the rest cannot be kept, the cut says so and names no path', async (t) => {
  const session = await sessionSaying(t, text(numbered(3000)), { host: { kept: { keep: () => { throw new Error('no space left on device'); }, read: () => null } } });
  const told = textOf(await session.propose('plain', {}));
  assert.match(told, /characters were left out; they could not be kept \(no space left on device\)\. Ask for a smaller part\]/);
  assert.ok(!told.includes('countersign-result:'));
});

test('an error that is too long is cut and kept like any other result', async (t) => {
  const session = await sessionHost(t, { tools: [plainTool({ execute: () => Promise.reject(new Error(numbered(3000))) })] });
  const told = textOf(await session.propose('plain', {}));
  assert.ok(told.length <= maxNarration && told.includes('countersign-result:c1'));
});
