import { type Json, pointerStep } from './json.ts';

/** Why a value is not lossless JSON, and where. */
export interface Lossy {
  readonly pointer: string;
  readonly fault: string;
}

type Snapshotted = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly lossy: Lossy };
type Slot = { readonly source: object; readonly copy: Json[] | Record<string, Json>; readonly pointer: Pointer; readonly leave: boolean };
/** Pointers are built only when one is needed: a linked list of steps. */
type Pointer = { readonly parent: Pointer; readonly key: string | number } | null;

/**
 * A detached, deep-frozen copy of a value, or the first place where it is not lossless JSON: a function, `undefined`, a symbol
 * key, an accessor, −0, NaN, a lone surrogate, a cycle, a sparse array, an object that is not plain. Walks with a stack of
 * its own, so that depth cannot overflow the machine's. Calls no getter and no `toJSON`.
 */
export function snapshotJson(value: unknown): Snapshotted {
  try {
    const quick = quickCopy(value, 0);
    return quick === undefined ? walk(value) : { ok: true, value: quick };
  } catch {
    // A proxy's trap threw: what cannot be looked at cannot be kept.
    return { ok: false, lossy: { pointer: '', fault: 'an object that cannot be read' } };
  }
}

/** Deeper values are left to the walk with a stack of its own; so are cycles, which are deeper than anything. */
const quickDepth = 32;

/** The copy of what is lossless beyond doubt; undefined for all else, of which `walk` says what is wrong with it. */
function quickCopy(item: unknown, depth: number): Json | undefined {
  switch (typeof item) {
    case 'string':
      return item.isWellFormed() ? item : undefined;
    case 'number':
      return Number.isFinite(item) && !Object.is(item, -0) ? item : undefined;
    case 'boolean':
      return item;
    case 'object':
      if (item === null) return item;
      if (depth === quickDepth) return undefined;
      return Array.isArray(item) ? quickArray(item, depth + 1) : quickObject(item, depth + 1);
    default:
      return undefined;
  }
}

function quickArray(item: readonly unknown[], depth: number): Json | undefined {
  const { length } = item;
  // Its indices and `length`: no other keys, and no holes, since each index is looked up below.
  if (Reflect.ownKeys(item).length !== length + 1) return undefined;
  const copy: Json[] = [];
  for (let index = 0; index < length; index += 1) {
    const descriptor = Object.getOwnPropertyDescriptor(item, index);
    if (descriptor === undefined || !descriptor.enumerable) return undefined;
    const child = quickCopy(descriptor.value, depth);
    if (child === undefined) return undefined;
    copy.push(child);
  }
  return Object.freeze(copy);
}

function quickObject(item: object, depth: number): Json | undefined {
  const prototype: unknown = Object.getPrototypeOf(item);
  if (prototype !== Object.prototype && prototype !== null) return undefined;
  const copy: Record<string, Json> = {};
  for (const key of Reflect.ownKeys(item)) {
    if (typeof key === 'symbol') return undefined;
    const descriptor = Object.getOwnPropertyDescriptor(item, key);
    // An accessor has no value, and `undefined` is none.
    if (descriptor === undefined || !descriptor.enumerable) return undefined;
    const child = quickCopy(descriptor.value, depth);
    if (child === undefined) return undefined;
    define(copy, key, child);
  }
  return Object.freeze(copy);
}

function walk(value: unknown): Snapshotted {
  const open = new Set<object>();
  const made: object[] = [];
  const stack: Slot[] = [];
  let failed: Lossy | null = null;

  const enter = (item: unknown, pointer: Pointer): Json => {
    const fault = scalarFault(item);
    if (fault !== null) {
      failed ??= { pointer: pointerText(pointer), fault };
      return null;
    }
    if (typeof item !== 'object' || item === null) return item as Json;
    const shape = objectFault(item) ?? (open.has(item) ? 'a cycle' : null);
    if (shape !== null) {
      failed ??= { pointer: pointerText(pointer), fault: shape };
      return null;
    }
    const copy: Json[] | Record<string, Json> = Array.isArray(item) ? [] : {};
    made.push(copy);
    stack.push({ source: item, copy, pointer, leave: false });
    return copy;
  };

  const result = enter(value, null);
  while (stack.length > 0 && failed === null) {
    const slot = stack.pop();
    if (slot === undefined) break;
    if (slot.leave) {
      open.delete(slot.source);
      continue;
    }
    if (open.has(slot.source)) {
      failed = { pointer: pointerText(slot.pointer), fault: 'a cycle' };
      break;
    }
    open.add(slot.source);
    stack.push({ ...slot, leave: true });
    for (const [key, descriptor] of members(slot.source)) {
      const pointer: Pointer = { parent: slot.pointer, key };
      if (!('value' in descriptor)) {
        failed ??= { pointer: pointerText(pointer), fault: 'an accessor' };
        break;
      }
      const child = enter(descriptor.value, pointer);
      if (Array.isArray(slot.copy)) slot.copy.push(child);
      else define(slot.copy, String(key), child);
      if (failed !== null) break;
    }
  }
  if (failed !== null) return { ok: false, lossy: failed };
  for (const object of made) Object.freeze(object);
  return { ok: true, value: result };
}

/** Freezes a value that is already plain JSON of ours, all the way down. */
export function deepFreeze<T>(value: T): T {
  const stack: unknown[] = [value];
  for (let item = stack.pop(); stack.length > 0 || item !== undefined; item = stack.pop()) {
    if (typeof item !== 'object' || item === null || Object.isFrozen(item)) continue;
    Object.freeze(item);
    for (const child of Object.values(item)) if (typeof child === 'object' && child !== null) stack.push(child);
  }
  return value;
}

/** Sets a member as data: `__proto__` becomes a key like any other, never the prototype. */
export function define(object: Record<string, Json>, key: string, value: Json): void {
  if (key === '__proto__') Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}

function* members(source: object): Iterable<readonly [string | number, PropertyDescriptor]> {
  if (Array.isArray(source)) {
    for (let index = 0; index < source.length; index += 1) {
      const descriptor = Object.getOwnPropertyDescriptor(source, index);
      if (descriptor !== undefined) yield [index, descriptor];
    }
    return;
  }
  for (const key of Object.keys(source)) {
    const descriptor = Object.getOwnPropertyDescriptor(source, key);
    if (descriptor !== undefined) yield [key, descriptor];
  }
}

function scalarFault(item: unknown): string | null {
  switch (typeof item) {
    case 'string':
      return item.isWellFormed() ? null : 'a lone surrogate';
    case 'number':
      if (!Number.isFinite(item)) return String(item);
      return Object.is(item, -0) ? '-0' : null;
    case 'boolean':
    case 'object':
      return null;
    case 'undefined':
      return 'undefined';
    case 'function':
      return 'a function';
    case 'bigint':
      return 'a bigint';
    case 'symbol':
      return 'a symbol';
    default:
      return 'no JSON value';
  }
}

function objectFault(item: object): string | null {
  if (Object.getOwnPropertySymbols(item).length > 0) return 'a symbol key';
  if (Array.isArray(item)) {
    // Other keys than indices (which come first, in their order), or fewer members than the length says: sparse, or an array with properties.
    const keys = Object.keys(item);
    const dense = keys.length === item.length && (keys.length === 0 || keys.at(-1) === String(item.length - 1));
    return dense && Object.getOwnPropertyNames(item).length === item.length + 1 ? null : 'a sparse array';
  }
  const prototype: unknown = Object.getPrototypeOf(item);
  if (prototype !== Object.prototype && prototype !== null) return `not a plain object (${constructorName(item)})`;
  return Object.getOwnPropertyNames(item).length === Object.keys(item).length ? null : 'a hidden property';
}

function constructorName(item: object): string {
  return Object.prototype.toString.call(item).slice(8, -1);
}

function pointerText(pointer: Pointer): string {
  const steps: string[] = [];
  for (let at = pointer; at !== null; at = at.parent) steps.push(pointerStep(at.key));
  return steps.reverse().join('');
}
