import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import { decodeText, encodeText, surveyLines, type LineEnds } from '../../../extension/edits/text.ts';
import { utf8Fault } from '../../../extension/edits/utf8-fault.ts';

function decoded(bytes: readonly number[] | Uint8Array): { readonly text: string; readonly bom: boolean } | { readonly code: string; readonly message: string } {
  const result = decodeText(Uint8Array.from(bytes), 'a.txt');
  return result instanceof CodedError ? { code: result.code, message: result.message } : result;
}

function checkRefused(bytes: readonly number[] | Uint8Array, code: string, says: RegExp): void {
  const result = decoded(bytes);
  assert.ok('code' in result, 'it was decoded');
  assert.equal(result.code, code);
  assert.match(result.message, says);
  assert.match(result.message, /^a\.txt /);
}

test('UTF-8 is decoded with and without a byte order mark', () => {
  assert.deepEqual(decoded(Buffer.from('grün\r\n')), { text: 'grün\r\n', bom: false });
  assert.deepEqual(decoded([0xef, 0xbb, 0xbf, 0x61]), { text: 'a', bom: true });
  assert.deepEqual(decoded([]), { text: '', bom: false });
  assert.deepEqual(decoded([0xef, 0xbb, 0xbf]), { text: '', bom: true });
});

test('a second byte order mark is text', () => {
  assert.deepEqual(decoded([0xef, 0xbb, 0xbf, 0xef, 0xbb, 0xbf]), { text: '\uFEFF', bom: true });
});

test('what is not UTF-8 is refused, with what it looks like and where it breaks', () => {
  checkRefused([0xff, 0xfe, 0x61, 0x00], 'FS_ENCODING', /UTF-16 \(little endian\)/);
  checkRefused([0xfe, 0xff, 0x00, 0x61], 'FS_ENCODING', /UTF-16 \(big endian\)/);
  checkRefused([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0], 'FS_ENCODING', /UTF-32/);
  checkRefused(Buffer.from('plain text', 'utf16le'), 'FS_ENCODING', /UTF-16 \(little endian\) without a byte order mark/);
  checkRefused([0x61, 0x00, 0x62, 0x01, 0x02], 'FS_NOT_TEXT', /binary.*offset 1/);
  checkRefused([...Buffer.from('a\nb\ngr'), 0xfc, ...Buffer.from('n und sch'), 0xf6, ...Buffer.from('n')], 'FS_ENCODING', /0xFC at offset 6, line 3; it looks like Windows-1252/);
  checkRefused([0xc4, 0xe3, 0xba, 0xc3, 0xca, 0xc0, 0xbd, 0xe7], 'FS_ENCODING', /GBK/);
  checkRefused([0x61, 0xe2, 0x82], 'FS_ENCODING', /offset 1, line 1.*cut off/);
  checkRefused([0xc0, 0xaf], 'FS_ENCODING', /offset 0/);
  checkRefused([0xed, 0xa0, 0x80], 'FS_ENCODING', /offset 0/);
  checkRefused([0x61, 0xf4, 0x90, 0x80, 0x80], 'FS_ENCODING', /offset 1/);
});

test('every text that is decoded is encoded to the same bytes', () => {
  fc.assert(fc.property(fc.oneof(fc.uint8Array(), fc.string({ unit: 'binary' }).map((text) => new Uint8Array(Buffer.from(text)))), (bytes) => {
    const text = decodeText(bytes, 'a.txt');
    if (text instanceof CodedError) return;
    const back = encodeText(text, 'a.txt');
    assert.ok(back instanceof Uint8Array);
    assert.deepEqual(Buffer.from(back), Buffer.from(bytes));
  }));
});

test('a fault is found exactly where the platform finds one', () => {
  const strict = new TextDecoder('utf-8', { fatal: true });
  const valid = (bytes: Uint8Array): boolean => {
    try {
      strict.decode(bytes);
      return true;
    } catch {
      return false;
    }
  };
  const likelyFaulty = fc.array(fc.constantFrom(0x41, 0x0a, 0x80, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff), { maxLength: 8 }).map((list) => Uint8Array.from(list));
  fc.assert(fc.property(likelyFaulty, (bytes) => {
    const fault = utf8Fault(bytes);
    assert.equal(fault === null, valid(bytes));
    if (fault !== null) assert.ok(valid(bytes.subarray(0, fault.offset)), 'what comes before the fault is valid');
  }), { numRuns: 2000 });
});

test('half a character cannot be encoded', () => {
  const result = encodeText({ text: 'a\uD83D', bom: false }, 'a.txt');
  assert.ok(result instanceof CodedError);
  assert.equal(result.code, 'FS_ENCODING');
});

test('line ends are surveyed', () => {
  const check = (text: string, ends: LineEnds, finalNewline: boolean): void => {
    const survey = surveyLines(text);
    assert.deepEqual({ ends: survey.ends, finalNewline: survey.finalNewline }, { ends, finalNewline }, JSON.stringify(text));
  };
  check('', 'none', true);
  check('a', 'none', false);
  check('a\n', 'lf', true);
  check('a\r\nb', 'crlf', false);
  check('a\rb\r', 'cr', true);
  check('a\r\nb\n', 'mixed', true);
  check('a\r\r\n', 'mixed', true);
  assert.deepEqual(surveyLines('a\r\nb\nc\rd\n'), { ends: 'mixed', lf: 2, crlf: 1, cr: 1, finalNewline: true });
});
