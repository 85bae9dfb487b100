/** A schema, and those that it leads to for the same value. */
interface Step<Self> {
  readonly place: { readonly pointer: string };
  readonly inPlace: ReadonlySet<Self>;
}

/** Throws where a schema leads to itself for the same value: the check would never end. Walks with a stack of its own. */
export function refuseLoops<Schema extends Step<Schema>>(schemas: Iterable<Schema>): void {
  const done = new Set<Schema>();
  const open = new Set<Schema>();
  const stack: { readonly at: Schema; readonly rest: Iterator<Schema> }[] = [];
  const enter = (at: Schema): void => {
    if (open.has(at)) throw new Error(`${at.place.pointer || '/'} leads to itself by references alone, without end`);
    if (done.has(at)) return;
    open.add(at);
    stack.push({ at, rest: at.inPlace.values() });
  };
  for (const schema of schemas) {
    enter(schema);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const next = top.rest.next();
      if (next.done !== true) {
        enter(next.value);
        continue;
      }
      open.delete(top.at);
      done.add(top.at);
      stack.pop();
    }
  }
}
