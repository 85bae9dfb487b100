import type { ComponentChildren } from 'preact';
import type { CallEntry, Entry } from '../protocol/state.ts';
import type { Reply } from '../state/chat-state.ts';
import { ApprovalCard } from './approval-card.tsx';
import { AssistantMessage } from './assistant-message.tsx';
import { CallRow } from './call-row.tsx';
import { memo } from './memo.tsx';
import { Notice } from './notice.tsx';
import { QuestionCard } from './question-card.tsx';
import { UserMessage } from './user-message.tsx';

export interface EntryProps {
  readonly entry: Entry;
  /** What became of the person's last answer to it. */
  readonly reply: Reply | null;
  readonly cardOpen: boolean;
}

export const EntryView = memo(({ entry, reply, cardOpen }: EntryProps) => (
  <div class={`entry ${entry.kind}-entry`} data-entry={entry.id}>{drawEntry(entry, reply, cardOpen)}</div>
));

function drawEntry(entry: Entry, reply: Reply | null, cardOpen: boolean): ComponentChildren {
  switch (entry.kind) {
    case 'user': return <UserMessage entry={entry} waitsForCard={cardOpen} />;
    case 'assistant': return <AssistantMessage entry={entry} />;
    case 'call': return drawCall(entry, reply);
    case 'notice': return <Notice entry={entry} />;
  }
}

function drawCall(entry: CallEntry, reply: Reply | null): ComponentChildren {
  if (entry.question !== null) return <QuestionCard question={entry.question} reply={reply} />;
  if (entry.status === 'asking' && entry.card !== null) return <ApprovalCard card={entry.card} reply={reply} />;
  return <CallRow entry={entry} />;
}
