import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import picomatch from 'picomatch';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { compileGlob, isSimple, type GlobMatcher } from '../../../extension/files/globs.ts';
import { runProgram } from '../../../extension/files/linear-match.ts';
import { compileRegex } from '../../../extension/files/regex-program.ts';

function matcher(glob: string, nocase = false): GlobMatcher {
  const compiled = compileGlob(glob, { nocase });
  if (compiled instanceof CodedError) throw compiled;
  return compiled;
}

interface Case {
  readonly glob: string;
  readonly yes: readonly string[];
  readonly no: readonly string[];
}

const cases: readonly Case[] = [
  { glob: '*.ts', yes: ['a.ts', '.ts', '.a.ts'], no: ['a/b.ts', 'a.tsx', 'ts'] },
  { glob: '**/*.ts', yes: ['a.ts', 'a/b.ts', '.git/.a.ts', 'a\nb/c.ts', 'a\n.ts'], no: ['a.tsx'] },
  { glob: 'src/**', yes: ['src', 'src/a', 'src/.a/b'], no: ['srcs', 'a/src'] },
  { glob: '**', yes: ['a', '.a/b', 'a\nb'], no: [] },
  { glob: '/w/**/.env', yes: ['/w/.env', '/w/a/b/.env'], no: ['/w/a.env', 'w/.env'] },
  { glob: '/**', yes: ['/', '/a/b'], no: ['a'] },
  { glob: '/w\\[1\\]/a\\(b\\)/**', yes: ['/w[1]/a(b)/c'], no: ['/w1/a(b)/c'] },
  { glob: './a', yes: ['a'], no: ['./b'] },
  { glob: 'a?c', yes: ['abc', 'a.c'], no: ['ac', 'a/c'] },
  { glob: '[ab]c', yes: ['ac', 'bc', '[ab]c'], no: ['cc'] },
  { glob: '[!ab]c', yes: ['cc', '.c'], no: ['ac', 'bc', '/c', '!c/'] },
  { glob: '[^ab]c', yes: ['cc'], no: ['ac'] },
  { glob: '[[:digit:]]x', yes: ['1x'], no: ['ax'] },
  { glob: 'app/[id]/page.tsx', yes: ['app/[id]/page.tsx', 'app/i/page.tsx'], no: ['app/x/page.tsx'] },
  { glob: 'app/(auth)/*', yes: ['app/(auth)/page.tsx'], no: ['app/auth/page.tsx'] },
  { glob: '*.{ts,tsx}', yes: ['a.ts', 'a.tsx'], no: ['a.t', 'a.{ts,tsx}'] },
  { glob: '{src,test}/**/*.{a,b}', yes: ['src/x.a', 'test/y/z.b'], no: ['lib/x.a'] },
  { glob: '{a,b/**}', yes: ['a', 'b/c/d'], no: ['a/c'] },
  { glob: 'v{1..3}', yes: ['v1', 'v3'], no: ['v4', 'v1..3'] },
  { glob: '{a}', yes: ['{a}'], no: ['a'] },
  { glob: '@(a|b).ts', yes: ['a.ts', 'b.ts'], no: ['ab.ts', '.ts'] },
  { glob: '+(ab)', yes: ['ab', 'abab'], no: ['', 'aba'] },
  { glob: '+(a|aa)b', yes: ['aaab'], no: ['b'] },
  { glob: '!(*.test).ts', yes: ['a.ts'], no: ['a.test.ts'] },
  { glob: 'a+b', yes: ['a+b'], no: ['aab'] },
  { glob: '{a,b}+', yes: ['a+', 'b+'], no: ['aa', 'ab'] },
  { glob: 'say "hi"*', yes: ['say "hi".txt'], no: ['say hi.txt'] },
  { glob: '*.$^', yes: ['a.$^'], no: ['a.'] },
  { glob: 'caf\u00e9', yes: ['cafe\u0301', 'caf\u00e9'], no: ['cafe'] },
];

for (const { glob, yes, no } of cases) {
  test(`${JSON.stringify(glob)} matches what it should and nothing else`, () => {
    const matches = matcher(glob);
    for (const path of yes) assert.equal(matches(path), true, `${JSON.stringify(path)} is to match`);
    for (const path of no) assert.equal(matches(path), false, `${JSON.stringify(path)} is not to match`);
  });
}

test('case does not count where it is not to', () => {
  for (const path of ['.VSCODE/Settings.json', '.v\u017fcode/x', '.vscode/x']) assert.equal(matcher('.vscode/**', true)(path), true, path);
  assert.equal(matcher('.VSCODE/**', true)('.vscode/x'), true);
  assert.equal(matcher('.vscode/**')('.VSCODE/x'), false);
  assert.equal(matcher('[[:upper:]]x', true)('ax'), true);
  assert.equal(matcher('stra\u00dfe', true)('STRASSE'), true);
});

const refused: readonly (readonly [glob: string, says: RegExp])[] = [
  ['', /empty/], ['./', /empty/], ['a'.repeat(1001), /longer than 1000/], ['a\0b', /NUL/],
  ['!src/**', /negated/], ['dist/', /dist\/\*\*/], ['a//b', /"\/\/"/], ['../a', /"\.\."/], ['a/./b', /"\."/],
  ['a\\', /ends with/], ['src\\foo', /"\\f"/], ['\\d', /"\\d"/],
  ['[a', /no closing/], ['a]', /no opening/], ['[a/b]', /holds "\/"/], ['[z-a]', /no valid pattern/], ['[[:nope', /no closing/],
  ['{a,b', /no closing/], ['a}', /no opening/], ['{1..10}', /list what is meant/], ['{c..a}', /list what is meant/], ['{../a,b}', /list what is meant|"\.\."/],
  ['@(a', /no closing/], ['a)', /no opening/], ['a|b', /alternatives/], ['(a|b)', /alternatives/], ['!(a/b)', /span folders/], ['@(?a)', /directly beside/], ['**(a)', /ambiguous/],
];

for (const [glob, says] of refused) {
  test(`${JSON.stringify(glob.slice(0, 20))} is refused rather than matching nothing`, () => {
    const compiled = compileGlob(glob);
    assert.ok(compiled instanceof CodedError, 'it was compiled');
    assert.equal(compiled.code, 'INVALID_ARGS');
    assert.match(compiled.message, says);
  });
}

/** Each took a backtracking engine longer than anyone would wait; here the test ends. */
const nasty: readonly (readonly [glob: string, path: string])[] = [
  ['**/**/**/**/*a*b*c*d*e*f*g*h', 'abcdefg'.repeat(500)],
  ['*a*a*a*a*a*a*a*a*a*a*a*a*b', 'a'.repeat(4000)],
  ['*a*a*b', 'a'.repeat(4000)],
  ['*a*a*b', 'a'.repeat(255)],
  ['**/*a*b', `${'a'.repeat(255)}/`.repeat(16)],
  ['**/a/**/a/x', `${'a/'.repeat(2000)}y`],
  ['**/a/**/a/**/a/**/a/**/b', `${'a/'.repeat(2000)}c`],
  ['+(a|aa|aaa)b', 'a'.repeat(2000)],
  ['+(*(a))b', 'a'.repeat(2000)],
  ['*(*(*(a|b)))c', 'ab'.repeat(1000)],
  ['+(!(x)|*y)*z', 'y'.repeat(2000)],
  ['!(*a*a*a*a*a*a*b)*c', 'a'.repeat(500)],
  [`${'{a,a}'.repeat(100)}b`, 'a'.repeat(100)],
  [`${'?(a)'.repeat(100)}${'a'.repeat(100)}b`, 'a'.repeat(100)],
  ['@(**/a|**/b)/**/@(**/a|**/b)/**/c', 'a/b/'.repeat(500)],
];

for (const [glob, path] of nasty) test(`${JSON.stringify(glob.slice(0, 40))} comes to an end on a path made for it`, () => assert.equal(matcher(glob)(path), false));

test('a path that no file system holds is refused', () => {
  assert.throws(() => matcher('**')('a'.repeat(40_000)), (error: unknown) => error instanceof CodedError && error.code === 'FS_REFUSED');
});

const piece = fc.constantFrom('a', 'b', '.', '*', '**', '?', '/', '/**/', '[ab]', '{a,b}', '{a,b*}', '@(a|b)', '?(a)', '*(a|b)', '+(ab)', '!(a)', '-', 'é');
const anyGlob = fc.array(piece, { minLength: 1, maxLength: 7 }).map((pieces) => pieces.join(''));
const anyPath = fc.array(fc.string({ unit: fc.constantFrom('a', 'b', '.', '-', 'é'), minLength: 1, maxLength: 4 }).filter((name) => name !== '.' && name !== '..'), { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

test('the linear matcher agrees with the engine of the platform', () => {
  let compared = 0;
  fc.assert(fc.property(anyGlob, fc.array(anyPath, { minLength: 5, maxLength: 5 }), (glob, paths) => {
    const regex = picomatch.makeRe(glob, { dot: true, windows: false, flags: 's' });
    const program = compileRegex(regex.source);
    for (const path of paths) assert.equal(runProgram(program, path), regex.test(path), `${glob} on ${path}: ${regex.source}`);
    compared += 1;
  }), { numRuns: 3000 });
  assert.ok(compared > 2000);
});

test('a lookahead that succeeded once may succeed again from further on', () => {
  assert.equal(runProgram(compileRegex('^(?:(?=a*b)a)*b$'), 'aaab'), true);
  assert.equal(runProgram(compileRegex('^(?:(?!a*c)a)*b$'), 'aaab'), true);
});

test('a glob that is accepted means what picomatch says it means', () => {
  let compared = 0;
  fc.assert(fc.property(anyGlob, fc.array(anyPath, { minLength: 5, maxLength: 5 }), (glob, paths) => {
    const compiled = compileGlob(glob);
    if (compiled instanceof CodedError) return;
    const oracle = picomatch(glob.normalize('NFC'), { dot: true, windows: false });
    for (const path of paths) assert.equal(compiled(path), oracle(path), `${glob} on ${path}`);
    compared += 1;
  }), { numRuns: 3000 });
  assert.ok(compared > 500);
});

test('only globs that cannot backtrack far are left to the platform', () => {
  for (const glob of ['**/*.ts', 'src/**', '**/.env.*', '**/{id_rsa,id_dsa}', '/home/u/.ssh/**', '**/*a*b', '/w\\(1\\)/**', '**/[ab]*', '{src,test}/**/*.{a,b}']) assert.equal(isSimple(glob), true, glob);
  for (const glob of ['**/a/**/b/**/c/**/d', '*a*a*a*a', '{a,b}{a,b}{a,b}{a,b}', '{a*,b}', '+(a)', '@(a|b)', '[[:alpha:]]*']) assert.equal(isSimple(glob), false, glob);
});
