/** What the view draws. The extension host owns it; the view holds a copy and decides nothing. */

export type CallStatus =
  | 'receiving' // its arguments still arrive
  | 'waiting' // received, not decided yet
  | 'asking' // a card is open
  | 'running'
  | 'done'
  | 'failed'
  | 'denied'
  | 'interrupted'; // the window went away in the middle of it

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  /** True while it waits for an open card or for the turn to end. */
  readonly queued: boolean;
}

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly id: string;
  /** Markdown. */
  readonly text: string;
  readonly streaming: boolean;
}

export interface DiffLine {
  readonly kind: 'context' | 'added' | 'removed' | 'gap';
  /** 1-based; 0 where that side has no such line. */
  readonly oldLine: number;
  readonly newLine: number;
  /** Invisible and bidirectional controls already made visible; for a gap, how many lines it stands for. */
  readonly text: string;
}

export interface CardDiff {
  readonly display: string;
  readonly change: 'create' | 'edit';
  readonly added: number;
  readonly removed: number;
  /** A cut of the diff; the whole stands in the editor. */
  readonly lines: readonly DiffLine[];
  readonly truncated: boolean;
  /** What the eye cannot see: `Line ends: CRLF`, `byte order mark kept`. */
  readonly notes: readonly string[];
}

/** An approval card: what would be done, exactly, and why it asks. */
export interface Card {
  readonly callId: string;
  /** An answer counts only with this. */
  readonly digest: string;
  /** In plain words: `Edit src/a.ts`. */
  readonly title: string;
  /** Exactly what would be done, one line an effect: `write /w/src/a.ts`. */
  readonly effects: readonly string[];
  readonly diff: CardDiff | null;
  /** Arguments worth seeing that no diff shows. */
  readonly details: readonly { readonly label: string; readonly text: string }[];
  /** Things to notice: protected, outside the workspace, hard links. */
  readonly warnings: readonly string[];
  /** Why it asks. */
  readonly why: string;
  /** The rule that decided; empty where none matched. */
  readonly rule: string;
}

export interface Question {
  readonly callId: string;
  readonly question: string;
  readonly options: readonly string[];
}

export interface CallEntry {
  readonly kind: 'call';
  readonly id: string;
  readonly tool: string;
  readonly title: string;
  readonly status: CallStatus;
  /** A few words: `42 lines`, `denied: use tabs`, `FS_NOT_FOUND`. */
  readonly summary: string;
  /** What the model reads of the result; cut. */
  readonly detail: string;
  /** Open (status `asking`) or closed. */
  readonly card: Card | null;
  /** Only while the tool waits for an answer. */
  readonly question: Question | null;
  /** The person may ask for it again as a new call. */
  readonly canAskAgain: boolean;
}

export interface NoticeEntry {
  readonly kind: 'notice';
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** What to do next, as buttons. */
  readonly actions: readonly NoticeAction[];
}

export type NoticeActionId = 'retry' | 'setKey' | 'openSettings' | 'openLog' | 'newSession' | 'openFolder';
export interface NoticeAction {
  readonly id: NoticeActionId;
  readonly label: string;
}

export type Entry = UserEntry | AssistantEntry | CallEntry | NoticeEntry;

export interface Status {
  readonly activity: 'idle' | 'requesting' | 'streaming' | 'deciding' | 'asking' | 'running' | 'waiting' | 'stopping';
  /** For a person: `Waiting 12 s: the server is busy (429)`. Empty when idle. */
  readonly text: string;
  readonly mode: 'plan' | 'ask';
  /** As shown beside the composer: `gpt-5 · api.openai.com`; empty where none is set up. */
  readonly model: string;
  readonly modelReady: boolean;
  /** Whether a workspace folder is open. */
  readonly hasWorkspace: boolean;
  /** True while the model is the scripted demonstration. */
  readonly demonstration: boolean;
}
