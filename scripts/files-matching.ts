import { glob } from 'node:fs/promises';
import { root } from './project-paths.ts';

/** Paths from the root of the project, sorted. */
export async function filesMatching(...globs: readonly string[]): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const file of glob([...globs], { cwd: root })) found.push(file);
  return found.sort();
}
