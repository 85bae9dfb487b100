import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { createSchemaCompiler } from '../../../extension/boundary/schema-compiler.ts';
import { compiledAhead } from '../../../extension/tools/compiled-schemas.ts';
import { schemasOfTools } from '../../../scripts/generate-validators.ts';

const compile = createSchemaCompiler();
/** Objects of the properties that our schemas name, right and wrong. */
const names = ['path', 'edits', 'oldText', 'newText', 'replaceAll', 'query', 'pattern', 'question', 'options', 'items', 'calls', 'startLine', 'files', 'status', 'text', 'entries', 'constructor', 'nothing'];
const scalar = fc.oneof(fc.string({ maxLength: 6 }), fc.integer({ min: -3, max: 2000 }), fc.boolean(), fc.constant(null), fc.double({ noNaN: true }));
const { value: anyValue } = fc.letrec((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, scalar, fc.array(tie('value'), { maxLength: 4 }), fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 5 })),
}));

suite('the schemas that are compiled ahead', () => {
  const schemas = schemasOfTools();

  test('are those of every tool that a session has', () => {
    assert.ok(schemas.length > 10);
    for (const schema of schemas) assert.doesNotThrow(() => compiledAhead(schema), JSON.stringify(schema));
  });

  test('find in any value exactly what a compiler finds that reads the schema now', () => {
    for (const schema of schemas) {
      const [ahead, now] = [compiledAhead(schema), compile(schema)];
      fc.assert(fc.property(anyValue, (value) => assert.deepEqual(ahead(value), now(value))), { numRuns: 200 });
    }
  });

  test('are no others: a schema that differs in one letter is refused, not accepted', () => {
    const [schema] = schemas;
    assert.throws(() => compiledAhead({ ...schema, title: 'x' }), /none of the schemas that were compiled ahead/);
    assert.throws(() => compiledAhead({}), /none of the schemas/);
  });
});
