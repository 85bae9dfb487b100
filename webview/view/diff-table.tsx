import type { ComponentChildren } from 'preact';
import type { CardDiff, DiffLine } from '../protocol/state.ts';
import { memo } from './memo.tsx';

/** The lines of one file's change. The host has made hidden characters visible. */
export const DiffTable = memo(({ diff }: { readonly diff: CardDiff }) => (
  <div class="diff" role="region" aria-label={`${diff.change === 'delete' ? 'Deletes' : 'Change to'} ${diff.display}: ${diff.added} lines added, ${diff.removed} removed`} tabIndex={0}>
    <div class={`diff-lines digits-${String(lastLine(diff.lines)).length}`}>
      {diff.lines.map((line, n) => <Line key={n} line={line} />)}
    </div>
    {diff.truncated && <div class="diff-cut">Cut here. Open diff shows all of it.</div>}
  </div>
));

function Line({ line }: { readonly line: DiffLine }): ComponentChildren {
  if (line.kind === 'gap') return <div class="diff-line gap">{gapText(line.text)}</div>;
  return (
    <div class={`diff-line ${line.kind}`}>
      <span class="diff-number old" data-number={line.oldLine === 0 ? '' : line.oldLine} />
      <span class="diff-number new" data-number={line.newLine === 0 ? '' : line.newLine} />
      <span class="diff-sign" data-sign={line.kind === 'added' ? '+' : line.kind === 'removed' ? '−' : ''} />
      {line.kind !== 'context' && <span class="visually-hidden">{line.kind}: </span>}
      <span class="diff-text">{line.text}</span>
    </div>
  );
}

function gapText(text: string): string {
  return /^\d+$/.test(text) ? `${text} unchanged ${text === '1' ? 'line' : 'lines'}` : text;
}

function lastLine(lines: readonly DiffLine[]): number {
  return lines.reduce((last, line) => Math.max(last, line.oldLine, line.newLine), 1);
}
