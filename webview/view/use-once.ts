import { useEffect, useRef, useState } from 'preact/hooks';

/** A host that has refused says so elsewhere, and the entry stays as it was. */
const releaseMs = 2000;

/** A press counts once until the host has spoken of the entry again, which is another object then, or some time has passed. */
export function useOnce(entry: object): readonly [pressed: boolean, press: (act: () => void) => void] {
  const [pressed, setPressed] = useState<object | null>(null);
  // Two presses may come before anything is drawn anew.
  const last = useRef<object | null>(null);
  useEffect(() => {
    last.current = pressed;
    if (pressed === null) return;
    const timer = setTimeout(() => setPressed(null), releaseMs);
    return () => clearTimeout(timer);
  }, [pressed]);
  return [pressed === entry, (act) => {
    if (last.current === entry) return;
    last.current = entry;
    setPressed(entry);
    act();
  }];
}
