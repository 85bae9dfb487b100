declare const realPath: unique symbol;
declare const digest: unique symbol;
/** An absolute path with every link resolved and Unicode as the file system holds it; or a canonical one of another file system, see `foreign-path.ts`. */
export type RealPath = string & { readonly [realPath]: true };
/** Lower-case hex SHA-256. */
export type Digest = string & { readonly [digest]: true };
/** A picomatch glob on an absolute path. */
export type Glob = string;
export type ProcessId = string;

/** One thing that a call would do: plain JSON, deep-frozen, the same object shown, signed and performed. */
export type Effect =
  | { readonly kind: 'read'; readonly path: RealPath; readonly extent: 'file' | 'tree'; readonly except: readonly Glob[] }
  | { readonly kind: 'write'; readonly path: RealPath; readonly base: Digest | 'absent'; readonly result: Digest; readonly via: 'disk' | 'buffer' }
  | { readonly kind: 'delete'; readonly path: RealPath; readonly base: Digest }
  | { readonly kind: 'move'; readonly from: RealPath; readonly to: RealPath; readonly base: Digest }
  | { readonly kind: 'run'; readonly program: RealPath; readonly argv: readonly string[]; readonly script?: Digest; readonly cwd: RealPath; readonly grant: Digest; readonly background: boolean }
  | { readonly kind: 'process'; readonly id: ProcessId; readonly op: 'read' | 'stop' }
  | { readonly kind: 'fetch'; readonly url: string; readonly grant: Digest }
  | { readonly kind: 'mcp'; readonly server: string; readonly tool: string; readonly definition: Digest; readonly arguments: Digest; readonly grant: Digest }
  | { readonly kind: 'converse'; readonly op: 'ask' | 'plan' | 'tools' };

export type EffectKind = Effect['kind'];
export type EffectOf<K extends EffectKind> = Extract<Effect, { kind: K }>;

/** What a call would do: at least one effect, what it claims besides, and the bytes that its writes would land. */
export interface Foreseen {
  readonly effects: readonly Effect[];
  readonly claims: readonly Effect[];
  /** The result bytes of each write, by their digest. */
  readonly content: ReadonlyMap<Digest, Uint8Array>;
}

/** What the session last read or wrote at a path, or that it deleted what stood there. */
export interface Observation {
  readonly path: RealPath;
  readonly digest: Digest | 'absent';
}
