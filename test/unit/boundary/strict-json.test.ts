import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { JsonFault, maxJsonDepth, parseStrictJson } from '../../../extension/boundary/strict-json.ts';
import { assertDeepFrozen } from './deep-frozen.ts';

/** The fault of a text that must be refused. */
function faultOf(text: string): JsonFault {
  try {
    parseStrictJson(text);
  } catch (error) {
    assert.ok(error instanceof JsonFault, `${JSON.stringify(text.slice(0, 60))} threw ${String(error)}`);
    return error;
  }
  return assert.fail(`${JSON.stringify(text.slice(0, 60))} was accepted`);
}

const places: readonly ((text: string) => string)[] = [(text) => text, (text) => `[${text}]`, (text) => `{"k":${text}}`, (text) => ` \t\r\n${text}\n `, (text) => `[0,{"k":[${text},1]}]`];

/** Everything is said at the top, in an array, in an object, between white space, and deeper. */
function everywhere(texts: readonly string[], check: (text: string) => void): void {
  for (const text of texts) for (const place of places) check(place(text));
}

const goodNumbers = [
  '0', '1', '-1', '9', '10', '42', '-273', '1.0', '1.00', '0.0', '0.10', '100', '1000000000000000000000', '0.1', '0.5', '-0.5', '3.14', '1.5e3', '1E3', '1e+3', '1e-3', '15e-1', '1.0e0', '0e0',
  '0e5', '0e-400', '0.0e99999', '123456789012345', '9007199254740991', '9007199254740992', '-9007199254740991', '9007199254740994', '1e21', '1e22', '1e308', '1.7976931348623157e308', '5e-324',
  '2.2250738585072014e-308', '0.000001', '0.0000001', '1e-7', '100000000000000000000000', '1e23', '4.35', '0.3', '-1e-5', '10e-1', '1000e-3', '0.00001e5', '179769313486231570e291',
];

const lossyNumbers = [
  '-0', '-0.0', '-0e0', '-0.000', '-0e-5', '-0E+9', '1e400', '-1e400', '1e309', '1.8e308', '-1.8e308', '1e-400', '-1e-400', '4.9e-324', '1e-324', '9007199254740993', '-9007199254740993', '9007199254740995',
  '12345678901234567890', '0.1000000000000000055511151231257827', '0.30000000000000000001', '3.141592653589793238462643', '1.00000000000000000001', '123456789012345678', '1234567890.12345678901',
  '99999999999999999999', '0.1234567890123456789', '1e99999999999999999999999', '1e-99999999999999999999999', '1.0000000000000001', '18446744073709551615', '9223372036854775807',
];

const noNumbers = [
  '+1', '01', '00', '-01', '.5', '5.', '1.', '-', '--1', '1e', '1e+', '1E-', '1.e1', '0x10', '0b1', '0o7', '1_000', '1,000.', 'NaN', '-NaN', 'Infinity', '-Infinity', '+Infinity', '1n', '٣', '１', '1e1.5', '0.-1', '1..2', '- 1', '1f',
];

const goodStrings: readonly (readonly [string, string])[] = [
  ['""', ''], ['"a"', 'a'], ['"\\""', '"'], ['"\\\\"', '\\'], ['"\\/"', '/'], ['"/"', '/'], ['"\\b\\f\\n\\r\\t"', '\b\f\n\r\t'], ['"\\u0041"', 'A'], ['"\\u00e9"', 'é'], ['"\\u00E9"', 'é'], ['"é"', 'é'],
  ['"\\u0000"', '\0'], ['"\\u001f"', '\u001f'], ['"\u007f"', '\u007f'], ['"\u2028\u2029"', '\u2028\u2029'], ['"\\ud83d\\ude00"', '😀'], ['"😀"', '😀'], ['"\\ud83d\\udE00x"', '😀x'], ['"\\\\u0041"', '\\u0041'],
  ['"\ufeff"', '\ufeff'], ['"\ufffd"', '\ufffd'], ['"\\uffff"', '\uffff'], ['"{[]}:,"', '{[]}:,'], ['"true"', 'true'], ['"\\\\\\""', '\\"'], ['"//no comment"', '//no comment'], ['"  "', '  '],
];

const badStrings = [
  '"', '"a', '"\\"', '"\\', '"\\u"', '"\\u1"', '"\\u12"', '"\\u123"', '"\\u123g"', '"\\u 123"', '"\\x41"', '"\\a"', '"\\0"', '"\\v"', '"\\\'"', "'a'", '`a`', '"a\nb"', '"a\tb"', '"a\rb"', '"\0"', '"\u0001"', '"\u001f"', '"\\\n"', '"\\U0041"', '"a"b"', '\\"a\\"', '“a”',
];

const loneSurrogates = ['"\ud800"', '"\udc00"', '"\\ud800"', '"\\udc00"', '"\\udfff"', '"\\ud83d"', '"\\ud83dx"', '"x\\ude00"', '"\\ude00\\ud83d"', '"\ude00\ud83d"', '"\\ud83d\\ud83d\\ude00"', '"\\ud83d\\u0041"', '"a\ud83d"', '"\\uDBFF"'];

const noJson = [
  '', ' ', '\n', 'tru', 'True', 'TRUE', 'nul', 'Null', 'nil', 'None', 'undefined', 'fals', 'False', 'truex', 'nulll', 'true false', 'yes', '{', '}', '[', ']', '[}', '{]', '[1', '[1,', '[1,]', '[,]', '[,1]', '[1,,2]', '[1 2]', '[1;2]', '{"a"', '{"a":', '{"a":1', '{"a":1,',
  '{"a":1,}', '{,}', '{"a"}', '{"a",1}', '{"a":1 "b":2}', '{"a":1;"b":2}', '{a:1}', "{'a':1}", '{1:1}', '{null:1}', '{"a"=1}', '{"a":}', '{:1}', '{"a"::1}', '{"a":1}}', '[1]]', '1 1', '"a" "b"', '{}{}', '[][]', '{},', ',', ':', '/* c */ 1', '1 // c', '1 /* c */', '# c\n1', '[1, /* c */ 2]',
  '<!-- -->', '\ufeff1', '\ufeff{}', '1\ufeff', '\u00a01', '1\u00a0', '\u000b1', '\f1', '\u20281', '\u00001', '1\u0000', '```json\n{}\n```', '{}\n```', '{"a":1}\n\nHere you are', '[...]', '(1)', '=1', '@', '{"a":\u00a01}', '[\v1]', '{"a":1}\0',
];

suite('strict JSON', () => {
  test('every number whose digits survive is read as it stands', () => {
    everywhere(goodNumbers, (text) => assert.deepEqual(parseStrictJson(text), JSON.parse(text), text));
  });

  test('B2 a number that would lose digits is refused, and so is −0', () => {
    everywhere(lossyNumbers, (text) => assert.match(faultOf(text).message, /lose digits|-0 has no lossless form/, text));
  });

  test('B2 what JSON does not call a number is refused', () => {
    everywhere(noNumbers, (text) => faultOf(text));
  });

  test('every string is read as JSON.parse reads it', () => {
    for (const [text, value] of goodStrings) {
      assert.equal(parseStrictJson(text), value);
      assert.deepEqual(parseStrictJson(`{${text}:[${text}]}`), JSON.parse(`{${text}:[${text}]}`));
    }
  });

  test('B2 a string with a wrong escape, a raw control character or without an end is refused', () => {
    everywhere(badStrings, (text) => faultOf(text));
  });

  test('B2 a lone surrogate is refused, raw or escaped, in a value or in a key', () => {
    everywhere(loneSurrogates, (text) => assert.match(faultOf(text).message, /lone surrogate/, JSON.stringify(text)));
    for (const text of loneSurrogates) assert.match(faultOf(`{${text}:1}`).message, /lone surrogate/);
  });

  test('B2 every control character inside a string is refused raw and read escaped', () => {
    for (let code = 0; code < 0x20; code += 1) {
      const char = String.fromCharCode(code);
      assert.match(faultOf(`"${char}"`).message, /control character/);
      assert.equal(parseStrictJson(JSON.stringify(char)), char);
    }
  });

  test('B2 words, comments, byte order marks, trailing commas and text after the value are refused', () => {
    for (const text of noJson) faultOf(text);
  });

  test('B2 a text that ends too early is refused at every length', () => {
    const sample = '{"path":"src/\\u00e9\\ud83d\\ude00.ts","edits":[{"oldText":"a\\n","newText":"","replaceAll":true},null,false],"n":{"x":10,"y":-2.5,"z":[[],{}]}}';
    assert.deepEqual(parseStrictJson(sample), JSON.parse(sample));
    for (let length = 0; length < sample.length; length += 1) {
      const { offset } = faultOf(sample.slice(0, length));
      assert.ok(offset >= 0 && offset <= length, `a place inside the text, for ${length}`);
    }
  });

  test('B2 duplicate keys are refused with their place, also where they are equal only once read', () => {
    const cases: readonly (readonly [string, number, string])[] = [
      ['{"a":1,"a":1}', 7, ''], ['{"a":1,"b":2,"a":3}', 13, ''], ['{"a":1,"\\u0061":2}', 7, ''], ['{"\\u0061":1,"a":2}', 12, ''], ['{"":1,"":2}', 6, ''], ['{"__proto__":1,"__proto__":2}', 15, ''],
      ['{"constructor":1,"constructor":2}', 17, ''], ['{"x":[{"a":1,"a":2}]}', 13, '/x/0'], ['{"/":{"~":{"é":1,"\\u00e9":2}}}', 17, '/~1/~0'], ['[[0],{"a":{},"a":{}}]', 13, '/1'], ['{"😀":1,"\\ud83d\\ude00":1}', 8, ''],
      ['{"a\\/b":1,"a/b":1}', 10, ''], ['{"__proto__":1,"\\u005f_proto__":2}', 15, ''],
    ];
    for (const [text, offset, pointer] of cases) {
      const fault = faultOf(text);
      assert.match(fault.message, /stands twice/);
      assert.deepEqual([fault.offset, fault.pointer], [offset, pointer], text);
    }
  });

  test('keys that differ in case, Unicode form or white space are not the same', () => {
    for (const text of ['{"a":1,"A":2}', '{"\u00e9":1,"e\u0301":2}', '{"a":1,"a ":2}', '{"0":1,"00":2}', '{"a":1,"b":{"a":1}}']) assert.deepEqual(parseStrictJson(text), JSON.parse(text));
  });

  test('B2 the place of a fault is its character and its pointer', () => {
    const cases: readonly (readonly [string, number, string])[] = [
      ['x', 0, ''], ['[1,x]', 3, '/1'], ['{"a":tru}', 5, '/a'], ['{"a":{"b":[1,2,-0]}}', 15, '/a/b/2'], ['{"a":1} x', 8, ''], ['[1,"\\q"]', 3, '/1'], ['{"a/b~c":9007199254740993}', 9, '/a~1b~0c'], ['["ok","a\nb"]', 8, '/1'], ['[[[]', 4, '/0'], ['[[[', 3, '/0/0/0'],
    ];
    for (const [text, offset, pointer] of cases) assert.deepEqual([faultOf(text).offset, faultOf(text).pointer], [offset, pointer], text);
  });

  test('B4 __proto__, constructor and prototype are data and change no prototype', () => {
    const text = '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"prototype":3,"toString":4,"hasOwnProperty":5}';
    const value = parseStrictJson(text);
    assert.deepEqual(value, JSON.parse(text));
    assert.ok(typeof value === 'object' && value !== null);
    assert.equal(Object.getPrototypeOf(value), Object.prototype);
    assert.deepEqual(Object.keys(value), ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']);
    assert.equal('polluted' in {}, false);
    assert.equal('polluted' in value, false);
  });

  test('a value as deep as the cap is read, a deeper one is refused by its depth', () => {
    for (const [open, close] of [['[', ']'], ['{"a":', '}']] as const) {
      const text = (levels: number): string => open.repeat(levels) + '1' + close.repeat(levels);
      assert.deepEqual(parseStrictJson(text(maxJsonDepth)), JSON.parse(text(maxJsonDepth)));
      assert.match(faultOf(text(maxJsonDepth + 1)).message, /nested deeper than 512/);
      assert.match(faultOf(open.repeat(200_000)).message, /nested deeper than 512/);
    }
  });

  test('long strings, long arrays and long numbers are read, or refused, as short ones are', () => {
    const long = 'é'.repeat(1024 * 1024);
    assert.equal(parseStrictJson(JSON.stringify(long)), long);
    assert.equal(parseStrictJson(`"${'\\n'.repeat(512 * 1024)}"`), '\n'.repeat(512 * 1024));
    assert.deepEqual(parseStrictJson(`[${'1,'.repeat(200_000)}1]`), Array.from({ length: 200_001 }, () => 1));
    assert.match(faultOf(`"${'a'.repeat(1024 * 1024)}`).message, /ends inside a string/);
    assert.match(faultOf('9'.repeat(1024 * 1024)).message, /lose digits/);
    assert.equal(parseStrictJson(`1.${'0'.repeat(1024 * 1024)}`), 1);
  });

  test('digits with a megabyte of zeros among them are judged without taking the square of their length', () => {
    // Would hold the process for minutes, until the runner ends it.
    assert.match(faultOf(`0.${'0'.repeat(1024 * 1024)}1`).message, /lose digits/);
    assert.match(faultOf(`1.${'0'.repeat(1024 * 1024)}1e5`).message, /lose digits/);
  });

  test('the message about a key does not repeat a megabyte of it', () => {
    const key = 'k'.repeat(500_000);
    assert.ok(faultOf(`{"${key}":1,"${key}":2}`).message.length < 200);
  });

  test('any JSON value comes back from its text, equal and frozen all the way down', () => {
    fc.assert(fc.property(fc.jsonValue({ maxDepth: 8 }), fc.constantFrom(0, 1, 4), (value, indent) => {
      const text = JSON.stringify(value, null, indent);
      const read = parseStrictJson(text);
      // JSON's own text has no −0.
      assert.deepEqual(read, JSON.parse(text));
      assertDeepFrozen(read);
    }), { numRuns: 500 });
  });

  test('any double comes back from the shortest text that JavaScript gives it', () => {
    fc.assert(fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }).filter((value) => !Object.is(value, -0)), (value) => {
      assert.equal(parseStrictJson(String(value)), value);
      assert.equal(parseStrictJson(value.toExponential()), value);
    }), { numRuns: 1000 });
  });

  test('a number is read exactly where the decimal that JavaScript prints for it is the same number', () => {
    const digits = (max: number) => fc.string({ unit: fc.constantFrom('0', '1', '2', '3', '4', '5', '6', '7', '8', '9'), minLength: 1, maxLength: max });
    const exact = (token: string): { readonly units: bigint; readonly power: number } => {
      const [mantissa = '', exponent = '0'] = token.split('e');
      const [whole = '', fraction = ''] = mantissa.split('.');
      return { units: BigInt(whole + fraction), power: Number(exponent) - fraction.length };
    };
    const same = (a: string, b: string): boolean => {
      const [x, y] = [exact(a), exact(b)];
      const power = Math.min(x.power, y.power);
      return x.units * 10n ** BigInt(x.power - power) === y.units * 10n ** BigInt(y.power - power);
    };
    fc.assert(fc.property(digits(20), digits(22), fc.integer({ min: -30, max: 30 }), (whole, fraction, power) => {
      const token = `${BigInt(whole)}.${fraction}e${power}`;
      const survives = same(token, String(Number(token)).replace('e+', 'e'));
      if (survives) assert.equal(parseStrictJson(token), Number(token));
      else assert.match(faultOf(token).message, /lose digits/);
    }), { numRuns: 1000 });
  });

  const pieces = fc.constantFrom(
    '{', '}', '[', ']', ',', ':', '"a"', '"b"', '"__proto__"', '"', '\\', '\\u0061', '0', '-', '1', '.5', 'e9', 'true', 'false', 'null', 'NaN', ' ', '\n', '\t', '\ufeff', '\u00a0', '//', '/*', '*/', '\ud800', '\udc00', '😀', '9007199254740993', '-0', '{}', '[]', '{"a":1}', "'",
  );
  const texts = fc.oneof(fc.string({ unit: 'binary', maxLength: 40 }), fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')), fc.tuple(fc.json(), fc.nat(), pieces).map(([json, at, piece]) => {
    const place = at % (json.length + 1);
    return json.slice(0, place) + piece + json.slice(place);
  }));

  test('any text at all reads as JSON.parse reads it, or is a JsonFault, never anything else', () => {
    fc.assert(fc.property(texts, (text) => {
      let read: unknown;
      try {
        read = parseStrictJson(text);
      } catch (error) {
        assert.ok(error instanceof JsonFault, String(error));
        assert.ok(error.offset >= 0 && error.offset <= text.length);
        return;
      }
      assert.deepEqual(read, JSON.parse(text));
      assertDeepFrozen(read);
    }), { numRuns: 5000 });
  });

  test('what JSON.parse refuses is refused', () => {
    fc.assert(fc.property(texts, (text) => {
      try {
        JSON.parse(text);
      } catch {
        faultOf(text);
      }
    }), { numRuns: 5000 });
  });
});
