import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { isWithin, type Roots } from '../files/roots.ts';
import { FollowedLog } from '../session/follow-log.ts';
import { createOwnedLog, openOwnedLog } from '../session/open-log.ts';
import type { OwnedLog } from '../session/owned-log.ts';
import { type OwnerPorts, processPorts } from '../session/owner-alive.ts';
import { PromptHistory } from '../session/prompt-history.ts';
import { QueueFile } from '../session/queue-file.ts';
import type { QueuedMessage } from '../session/queued-message.ts';
import { LogDamaged } from '../session/read-log.ts';
import { type Claimed, claimSession, onSessionFree, takeSessionOver } from '../session/session-owner.ts';
import { writeWhole } from '../session/write-whole.ts';
import { laterOn } from './later-on.ts';
import { folderOutside, nameOfWorkspace } from './storage-folder.ts';

/** A message that was just sent is on its way by then. */
const rememberMs = 1000;
const currentKey = 'countersign.session';
const placeKey = 'countersign.place';

/** A session that this window writes. */
export interface WritingSession {
  readonly kind: 'writing';
  readonly id: string;
  readonly log: OwnedLog;
  /** What waited when it was left, to be given to its agent. */
  readonly queued: readonly QueuedMessage[];
  /** For the person: why this is not the session that was open before, or not all of it. */
  readonly notice: string | null;
}

/** A session that another window writes, shown here as it goes on. */
export interface FollowedSession {
  readonly kind: 'following';
  readonly id: string;
  readonly log: FollowedLog;
  readonly queued: readonly [];
  readonly notice: string | null;
}

export type OpenedSession = WritingSession | FollowedSession;

/**
 * Where sessions lie: in a folder of our own for each workspace, never inside the workspace itself. Every window on it has the same one. The
 * editor's storage for a workspace is none: a second window on the same folder is given another.
 */
export class SessionStore {
  readonly #state: vscode.Memento;
  /** The name of the folder that is of this workspace alone; null where it is shared, as windows without a workspace do. */
  readonly #place: string | null;
  readonly #ports: OwnerPorts;
  /** For everything that belongs to the sessions of this workspace; outside every folder of it. */
  readonly folder: string;
  readonly prompts: PromptHistory;

  constructor(context: Pick<vscode.ExtensionContext, 'workspaceState' | 'globalStorageUri'>, roots: Roots, ports: OwnerPorts = processPorts()) {
    this.#state = context.workspaceState;
    this.#ports = ports;
    const ours = context.globalStorageUri.fsPath;
    // What a workspace began with stays its place, whichever folders come and go.
    const place = placeIn(this.#state.get(placeKey)) ?? nameOfWorkspace(roots, savedWorkspaceFile());
    const { path, isGiven } = folderOutside(place === null ? ours : join(ours, 'workspaces', place), roots);
    this.folder = path;
    this.#place = isGiven ? place : null;
    this.prompts = new PromptHistory(join(this.folder, 'prompts.json'), (run) => void laterOn(rememberMs, run));
  }

  /** Whether the logs lie in none of these folders: folders may come in while a session runs. */
  isOutside(roots: Roots): boolean {
    return !roots.list.some(({ path }) => isWithin(this.folder, path));
  }

  /** The session that was open last: repaired, where no other window writes it. Else a new one. Throws LOG_UNAVAILABLE. */
  async open(roots: readonly string[]): Promise<OpenedSession> {
    const id = this.#last();
    if (id === null) return this.create(roots);
    const claimed = await claimSession(this.#ownerBase(id), this.#ports);
    try {
      return claimed.type === 'owner' ? this.#write(id, claimed) : this.follow(id);
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      const opened = await this.create(roots);
      return { ...opened, notice: `The log of the last session cannot be read (${error.message}). It was left as it is, in ${this.#file(id)}; this is a new session.` };
    }
  }

  async create(roots: readonly string[]): Promise<WritingSession> {
    const id = randomUUID();
    const claimed = await claimSession(this.#ownerBase(id), this.#ports);
    if (claimed.type === 'held') throw new Error('a session with a new id has an owner');
    const log = createOwnedLog(this.#file(id), { sessionId: id, roots }, claimed.owner);
    await this.#remember(id);
    return { kind: 'writing', id, log, queued: [], notice: null };
  }

  /** Shows a session that another window writes. Throws LogDamaged. */
  follow(id: string): FollowedSession {
    return { kind: 'following', id, log: new FollowedLog(this.#file(id), this.#ports.now), queued: [], notice: null };
  }

  /** Tells that the other window has left the session: it can be taken at once. Returns what ends the watch. */
  onFree({ id }: FollowedSession, free: () => void): () => void {
    return onSessionFree(this.#ownerBase(id), this.#ports, free);
  }

  /**
   * Has the other window let go, and goes on with the session here. `log` of the followed one stays as it is, for the caller to close. A text where
   * it could not be had, and why. Throws LogDamaged or LOG_UNAVAILABLE.
   */
  async takeOver({ id }: FollowedSession): Promise<WritingSession | string> {
    const claimed = await takeSessionOver(this.#ownerBase(id), this.#ports);
    if (claimed.type === 'held') return 'The other window has not let go of this session, or a third one has taken it. Try again in a moment, or start a new session.';
    const session = this.#write(id, claimed);
    await this.#remember(id);
    return session;
  }

  /** Where another window wants or has the session: `stop` ends what runs (2 s at most), then this window lets go, then `lost` is called. Once. */
  onLost({ log }: WritingSession, stop: () => Promise<void>, lost: () => void): void {
    log.onLost({ sleep: this.#ports.sleep, letGoMs: this.#ports.times.letGo }, stop, lost);
  }

  /** Keeps what waits in a session, so that it survives a reload. Throws what the file system says; nothing where the session is not ours any more. */
  keepQueue({ id, log }: WritingSession, queued: readonly QueuedMessage[]): void {
    if (log.isOurs) new QueueFile(this.#queueFile(id)).write(queued);
  }

  #write(id: string, claimed: Extract<Claimed, { type: 'owner' }>): WritingSession {
    const { log, torn } = openOwnedLog(this.#file(id), claimed);
    const { queued, notice } = new QueueFile(this.#queueFile(id)).read(log.events);
    const notices = [...(torn ? ['The last record of this session was torn by a crash and has been dropped.'] : []), ...(notice === null ? [] : [notice])];
    return { kind: 'writing', id, log, queued, notice: notices.length === 0 ? null : notices.join(' ') };
  }

  /** What this window had open last, else what any window on this workspace had. */
  #last(): string | null {
    for (const id of [this.#state.get(currentKey), this.#place === null ? null : readLine(this.#lastFile)]) {
      if (typeof id === 'string' && /^[0-9a-f-]{36}$/.test(id) && existsSync(this.#file(id))) return id;
    }
    return null;
  }

  async #remember(id: string): Promise<void> {
    await this.#state.update(currentKey, id);
    if (this.#place === null) return;
    await this.#state.update(placeKey, this.#place);
    writeWhole(this.#lastFile, id);
  }

  get #lastFile(): string {
    return join(this.folder, 'sessions', 'last');
  }

  #file(id: string): string {
    return join(this.folder, 'sessions', `${id}.jsonl`);
  }

  #queueFile(id: string): string {
    return join(this.folder, 'sessions', `${id}.queue.json`);
  }

  #ownerBase(id: string): string {
    return join(this.folder, 'sessions', `${id}.owner`);
  }
}

function placeIn(value: unknown): string | null {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value) ? value : null;
}

/** One that is not saved has a file of its own in each window. */
function savedWorkspaceFile(): string | null {
  const { workspaceFile } = vscode.workspace;
  return workspaceFile?.scheme === 'file' ? workspaceFile.fsPath : null;
}

function readLine(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    return null;
  }
}
