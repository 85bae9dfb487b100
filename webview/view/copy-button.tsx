import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Icon } from './icon.tsx';

export function CopyButton({ text }: { readonly text: string }): ComponentChildren {
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return;
    const timer = setTimeout(() => setCopied(false), 1500);
    return () => clearTimeout(timer);
  }, [copied]);
  const label = copied ? 'Copied' : 'Copy';
  return (
    <button type="button" class="copy" aria-label={`${label} code`} title={label} onClick={() => void copy(text).then(setCopied)}>
      <Icon name={copied ? 'check' : 'copy'} />
    </button>
  );
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** For pages that the editor has not given the clipboard to. */
function copyBySelection(text: string): boolean {
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.className = 'visually-hidden';
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus();
  return done;
}
