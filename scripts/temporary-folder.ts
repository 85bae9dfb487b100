import { rmSync } from 'node:fs';
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TemporaryFolder {
  /** A real path. */
  readonly path: string;
  remove(): Promise<void>;
}

/** A folder of its own, removed by `remove` and at the latest when the process exits. */
export async function temporaryFolder(name: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(await realpath(tmpdir()), `countersign-${name}-`));
  const removeNow = (): void => rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  process.once('exit', removeNow);
  return {
    path,
    async remove() {
      process.off('exit', removeNow);
      await rm(path, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
