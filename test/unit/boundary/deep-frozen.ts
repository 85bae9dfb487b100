import assert from 'node:assert/strict';

/** Frozen, and all that it holds, however deep. */
export function assertDeepFrozen(value: unknown): void {
  const stack: unknown[] = [value];
  while (stack.length > 0) {
    const item = stack.pop();
    if (typeof item !== 'object' || item === null) continue;
    assert.ok(Object.isFrozen(item), 'an object is not frozen');
    stack.push(...Object.values(item));
  }
}

/** `{ "a": { "a": … } }`, so many levels deep. */
export function nested(levels: number, key = 'a'): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 1; level < levels; level += 1) value = { [key]: value };
  return value;
}
