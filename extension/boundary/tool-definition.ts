import type { Digest, Effect, Foreseen, Glob, RealPath } from './effect.ts';
import type { Json, JsonObject } from './json.ts';
import type { CallResult, TextContent } from './result.ts';

/** What the host may look at to foresee a call's effects. Every look is itself judged as a read. */
export interface Look {
  /**
   * The file at `path` (as the model wrote it) as it is now: its bytes and digest, or that it is absent.
   * Throws FS_* for what is no regular file, too large, outside every root that can be named, or not readable.
   */
  read(path: string): Promise<Snapshot>;
  /** As `read`, and also refuses what may not be changed: FS_NOT_OBSERVED, FS_STALE, FS_DIRTY, FS_NOT_TEXT, FS_ENCODING. */
  editable(path: string): Promise<Snapshot>;
  /** The real path of a file or folder, without reading it; it must exist. */
  locate(path: string): Promise<Located>;
  /** The workspace folders, each judged. */
  roots(): Promise<readonly Located[]>;
  readonly signal: AbortSignal;
}

export interface Located {
  readonly path: RealPath;
  /** As the model should write it: relative to its root, with `/`. */
  readonly display: string;
  readonly type: 'file' | 'directory';
}

export interface Snapshot {
  readonly path: RealPath;
  readonly display: string;
  /** null where there is no such file. Of a document with unsaved changes: its text as it stands in the editor, as UTF-8. */
  readonly bytes: Uint8Array | null;
  readonly digest: Digest | 'absent';
  /** Where a change of it has to be made: on disk, or in the buffer of an unsaved document. */
  readonly via: 'disk' | 'buffer';
}

export interface DirectoryEntry {
  readonly name: string;
  readonly type: 'file' | 'directory' | 'link' | 'other';
  /** Bytes, for files. */
  readonly size: number;
}

export interface DirectoryListing {
  /** By name. */
  readonly entries: readonly DirectoryEntry[];
  /** How many more stand there than are given. */
  readonly more: number;
}

/** Some lines of a file, from the first that was asked for. */
export interface TextPart {
  /** Without their line ends. */
  readonly lines: readonly string[];
  /** The size of the whole file, in bytes. */
  readonly size: number;
  /** How many lines the file has; null where its end was not reached. */
  readonly totalLines: number | null;
}

export interface TextMatch {
  readonly display: string;
  /** 1-based. */
  readonly line: number;
  /** The whole line, cut to 500 characters, and context lines around it. */
  readonly text: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
}

/** What was left out of a tree read, and by which rule. */
export interface LeftOut {
  readonly display: string;
  readonly glob: Glob;
}

export interface TreeFiles {
  /** Paths as the model should write them. */
  readonly files: readonly string[];
  readonly leftOut: readonly LeftOut[];
  /** True where a cap ended the walk. */
  readonly truncated: boolean;
}

export interface TextSearch {
  readonly query: string;
  readonly include: readonly string[];
  readonly exclude: readonly string[];
  readonly contextLines: number;
}

export interface TextMatches {
  readonly matches: readonly TextMatch[];
  readonly filesSearched: number;
  /** Larger than the search reads. */
  readonly skippedLarge: number;
  readonly skippedBinary: number;
  /** Paths as the model should write them. */
  readonly unreadable: readonly string[];
  readonly leftOut: readonly LeftOut[];
  readonly truncated: boolean;
}

/** The outcome of a performed read: bound to its path and `except`. Dead once execute settles. */
export interface Reader {
  /** The path as the model should write it. */
  readonly display: string;
  /** What the editor holds unsaved of the file, or what lies on disk. */
  bytes(): Promise<Uint8Array>;
  /** Lines of a file that is too large for `bytes`, 1-based and inclusive; null where it is not. */
  part(firstLine: number, lastLine: number): Promise<TextPart | null>;
  entries(): Promise<DirectoryListing>;
  /** Files below the path whose path relative to it matches the glob; sorted. */
  find(pattern: string): Promise<TreeFiles>;
  search(query: TextSearch): Promise<TextMatches>;
}

export interface Written {
  readonly path: RealPath;
  readonly result: Digest;
}

export interface Conversation {
  /** Puts a question to the person; ASK_UNAVAILABLE where there is nobody. */
  ask(question: string, options: readonly string[]): Promise<string>;
}

export type Outcome<E extends Effect> = E extends { kind: 'read' } ? Reader
  : E extends { kind: 'write' } ? Written
    : E extends { kind: 'delete' } ? undefined
    : E extends { kind: 'converse' } ? Conversation
      : never;

declare const runBrand: unique symbol;
/** The only powers there are: to perform the signed effects, each once, each checked again just before. */
export interface Run {
  readonly [runBrand]: true;
  readonly signal: AbortSignal;
  /** As signed. */
  readonly effects: readonly Effect[];
  /** By identity; each once; re-checked. Throws STALE_PERMIT where the world moved. */
  perform<E extends Effect>(effect: E): Promise<Outcome<E>>;
  /** Performs every write and delete: verifies all, acts, rolls back on failure. */
  performAll(): Promise<void>;
  /** Says on the card how far it is. */
  progress(text: string): void;
}

/** Part of a card: plain data, drawn by the view. */
export type CardPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly label: string }
  | { readonly kind: 'path'; readonly display: string; readonly path: string };

export interface CallPresentation {
  /** In plain words, with a verb: `Edit src/a.ts`. */
  readonly title: string;
  readonly parts: readonly CardPart[];
}

export interface ResultPresentation {
  /** A few words beside the title: `42 lines`. */
  readonly summary: string;
}

/** The host's object for one tool: 4 fields that a model may see, and 9 that never leave the host. */
export interface ToolDefinition<Args = JsonObject, Value extends Json = Json> {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly deferLoading?: boolean;

  readonly output: {
    readonly schema: JsonObject;
    /** What the model reads. Synchronous. */
    readonly render: (args: Args, value: Value) => readonly TextContent[];
    readonly presentationMeta?: (args: Args, value: Value) => Json;
  };
  readonly effects: (args: Args, look: Look) => Promise<Foreseen> | Foreseen;
  readonly execute: (args: Args, run: Run) => Promise<Value>;
  readonly projectContent?: (content: readonly TextContent[]) => readonly TextContent[];
  readonly finalizeContent?: (content: readonly TextContent[]) => readonly TextContent[];
  readonly timeoutMs?: number;
  readonly isConcurrencySafe?: (args: Args) => boolean;
  readonly presentCall?: (args: Args) => CallPresentation;
  readonly presentResult?: (args: Args, result: CallResult) => ResultPresentation;
}

/** The projection that a model may see: exactly these fields. */
export interface ToolSchema {
  readonly name: string;
  readonly description: string;
  readonly parameters: JsonObject;
  readonly deferLoading?: true;
}
