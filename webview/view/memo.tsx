import { Component, type ComponentChildren, type ComponentType } from 'preact';

/** Draws again only when a property is another value. */
export function memo<P extends object>(Draw: (props: P) => ComponentChildren): ComponentType<P> {
  return class extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return differs(this.props, next);
    }

    override render(): ComponentChildren {
      return <Draw {...this.props} />;
    }
  };
}

function differs(before: object, after: object): boolean {
  const left = new Map(Object.entries(before));
  const right = Object.entries(after);
  return left.size !== right.length || right.some(([name, value]) => left.get(name) !== value);
}
