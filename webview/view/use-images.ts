import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { readImage } from '../images/read-image.ts';
import { maxImages } from '../protocol/messages.ts';
import type { DraftImage } from '../state/drafts.ts';
import type { Actions } from './actions.ts';

/** How images come into the draft, however the person gave them. */
export interface ImageIntake {
  /** How many are being read now. */
  readonly reading: number;
  /** Why some were not taken. */
  readonly refusals: readonly string[];
  readonly add: (files: readonly File[]) => void;
  readonly clearRefusals: () => void;
}

const nextId = (last: { current: number }): string => `image-${++last.current}`;

/** Files are read one after another: eight photographs at once would be eight decoded ones in memory. */
export function useImages(images: readonly DraftImage[], { addImages }: Actions): ImageIntake {
  const [reading, setReading] = useState(0);
  const [refusals, setRefusals] = useState<readonly string[]>([]);
  const taken = useRef(0);
  const last = useRef(0);
  const queue = useRef<Promise<void>>(Promise.resolve());
  taken.current = images.length + reading;

  const add = useCallback((files: readonly File[]): void => {
    const room = Math.max(0, maxImages - taken.current);
    const fitting = files.slice(0, room);
    const left = files.length - fitting.length;
    setRefusals(left === 0 ? [] : [`A message holds ${maxImages} images: ${left === 1 ? 'one was' : `${left} were`} left out.`]);
    setReading((count) => count + fitting.length);
    taken.current += fitting.length;
    for (const file of fitting) {
      queue.current = queue.current.then(async () => {
        const read = await readImage(file);
        if (read.state === 'read') addImages([{ ...read.image, id: nextId(last) }]);
        else setRefusals((before) => [...before, read.why]);
        setReading((count) => count - 1);
      });
    }
  }, [addImages]);
  const clearRefusals = useCallback((): void => setRefusals([]), []);
  return useMemo(() => ({ reading, refusals, add, clearRefusals }), [reading, refusals, add, clearRefusals]);
}

/** Whether a drag over the view carries files; dropping them anywhere gives them to `add`. */
export function useDrop(add: (files: readonly File[]) => void): boolean {
  const [over, setOver] = useState(false);
  useEffect(() => {
    const carriesFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
    const onOver = (event: DragEvent): void => {
      if (!carriesFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const onLeave = (event: DragEvent): void => { if (event.relatedTarget === null) setOver(false); };
    const onDrop = (event: DragEvent): void => {
      setOver(false);
      if (!carriesFiles(event)) return;
      event.preventDefault();
      add([...(event.dataTransfer?.files ?? [])]);
    };
    document.addEventListener('dragover', onOver);
    document.addEventListener('dragleave', onLeave);
    document.addEventListener('drop', onDrop);
    return () => {
      document.removeEventListener('dragover', onOver);
      document.removeEventListener('dragleave', onLeave);
      document.removeEventListener('drop', onDrop);
    };
  }, [add]);
  return over;
}

/** The files of a paste that is meant as such: not the picture that a word processor puts beside its text. */
export function pastedFiles(data: DataTransfer | null): readonly File[] {
  const files = [...(data?.files ?? [])];
  const text = (data?.getData('text/plain') ?? '').trim();
  return text === '' || files.some((file) => text.includes(file.name) && file.name !== '') ? files : [];
}
