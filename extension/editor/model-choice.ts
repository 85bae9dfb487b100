import type { Memento } from 'vscode';

const place = 'countersign.model';

/**
 * Which model was chosen: for this workspace, and last of all for workspaces where none was. Both stand in the editor's own storage;
 * nothing of it comes from the workspace's files.
 */
export class ModelChoiceMemory {
  readonly #workspace: Memento;
  readonly #everywhere: Memento;

  constructor(workspace: Memento, everywhere: Memento) {
    this.#workspace = workspace;
    this.#everywhere = everywhere;
  }

  /** Its id, whether or not it is still there. */
  get here(): string | null {
    return textOf(this.#workspace.get(place));
  }

  get lastAnywhere(): string | null {
    return textOf(this.#everywhere.get(place));
  }

  async remember(id: string): Promise<void> {
    await this.#workspace.update(place, id);
    await this.#everywhere.update(place, id);
  }
}

export interface Available {
  /** Of those that were set up, in their order. */
  readonly profiles: readonly string[];
  /** The editor's own; null as long as it has not been asked. */
  readonly editor: readonly string[] | null;
  readonly demonstration: string;
}

/**
 * The id of the model in use; null where there is none. One that was chosen here and is gone is replaced only where a single one was set up:
 * else the conversation would go on somewhere else without anyone having said so. For the same reason one of the editor's own is waited for.
 */
export function currentModel({ here, lastAnywhere }: Pick<ModelChoiceMemory, 'here' | 'lastAnywhere'>, { profiles, editor, demonstration }: Available): string | null {
  const isThere = (id: string): boolean => id === demonstration || profiles.includes(id) || editor?.includes(id) === true;
  if (here !== null) {
    if (isThere(here)) return here;
    return profiles.length === 1 && !here.startsWith('editor:') ? profiles[0] ?? null : null;
  }
  if (lastAnywhere !== null) {
    // A tour that was taken elsewhere is no reason to take it here again, where there is a model.
    if (isThere(lastAnywhere) && lastAnywhere !== demonstration) return lastAnywhere;
    if (lastAnywhere.startsWith('editor:') && editor === null) return null;
  }
  return profiles[0] ?? editor?.[0] ?? (lastAnywhere === demonstration ? demonstration : null);
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
