import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { visibleText } from '../markdown/visible-text.ts';
import type { CardDiff } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { DiffTable } from './diff-table.tsx';
import { Icon } from './icon.tsx';
import { useLock } from './lock.ts';

/** So many files are drawn open; further ones have their heading and counts, and open one by one. */
const openAtFirst = 3;

export interface CardDiffsProps {
  readonly callId: string;
  readonly diffs: readonly CardDiff[];
  /** The whole diff can be opened in the editor while the card is open. */
  readonly stage: 'open' | 'closed';
}

/** What a card would change, file by file. */
export function CardDiffs({ callId, diffs, stage }: CardDiffsProps): ComponentChildren {
  const several = diffs.length > 1;
  return (
    <div class={several ? 'card-diffs several' : 'card-diffs'}>
      {several && <div class="card-label">{totalOf(diffs)}</div>}
      {diffs.map((diff, file) => <File key={file} callId={callId} diff={diff} file={file} stage={stage} several={several} />)}
    </div>
  );
}

interface FileProps {
  readonly callId: string;
  readonly diff: CardDiff;
  readonly file: number;
  readonly stage: 'open' | 'closed';
  readonly several: boolean;
}

function File({ callId, diff, file, stage, several }: FileProps): ComponentChildren {
  const { post } = useActions();
  const lock = useLock();
  const [open, setOpen] = useState(file < openAtFirst);
  const bodyId = useId();
  const shown = open || !several;
  return (
    <div class={`card-diff ${diff.change}`}>
      <div class="card-file" role={several ? 'heading' : undefined} aria-level={several ? 3 : undefined}>
        {several
          ? <button type="button" class="file-chip file-toggle" aria-expanded={open} aria-controls={open ? bodyId : undefined} onClick={() => setOpen(!open)}><Icon name="chevron-right" /><bdi>{diff.display}</bdi></button>
          : <FileName callId={callId} diff={diff} />}
        {diff.change !== 'edit' && <span class={`badge ${diff.change}`}>{diff.change === 'create' ? 'New file' : 'Deleted file'}</span>}
        <span class="count"><span class="count-added">+{diff.added}</span> <span class="count-removed">−{diff.removed}</span></span>
        {stage === 'open' && <Button look="quiet" icon="diff" label="Open diff" state={lock === '' ? 'on' : 'off'} title={lock === '' ? `Open the diff of ${diff.display}` : lock} onPress={() => post({ type: 'openDiff', callId, file })} />}
      </div>
      {shown && (
        <div class="card-diff-body" id={bodyId}>
          {diff.lines.length > 0 && <DiffTable diff={diff} />}
          {diff.notes.length > 0 && <ul class="card-notes">{diff.notes.map((note, n) => <li key={n}>{visibleText(note)}</li>)}</ul>}
        </div>
      )}
    </div>
  );
}

/** The name of a card's only file opens it, where there is one. */
function FileName({ callId, diff }: { readonly callId: string; readonly diff: CardDiff }): ComponentChildren {
  const { post } = useActions();
  return diff.change === 'create'
    ? <span class="file-chip"><bdi>{diff.display}</bdi></span>
    : <button type="button" class="file-chip" title={`Open ${diff.display}`} onClick={() => post({ type: 'openFile', callId })}><bdi>{diff.display}</bdi></button>;
}

function totalOf(diffs: readonly CardDiff[]): string {
  const sum = (side: 'added' | 'removed'): number => diffs.reduce((total, diff) => total + diff[side], 0);
  return `${diffs.length} files, +${sum('added')} −${sum('removed')}`;
}
