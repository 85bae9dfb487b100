import type { ComponentChildren } from 'preact';
import { visibleText } from '../markdown/visible-text.ts';
import type { Card } from '../protocol/state.ts';
import { useActions } from './actions.ts';
import { Button } from './button.tsx';
import { DiffTable } from './diff-table.tsx';
import { Icon } from './icon.tsx';

/** What a card shows of a call. The whole diff can be opened while the card is open. What to notice stands where the answer is given. */
export function CardBody({ card, stage }: { readonly card: Card; readonly stage: 'open' | 'closed' }): ComponentChildren {
  return (
    <>
      {card.diff !== null && <CardDiffView card={card} stage={stage} />}
      {card.details.map(({ label, text }, n) => (
        <div key={n} class="card-detail">
          <div class="card-label">{visibleText(label)}</div>
          <pre tabIndex={0} aria-label={label}>{visibleText(text)}</pre>
        </div>
      ))}
      <details class="card-effects" open={card.diff === null}>
        <summary>Exactly what would happen</summary>
        <ul>{card.effects.map((effect, n) => <li key={n}>{visibleText(effect)}</li>)}</ul>
      </details>
      {card.warnings.length > 0 && (
        <ul class="card-warnings">
          {card.warnings.map((warning, n) => <li key={n}><Icon name="warning" /><span>{visibleText(warning)}</span></li>)}
        </ul>
      )}
      <p class="card-why">Why it asks: {visibleText(card.why)}{card.rule !== '' && <span class="card-rule"> ({visibleText(card.rule)})</span>}</p>
    </>
  );
}

function CardDiffView({ card, stage }: { readonly card: Card; readonly stage: 'open' | 'closed' }): ComponentChildren {
  const { post } = useActions();
  const { diff, callId } = card;
  if (diff === null) return null;
  return (
    <div class="card-diff">
      <div class="card-file">
        {diff.change === 'edit'
          ? <button type="button" class="file-chip" title={`Open ${diff.display}`} onClick={() => post({ type: 'openFile', callId })}><bdi>{diff.display}</bdi></button>
          : <span class="file-chip"><bdi>{diff.display}</bdi></span>}
        {diff.change === 'create' && <span class="badge">New file</span>}
        <span class="count"><span class="count-added">+{diff.added}</span> <span class="count-removed">−{diff.removed}</span></span>
        {stage === 'open' && <Button look="quiet" icon="diff" label="Open diff" onPress={() => post({ type: 'openDiff', callId })} />}
      </div>
      <DiffTable diff={diff} />
      {diff.notes.length > 0 && <ul class="card-notes">{diff.notes.map((note, n) => <li key={n}>{visibleText(note)}</li>)}</ul>}
    </div>
  );
}
