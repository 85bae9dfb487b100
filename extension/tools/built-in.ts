import type { Registry } from '../boundary/registry.ts';
import { askUser } from './ask-user.ts';
import { editFile } from './edit-file.ts';
import { findFiles } from './find-files.ts';
import { listDirectory } from './list-directory.ts';
import { readFile } from './read-file.ts';
import { searchText } from './search-text.ts';
import { updatePlan } from './update-plan.ts';
import { writeFile } from './write-file.ts';

/** Registers the tools that every session has, in the order in which a model reads them. */
export function registerBuiltInTools(registry: Registry): void {
  registry.register(readFile);
  registry.register(listDirectory);
  registry.register(findFiles);
  registry.register(searchText);
  registry.register(editFile);
  registry.register(writeFile);
  registry.register(askUser);
  registry.register(updatePlan);
}
