import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type * as vscode from 'vscode';
import { CodedError } from '../boundary/error-codes.ts';
import { isWithin, type Roots } from '../files/roots.ts';
import { EventLog } from '../session/event-log.ts';
import { LogDamaged } from '../session/read-log.ts';
import { reopenLog } from '../session/repair.ts';
import type { LogEvent, LogRecord, SessionLog } from '../session/records.ts';

const currentKey = 'countersign.session';

export interface OpenedSession {
  readonly id: string;
  readonly log: OwnedLog;
  /** For the person: why this is not the session that was open before. */
  readonly notice: string | null;
}

/** Where sessions lie: in the editor's storage for this workspace, never inside the workspace itself. */
export class SessionStore {
  readonly #state: vscode.Memento;
  readonly #folder: string;

  constructor(context: Pick<vscode.ExtensionContext, 'workspaceState' | 'storageUri' | 'globalStorageUri'>, roots: Roots) {
    this.#state = context.workspaceState;
    this.#folder = folderOutside((context.storageUri ?? context.globalStorageUri).fsPath, roots);
  }

  /** Whether the logs lie in none of these folders: folders may come in while a session runs. */
  isOutside(roots: Roots): boolean {
    return !roots.list.some(({ path }) => isWithin(this.#folder, path));
  }

  /** The session that was open last, repaired; or a new one. Throws LOG_UNAVAILABLE. */
  async open(roots: readonly string[]): Promise<OpenedSession> {
    const id = this.#state.get(currentKey);
    if (typeof id !== 'string' || !/^[0-9a-f-]{36}$/.test(id) || !existsSync(this.#file(id))) return this.create(roots);
    try {
      const { log, torn } = reopenLog(this.#file(id));
      return { id, log: new OwnedLog(log, this.#ownerFile(id)), notice: torn ? 'The last record of this session was torn by a crash and has been dropped.' : null };
    } catch (error) {
      if (!(error instanceof LogDamaged)) throw error;
      const opened = await this.create(roots);
      return { ...opened, notice: `The log of the last session cannot be read (${error.message}). It was left as it is, in ${this.#file(id)}; this is a new session.` };
    }
  }

  async create(roots: readonly string[]): Promise<OpenedSession> {
    const id = randomUUID();
    const log = EventLog.create(this.#file(id), { sessionId: id, roots });
    await this.#state.update(currentKey, id);
    return { id, log: new OwnedLog(log, this.#ownerFile(id)), notice: null };
  }

  #file(id: string): string {
    return join(this.#folder, 'sessions', `${id}.jsonl`);
  }

  #ownerFile(id: string): string {
    return join(this.#folder, 'sessions', `${id}.owner`);
  }
}

/** A log that only the last to open it may write: a window that was reloaded or overtaken cannot go on under its successor. */
export class OwnedLog implements SessionLog {
  readonly #log: EventLog;
  readonly #ownerFile: string;
  readonly #token = randomUUID();
  #closed = false;

  constructor(log: EventLog, ownerFile: string) {
    this.#log = log;
    this.#ownerFile = ownerFile;
    writeFileSync(ownerFile, this.#token, { mode: 0o600 });
  }

  get events(): readonly LogEvent[] {
    return this.#log.events;
  }

  append(event: LogEvent): LogRecord {
    if (this.#closed) throw new CodedError('LOG_UNAVAILABLE', 'This session is closed; nothing runs in it any more.');
    if (readOwner(this.#ownerFile) !== this.#token) {
      throw new CodedError('LOG_UNAVAILABLE', 'This session has been opened in another window, which goes on with it; nothing runs here. Start a new session to work in this window.');
    }
    return this.#log.append(event);
  }

  onAppend(listener: (event: LogEvent) => void): () => void {
    return this.#log.onAppend(listener);
  }

  /** Nothing more is written: what is open now is closed by the repair when the session is opened again. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#log.close();
  }
}

function readOwner(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function folderOutside(folder: string, roots: Roots): string {
  const own = join(tmpdir(), `countersign-${process.getuid?.() ?? 'user'}`);
  for (const candidate of [folder, own]) {
    const real = realPathToBe(candidate);
    if (roots.list.some(({ path }) => isWithin(real, path))) continue;
    mkdirSync(real, { recursive: true, mode: 0o700 });
    return real;
  }
  throw new CodedError('LOG_UNAVAILABLE', `The session log must not lie inside the workspace, and every place for it does (${folder}). Open a smaller folder.`);
}

/** As far as it exists, with every link resolved. Nothing is made. */
function realPathToBe(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return dirname(path) === path ? path : join(realPathToBe(dirname(path)), basename(path));
  }
}
