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

/** A picture beside a message: small, as a `data:` address. The image itself stays in the extension host. */
export interface EntryImage {
  readonly thumbnail: string;
  /** `image/png, 320 kB` */
  readonly label: string;
}

export interface UserEntry {
  readonly kind: 'user';
  readonly id: string;
  readonly text: string;
  readonly images: readonly EntryImage[];
  /** `no` once the model has it, or will with the request that is made. Else it goes out with the next step, or once the turn has ended. */
  readonly queued: 'no' | 'next-step' | 'after-turn';
  /** Files were changed since this message, and can be taken back. */
  readonly canUndoSince: boolean;
}

export interface AssistantEntry {
  readonly kind: 'assistant';
  readonly id: string;
  /** Markdown. */
  readonly text: string;
  /** What the model thought before it, as far as it is shown. Plain text; empty where there is none. */
  readonly thinking: string;
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
  readonly change: 'create' | 'edit' | 'delete';
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
  /** One a file, in the order in which `openDiff` counts them; the first 50. */
  readonly diffs: readonly CardDiff[];
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
  /** It changed files, and that can be taken back. */
  readonly canUndo: boolean;
}

export interface NoticeEntry {
  readonly kind: 'notice';
  readonly id: string;
  readonly level: 'info' | 'warning' | 'error';
  readonly text: string;
  /** What to do next, as buttons. */
  readonly actions: readonly NoticeAction[];
}

export type NoticeActionId = 'retry' | 'setKey' | 'openSettings' | 'openLog' | 'newSession' | 'openFolder' | 'addModel' | 'useDemonstration' | 'takeOver';
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
  /** Whether a workspace folder is open. */
  readonly hasWorkspace: boolean;
  /** True where another window writes this session: it is shown as it goes on there, and nothing can be done to it here but take it over. */
  readonly readOnly: boolean;
}

/** A model that can be chosen. */
export interface ModelChoice {
  readonly id: string;
  /** `gpt-5` */
  readonly label: string;
  /** Where it runs, in a few words: `api.openai.com`, `this machine`, `GitHub Copilot`. */
  readonly detail: string;
  readonly images: boolean;
  /** A script that plays a model; nothing is sent anywhere. */
  readonly demonstration: boolean;
}

export interface Models {
  readonly choices: readonly ModelChoice[];
  /** The id of the chosen one; null where none is set up. */
  readonly current: string | null;
}

/** What fills the model's context, by the last request. */
export interface ContextMeter {
  /** Tokens of the next request, about. */
  readonly used: number;
  /** Tokens that fit, less what the answer needs. */
  readonly limit: number;
  /** Largest first: `Tool results`, `Instructions and tools`, `Your messages`, `Answers`, `Images`, `Summary`. */
  readonly parts: readonly { readonly label: string; readonly tokens: number }[];
  /** Of what the last request read, the share that came from the provider's cache, 0 to 1; null where it does not say. */
  readonly cachedShare: number | null;
}

export interface PlanItem {
  readonly text: string;
  readonly status: 'pending' | 'active' | 'done';
}
