import type { Digest, RealPath } from '../boundary/effect.ts';

/** What this session last read or wrote, by real path: a file that it does not know as it is now is neither edited nor overwritten. */
export class Observations {
  readonly #digests = new Map<RealPath, Digest>();

  note(path: RealPath, digest: Digest | 'absent'): void {
    if (digest === 'absent') this.#digests.delete(path);
    else this.#digests.set(path, digest);
  }

  of(path: RealPath): Digest | undefined {
    return this.#digests.get(path);
  }
}
