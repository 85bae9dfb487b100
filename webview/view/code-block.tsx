import type { ComponentChildren } from 'preact';
import { CopyButton } from './copy-button.tsx';

/** Lines that are laid out together, so that a growing block does not lay out all of itself again. */
const groupSize = 40;

export function CodeBlock({ language, text, source }: { readonly language: string; readonly text: string; readonly source: string }): ComponentChildren {
  return (
    <div class="code-block">
      <div class="code-head">
        <span class="code-language">{language}</span>
        <CopyButton text={source} />
      </div>
      <pre tabIndex={0} aria-label={language === '' ? 'Code' : `${language} code`}><code>{lineGroups(text).map((group, n) => <span key={n} class="lines">{group}</span>)}</code></pre>
    </div>
  );
}

function lineGroups(text: string): readonly string[] {
  const lines = text.split('\n');
  if (lines.length <= groupSize) return [text];
  const groups: string[] = [];
  for (let start = 0; start < lines.length; start += groupSize) {
    const end = start + groupSize;
    groups.push(lines.slice(start, end).join('\n') + (end < lines.length ? '\n' : ''));
  }
  return groups;
}
