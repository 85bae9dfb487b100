import { useEffect, useState } from 'preact/hooks';

/** The host counts 500 ms from the message that says that the card is shown, and that message travels. */
const restMs = 550;

/**
 * True until `key` has stood for a while: what has just appeared, changed or moved under the pointer is not answered by a
 * click that was meant for something else. A null key rests for as long as it lasts. `onShown` is called in the frame that
 * draws it.
 */
export function useRest(key: string | null, onShown: () => void): boolean {
  const [restedFor, setRestedFor] = useState<string | null>(null);
  useEffect(() => {
    if (key === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      onShown();
      timer = setTimeout(() => setRestedFor(key), restMs);
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, [key]);
  return key === null || restedFor !== key;
}
