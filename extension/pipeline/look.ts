import type { Digest, Effect, RealPath } from '../boundary/effect.ts';
import { CodedError } from '../boundary/error-codes.ts';
import type { Json } from '../boundary/json.ts';
import { isResultPath, namesResult, resultIdOf } from '../boundary/result-path.ts';
import type { Located, Look, Snapshot } from '../boundary/tool-definition.ts';
import type { Verdict } from '../boundary/verdict.ts';
import { decodeText } from '../edits/text.ts';
import { refuseReadOnly } from '../edits/read-only.ts';
import { currentBytes } from '../files/current-bytes.ts';
import type { KeptResults } from '../files/kept-results.ts';
import type { Observations } from '../files/observations.ts';
import type { OpenDocuments } from '../files/open-documents.ts';
import { statOf } from '../files/read-bytes.ts';
import { realPathOf } from '../files/real-path.ts';
import type { Roots } from '../files/roots.ts';
import { type Guard, judgeLook } from '../gate/decide.ts';
import type { Resolution } from '../gate/permit.ts';
import type { Policy } from '../gate/policy.ts';
import { noSuchResult } from '../gate/result-reader.ts';

/** A look at what may not be read: it denies the call. */
export class LookDenied extends Error {
  readonly verdict: Verdict;
  readonly effect: Effect;
  constructor(verdict: Verdict, effect: Effect) {
    super(`${verdict.decidedBy}: ${verdict.reason}`);
    this.verdict = verdict;
    this.effect = effect;
  }
}

export interface LookParts {
  readonly tool: string;
  readonly arguments: Json;
  readonly roots: Roots;
  readonly policy: Policy;
  readonly guards: readonly Guard[];
  readonly documents: OpenDocuments;
  readonly observations: Observations;
  readonly kept: KeptResults;
  readonly signal: AbortSignal;
}

/** What was looked at while one call was foreseen. */
export class JudgedLook implements Look {
  readonly signal: AbortSignal;
  readonly resolutions: Resolution[] = [];
  readonly bases = new Map<RealPath, Uint8Array | null>();
  readonly #parts: LookParts;
  #asked = false;
  #denied: LookDenied | null = null;

  constructor(parts: LookParts) {
    this.#parts = parts;
    this.signal = parts.signal;
  }

  /** True where something was looked at whose read asks: until the person has answered, no byte of it may be said. */
  get holdsUnapproved(): boolean {
    return this.#asked;
  }

  /** The first look that was denied: it denies the call, whatever the tool makes of it. */
  get denied(): LookDenied | null {
    return this.#denied;
  }

  async read(path: string): Promise<Snapshot> {
    return (await this.#now(path)).snapshot;
  }

  async editable(path: string): Promise<Snapshot> {
    const { snapshot, unfit } = await this.#now(path);
    if (unfit !== null) throw new CodedError('FS_DIRTY', `${snapshot.display} has unsaved changes in the editor and cannot be changed there: ${unfit}. Ask the person to save it, then read it again.`);
    if (snapshot.via === 'disk') await refuseReadOnly(snapshot.path, `change ${snapshot.display}`, this.#parts.roots.foreign);
    if (snapshot.bytes === null) return snapshot;
    refuseUnobserved(this.#parts.observations, snapshot.path, snapshot.digest, snapshot.display);
    const decoded = decodeText(snapshot.bytes, snapshot.display);
    if (decoded instanceof CodedError) throw decoded;
    return snapshot;
  }

  async #now(path: string): Promise<{ readonly snapshot: Snapshot; readonly unfit: string | null }> {
    const real = await this.#judged(path);
    const file = await currentBytes(real, this.#parts.documents, this.#parts.roots.foreign);
    this.bases.set(real, file?.bytes ?? null);
    const display = this.#parts.roots.display(real);
    return {
      snapshot: { path: real, display, bytes: file?.bytes ?? null, digest: file?.digest ?? 'absent', via: file?.via ?? 'disk' },
      unfit: file?.unfit ?? null,
    };
  }

  async locate(path: string): Promise<Located> {
    if (namesResult(path)) return this.#result(path);
    const real = await this.#judged(path);
    const stats = await statOf(real, this.#parts.roots.foreign);
    const display = this.#parts.roots.display(real);
    // A file that was deleted lives on in the editor where its document is unsaved.
    if (stats === null && this.#parts.documents.unsaved(real) === null) throw new CodedError('FS_NOT_FOUND', `${display} does not exist. Look with list_directory or find_files.`);
    return { path: real, display, type: stats?.isDirectory() === true ? 'directory' : 'file' };
  }

  async roots(): Promise<readonly Located[]> {
    const located: Located[] = [];
    // Two folders of the workspace may be one, by a link.
    for (const path of new Set(this.#parts.roots.list.map((root) => root.path))) located.push(await this.locate(path));
    return located;
  }

  async #judged(path: string): Promise<RealPath> {
    this.signal.throwIfAborted();
    if (namesResult(path)) throw new CodedError('FS_REFUSED', `${path} is a result, not a file: it can be read, with read_file, and nothing else.`);
    const requested = this.#parts.roots.absolute(path);
    const real = await realPathOf(requested, this.#parts.roots.foreign);
    this.#judge(real);
    this.resolutions.push({ requested, real });
    return real;
  }

  /** Nothing on disk has to do with it: neither is it joined with a folder, nor resolved. */
  #result(path: string): Located {
    this.signal.throwIfAborted();
    if (!isResultPath(path)) throw noSuchResult(path);
    this.#judge(path);
    if (this.#parts.kept.read(resultIdOf(path) ?? '') === null) throw noSuchResult(path);
    return { path, display: path, type: 'file' };
  }

  #judge(path: RealPath): void {
    const { effect, verdict } = judgeLook(path, this.#parts, this.#parts.policy, this.#parts.guards);
    if (verdict.decision === 'deny') throw this.#denied ??= new LookDenied(verdict, effect);
    if (verdict.decision === 'ask') this.#asked = true;
  }
}

/** Throws where the session does not know the file as it is now. */
export function refuseUnobserved(observations: Observations, path: RealPath, now: Digest | 'absent', display: string): void {
  const seen = observations.of(path);
  if (seen === undefined) throw new CodedError('FS_NOT_OBSERVED', `${display} exists and this session has not read it. Read it with read_file (any part counts), then propose the change again.`);
  if (seen !== now) throw new CodedError('FS_STALE', `${display} changed since this session last read it. Read it again with read_file, then propose the change again.`);
}
