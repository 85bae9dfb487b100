import type { ComponentChildren } from 'preact';
import { visibleText } from '../markdown/visible-text.ts';
import type { Card } from '../protocol/state.ts';
import { CardDiffs } from './card-diffs.tsx';
import { Icon } from './icon.tsx';

/** What a card shows of a call. The whole diff can be opened while the card is open. What to notice stands where the answer is given. */
export function CardBody({ card, stage }: { readonly card: Card; readonly stage: 'open' | 'closed' }): ComponentChildren {
  return (
    <>
      {card.diffs.length > 0 && <CardDiffs callId={card.callId} diffs={card.diffs} stage={stage} />}
      {card.details.map(({ label, text }, n) => (
        <div key={n} class="card-detail">
          <div class="card-label">{visibleText(label)}</div>
          <pre tabIndex={0} aria-label={label}>{visibleText(text)}</pre>
        </div>
      ))}
      <details class="card-effects" open={card.diffs.length === 0}>
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
