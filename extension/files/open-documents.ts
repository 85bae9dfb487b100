import type { RealPath } from '../boundary/effect.ts';

/** What the editor holds open. Headless there is nothing. */
export interface OpenDocuments {
  /** Whether the editor holds unsaved changes to the file. */
  isDirty(path: RealPath): boolean;
}

export const noOpenDocuments: OpenDocuments = { isDirty: () => false };
