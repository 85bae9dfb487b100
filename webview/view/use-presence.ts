import { useEffect, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** How often the element has come onto the screen; 0 while it stands nowhere on it. */
export function usePresence(element: RefObject<HTMLElement | null>): number {
  const [presence, setPresence] = useState({ on: false, times: 0 });
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    let intersects = false;
    const update = (): void => {
      const on = intersects && document.visibilityState === 'visible';
      setPresence((before) => (before.on === on ? before : { on, times: before.times + (on ? 1 : 0) }));
    };
    const observer = new IntersectionObserver((entries) => {
      intersects = entries.at(-1)?.isIntersecting ?? false;
      update();
    });
    observer.observe(target);
    document.addEventListener('visibilitychange', update);
    return () => {
      observer.disconnect();
      document.removeEventListener('visibilitychange', update);
    };
  }, [element]);
  return presence.on ? presence.times : 0;
}
