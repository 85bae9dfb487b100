import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Entry } from '../protocol/state.ts';
import type { ChatState, Older, Reply } from '../state/chat-state.ts';
import type { Chunk } from '../state/conversation.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { EntryView } from './entry-view.tsx';
import { focusOpenCard } from './focus.ts';
import { Icon } from './icon.tsx';
import { memo } from './memo.tsx';
import { OpenCardsContext } from './use-card.ts';
import { useHiddenCard } from './use-hidden-card.ts';
import { useOlder } from './use-older.ts';
import { useStickToBottom } from './use-stick-to-bottom.ts';

export interface TranscriptProps {
  readonly conversation: ChatState['conversation'];
  readonly older: Older;
  readonly open: ChatState['open'];
  readonly replies: ChatState['replies'];
}

/** The conversation. One of these lives as long as one whole state: the next begins at its own end. */
export const Transcript = memo(({ conversation, older, open, replies }: TranscriptProps) => {
  const { loadOlder } = useActions();
  const { scroller, content, away, jump } = useStickToBottom();
  const sentinel = useRef<HTMLDivElement>(null);
  const openCards = open.join(' ');
  const hidden = useHiddenCard(openCards, scroller);
  const drawn = useOlder({ conversation, openIds: open, older, loadOlder, sentinel, root: scroller, away });
  const settledBelow = drawn.at(-2)?.key ?? Number.NEGATIVE_INFINITY;
  return (
    <OpenCardsContext.Provider value={openCards}>
      <div class="transcript">
        <div class="scroller" ref={scroller} role="log" aria-live="off" aria-label="Conversation" tabIndex={0}>
          <div class="content" ref={content}>
            <div class="sentinel" ref={sentinel} />
            {older.count > 0 && drawn.length === conversation.length && <OlderButton older={older} onPress={loadOlder} />}
            {drawn.map((chunk) => (
              <ChunkView key={chunk.key} chunk={chunk} settled={chunk.key < settledBelow} replies={replies} cardOpen={open.length > 0} />
            ))}
          </div>
        </div>
        {hidden !== 'none'
          ? <Pill look="approval" icon={hidden === 'above' ? 'arrow-up' : 'arrow-down'} label="Approval needed" onPress={focusOpenCard} />
          : away && <Pill look="jump" icon="arrow-down" label="Jump to latest" onPress={jump} />}
      </div>
    </OpenCardsContext.Provider>
  );
});

/** A chunk that is settled and far from the screen is not laid out. */
const ChunkView = memo(({ chunk, settled, replies, cardOpen }: { readonly chunk: Chunk; readonly settled: boolean; readonly replies: ChatState['replies']; readonly cardOpen: boolean }) => (
  <div class={settled ? 'chunk settled' : 'chunk'}>
    {chunk.entries.map((entry) => (
      <EntryView key={entry.id} entry={entry} reply={replyTo(entry, replies)} cardOpen={cardOpen && entry.kind === 'user' && entry.queued === 'next-step'} />
    ))}
  </div>
));

function replyTo(entry: Entry, replies: ChatState['replies']): Reply | null {
  if (entry.kind !== 'call') return null;
  const callId = entry.question?.callId ?? entry.card?.callId;
  return callId === undefined ? null : (replies.get(callId) ?? null);
}

function OlderButton({ older, onPress }: { readonly older: Older; readonly onPress: () => void }): ComponentChildren {
  const count = older.count.toLocaleString('en');
  return <div class="older"><Button look="quiet" icon={older.asked ? 'loading' : 'arrow-up'} label={older.asked ? 'Loading what came before' : `Show what came before (${count})`} state={older.asked ? 'off' : 'on'} onPress={onPress} /></div>;
}

function Pill({ look, icon, label, onPress }: { readonly look: 'approval' | 'jump'; readonly icon: 'arrow-up' | 'arrow-down'; readonly label: string; readonly onPress: () => void }): ComponentChildren {
  return <button type="button" class={`pill ${look}`} onClick={onPress}><Icon name={icon} /><span>{label}</span></button>;
}
