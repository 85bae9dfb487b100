import type { HostMessage } from '../../webview/protocol/messages.ts';
import type { AssistantEntry, Card, CardDiff, CallEntry, ContextMeter, Entry, Models, PlanItem, Status, UserEntry } from '../../webview/protocol/state.ts';

/** Entries and states that the tests and the pictures share. */
export const digestOf = (letter: string): string => letter.repeat(64);

export const status: Status = {
  activity: 'idle', text: '', mode: 'ask', hasWorkspace: true, readOnly: false,
};

export const models: Models = {
  choices: [
    { id: 'gpt-5', label: 'gpt-5', detail: 'api.openai.com', images: true, demonstration: false },
    { id: 'qwen', label: 'qwen3-coder', detail: 'this machine', images: false, demonstration: false },
    { id: 'demo', label: 'Demonstration', detail: 'a script', images: false, demonstration: true },
  ],
  current: 'gpt-5',
};
export const noModel: Models = { choices: [], current: null };

export const context: ContextMeter = {
  used: 74_000, limit: 200_000, cachedShare: 0.82,
  parts: [
    { label: 'Tool results', tokens: 41_200 }, { label: 'Instructions and tools', tokens: 18_900 }, { label: 'Answers', tokens: 9_300 }, { label: 'Your messages', tokens: 4_600 },
  ],
};

export const plan: readonly PlanItem[] = [
  { text: 'Read the store and its callers', status: 'done' }, { text: 'Write down what each caller expects', status: 'done' },
  { text: 'Make `load` return null, and log why', status: 'active' }, { text: 'Change the two callers that relied on the error', status: 'pending' }, { text: 'Run the tests', status: 'pending' },
];

export interface Shown {
  readonly entries?: readonly Entry[];
  readonly status?: Partial<Status>;
  readonly sessionId?: string;
  readonly older?: number;
  readonly models?: Models;
  readonly context?: ContextMeter | null;
  readonly plan?: readonly PlanItem[];
  readonly history?: readonly string[];
}

/** A whole state, as the host sends it. */
export const stateOf = ({ entries = [], status: rest = {}, ...shown }: Shown = {}): HostMessage => ({
  type: 'state', sessionId: 's', entries, older: 0, status: { ...status, ...rest }, models, context: null, plan: [], history: [], ...shown,
});

export const user = (id: string, text: string, rest: Partial<UserEntry> = {}): Entry => ({ kind: 'user', id, text, images: [], queued: 'no', canUndoSince: false, ...rest });
export const assistant = (id: string, text: string, streaming = false, rest: Partial<AssistantEntry> = {}): Entry => ({ kind: 'assistant', id, text, thinking: '', streaming, ...rest });
export const call = (id: string, rest: Partial<CallEntry> = {}): CallEntry => ({
  kind: 'call', id, tool: 'read_file', title: 'Read src/session/store.ts', status: 'done', summary: '84 lines', detail: '', card: null, question: null,
  canAskAgain: false, canUndo: false, ...rest,
});

export const editCard = (callId: string, rest: Partial<Card> = {}): Card => ({
  callId, digest: digestOf('a'), title: 'Edit src/session/store.ts',
  effects: ['write /home/mia/shop/src/session/store.ts (2,913 bytes, on disk)'],
  diffs: [{
    display: 'src/session/store.ts', change: 'edit', added: 7, removed: 3, truncated: false, notes: ['Line ends: CRLF', 'No newline at the end of the file'],
    lines: [
      { kind: 'gap', oldLine: 0, newLine: 0, text: '40' },
      { kind: 'context', oldLine: 41, newLine: 41, text: '  async load(id: string): Promise<Session | null> {' },
      { kind: 'context', oldLine: 42, newLine: 42, text: '    const row = await this.db.get(id);' },
      { kind: 'removed', oldLine: 43, newLine: 0, text: '    if (!row) throw new Error("not found");' },
      { kind: 'removed', oldLine: 44, newLine: 0, text: '    return JSON.parse(row.body);' },
      { kind: 'added', oldLine: 0, newLine: 43, text: '    if (row === undefined) return null;' },
      { kind: 'added', oldLine: 0, newLine: 44, text: '    const parsed = parseSession(row.body);' },
      { kind: 'added', oldLine: 0, newLine: 45, text: '    if (!parsed.ok) {' },
      { kind: 'added', oldLine: 0, newLine: 46, text: '      this.log.warn(`session ${id} does not parse: ${parsed.error.message}; it is treated as absent`);' },
      { kind: 'added', oldLine: 0, newLine: 47, text: '      return null;' },
      { kind: 'added', oldLine: 0, newLine: 48, text: '    }' },
      { kind: 'context', oldLine: 45, newLine: 49, text: '  }' },
      { kind: 'context', oldLine: 46, newLine: 50, text: '' },
      { kind: 'gap', oldLine: 0, newLine: 0, text: '71' },
      { kind: 'context', oldLine: 118, newLine: 122, text: '  close(): void {' },
      { kind: 'removed', oldLine: 119, newLine: 0, text: '    this.db.close()' },
      { kind: 'added', oldLine: 0, newLine: 123, text: '    this.db.close();' },
      { kind: 'context', oldLine: 120, newLine: 124, text: '  }' },
    ],
  }],
  details: [], warnings: [], why: 'No rule allows this write.', rule: 'user settings', ...rest,
});

export const outsideCard = (callId: string): Card => ({
  callId, digest: digestOf('b'), title: 'Read /etc/hosts', effects: ['read /etc/hosts'], diffs: [], details: [],
  warnings: ['This is outside the workspace.'],
  why: 'Reading outside the workspace always asks.', rule: 'built-in: outside the workspace',
});

const smallDiff = (display: string, rest: Partial<CardDiff> = {}): CardDiff => ({
  display, change: 'edit', added: 1, removed: 1, truncated: false, notes: [],
  lines: [{ kind: 'removed', oldLine: 4, newLine: 0, text: 'import { load } from "./store.ts";' }, { kind: 'added', oldLine: 0, newLine: 4, text: 'import { find } from "./store.ts";' }], ...rest,
});

/** One call that changes five files. */
export const renameCard = (callId: string): Card => {
  const diffs = [
    smallDiff('src/session/store.ts'),
    smallDiff('src/session/find.ts', { change: 'create', added: 2, removed: 0, lines: [{ kind: 'added', oldLine: 0, newLine: 1, text: 'export const find = 1;' }, { kind: 'added', oldLine: 0, newLine: 2, text: '' }] }),
    smallDiff('src/session/load.ts', { change: 'delete', added: 0, removed: 1, lines: [{ kind: 'removed', oldLine: 1, newLine: 0, text: 'export const load = 1;' }] }),
    smallDiff('src/http/auth.ts'), smallDiff('src/jobs/expire.ts'),
  ];
  return { ...editCard(callId), title: 'Change 5 files', effects: diffs.map(({ display, change }) => `${change === 'delete' ? 'delete' : 'write'} /home/mia/shop/${display}`), diffs };
};

/** A red square of four pixels, which the host sends as a thumbnail. */
export const thumbnail = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAEElEQVR4nGP4z8AARAwQCgAf7gP9i18U1AAAAABJRU5ErkJggg==';

export const asking = (id: string, card: Card): CallEntry => call(id, { tool: 'edit_file', title: card.title, status: 'asking', summary: '', card });

export const conversation: readonly Entry[] = [
  user('u1', 'The session store throws when a session is missing or damaged. Make `load` return null instead, and say in the log what happened.'),
  assistant('a1', 'I’ll look at the store and at who calls it first.'),
  call('c1', { title: 'Search “load(” in src/**', tool: 'search_text', summary: '6 matches in 4 files', detail: 'src/session/store.ts:41:  async load(id: string)\nsrc/http/auth.ts:17:    const session = await store.load(id);' }),
  call('c2', { detail: 'import { Database } from "./database.ts";\n\nexport class SessionStore {\n  constructor(private readonly db: Database) {}\n}\n' }),
  call('c3', { title: 'Read src/http/auth.ts', summary: '131 lines', detail: 'x' }),
  call('c4', { title: 'Read .env', status: 'denied', summary: 'denied by rule: secrets', detail: 'DENIED_BY_POLICY: .env looks like a secret.' }),
  call('c5', { title: 'Read src/session/parse.ts', status: 'failed', summary: 'FS_NOT_FOUND', detail: 'FS_NOT_FOUND: there is no src/session/parse.ts. Did you mean src/session/codec.ts?' }),
];

export const answer = `The store now treats a missing or damaged session as absent. Two callers relied on the error:

1. \`src/http/auth.ts\` caught it to send a 401. It now checks for \`null\`.
2. \`src/jobs/expire.ts\` let it end the job. It now skips the session, and **counts what it skipped**.

| Case | Before | Now |
| --- | --- | ---: |
| Missing | throws | \`null\` |
| Damaged JSON | throws | \`null\`, logged |
| Database closed | throws | throws |

### How to see it

\`\`\`ts
const session = await store.load('gone');
if (session === null) return unauthorized();
\`\`\`

- [x] unit tests for all three cases
- [ ] the migration note, which you may want to word yourself

> The log line holds the id, never the body.

See the [discussion of fail-closed parsing](https://example.com/fail-closed) for why the last case still throws.`;
