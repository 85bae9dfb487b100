import type { Card, CallEntry, Entry, Status } from '../../webview/protocol/state.ts';

/** Entries and states that the tests and the pictures share. */
export const digestOf = (letter: string): string => letter.repeat(64);

export const status: Status = {
  activity: 'idle', text: '', mode: 'ask', model: 'gpt-5 · api.openai.com', modelReady: true, hasWorkspace: true, demonstration: false,
};

export const user = (id: string, text: string, queued = false): Entry => ({ kind: 'user', id, text, queued });
export const assistant = (id: string, text: string, streaming = false): Entry => ({ kind: 'assistant', id, text, streaming });
export const call = (id: string, rest: Partial<CallEntry> = {}): CallEntry => ({
  kind: 'call', id, tool: 'read_file', title: 'Read src/session/store.ts', status: 'done', summary: '84 lines', detail: '', card: null, question: null,
  canAskAgain: false, ...rest,
});

export const editCard = (callId: string, rest: Partial<Card> = {}): Card => ({
  callId, digest: digestOf('a'), title: 'Edit src/session/store.ts',
  effects: ['write /home/mia/shop/src/session/store.ts (2,913 bytes, on disk)'],
  diff: {
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
  },
  details: [], warnings: [], why: 'No rule allows this write.', rule: 'user settings', ...rest,
});

export const outsideCard = (callId: string): Card => ({
  callId, digest: digestOf('b'), title: 'Read /etc/hosts', effects: ['read /etc/hosts'], diff: null, details: [],
  warnings: ['This is outside the workspace.'],
  why: 'Reading outside the workspace always asks.', rule: 'built-in: outside the workspace',
});

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
