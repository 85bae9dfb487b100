import type { ComponentChildren } from 'preact';
import { visibleText } from '../markdown/visible-text.ts';
import { useActions } from './actions.ts';
import { Button, IconButton } from './button.tsx';
import { Icon } from './icon.tsx';

export interface ComposerHintsProps {
  readonly id: string;
  /** Why the draft cannot be sent; empty where there is nothing to say. */
  readonly hindrance: string;
  readonly lacksModel: boolean;
  /** Why what was sent came back. */
  readonly refusal: string;
  readonly imagesLost: boolean;
  readonly imageRefusals: readonly string[];
  readonly onSeen: () => void;
}

/** What stands between the person and the model, in words, beside the composer. */
export function ComposerHints({ id, hindrance, lacksModel, refusal, imagesLost, imageRefusals, onSeen }: ComposerHintsProps): ComponentChildren {
  const { post } = useActions();
  return (
    <>
      {refusal !== '' && <p class="hint warning" role="alert"><Icon name="warning" /><span>Not sent: {visibleText(refusal)}</span></p>}
      {imagesLost && <p class="hint warning" role="alert"><Icon name="warning" /><span>The images of this message are not here any more: add them again.</span></p>}
      {imageRefusals.length > 0 && (
        <div class="hint warning" role="alert">
          <Icon name="warning" />
          <div class="hint-text">{imageRefusals.map((why, n) => <p key={n}>{why}</p>)}</div>
          <IconButton icon="close" label="Close" onPress={onSeen} />
        </div>
      )}
      {hindrance !== '' && (
        <div class="hint" id={id}>
          <span>{hindrance}</span>
          {lacksModel && <Button look="secondary" label="Add a model" onPress={() => post({ type: 'addModel' })} />}
        </div>
      )}
    </>
  );
}
