import { join } from 'node:path';

export const root = join(import.meta.dirname, '..');
/** Ignored by git and made again when missing. */
export const cacheDirectory = join(root, '.cache');
export const outDirectory = join(root, 'out');
export const vsixFile = join(outDirectory, 'countersign.vsix');
