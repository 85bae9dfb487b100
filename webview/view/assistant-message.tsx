import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { emptyStream, finish, readOn, type MarkdownStream } from '../markdown/stream.ts';
import type { AssistantEntry } from '../protocol/state.ts';
import { Markdown } from './markdown.tsx';
import { Thinking } from './thinking.tsx';

export function AssistantMessage({ entry }: { readonly entry: AssistantEntry }): ComponentChildren {
  const stream = useRef<MarkdownStream>(emptyStream);
  if (entry.streaming) stream.current = readOn(stream.current, entry.text);
  const blocks = entry.streaming ? [...stream.current.closed, ...stream.current.open] : finish(stream.current, entry.text);
  return (
    <>
      {entry.thinking !== '' && <Thinking text={entry.thinking} live={entry.streaming && entry.text === ''} />}
      {blocks.length > 0 && <div class="assistant"><span class="visually-hidden">Answer: </span><Markdown blocks={blocks} /></div>}
    </>
  );
}
