import type { ComponentChildren, TargetedKeyboardEvent } from 'preact';
import type { Align, Block, Cell, Inline, ListItem } from '../markdown/tree.ts';
import { useActions } from './actions.ts';
import { CodeBlock } from './code-block.tsx';
import { memo } from './memo.tsx';

/** Blocks as elements. A block that is the same object as before is not drawn again. */
export function Markdown({ blocks }: { readonly blocks: readonly Block[] }): ComponentChildren {
  return <div class="markdown"><Blocks blocks={blocks} /></div>;
}

const BlockView = memo(({ block }: { readonly block: Block }) => drawBlock(block));

function Blocks({ blocks }: { readonly blocks: readonly Block[] }): ComponentChildren {
  return blocks.map((block, n) => <BlockView key={n} block={block} />);
}

function drawBlock(block: Block): ComponentChildren {
  switch (block.kind) {
    case 'paragraph': return <p><Inlines parts={block.children} /></p>;
    case 'line': return <div class="line"><Inlines parts={block.children} /></div>;
    case 'heading': return <Heading depth={block.depth}><Inlines parts={block.children} /></Heading>;
    case 'code': return <CodeBlock language={block.language} text={block.text} source={block.source} />;
    case 'quote': return <blockquote><Blocks blocks={block.blocks} /></blockquote>;
    case 'list': return block.start === null ? <ul><Items items={block.items} /></ul> : <ol start={block.start}><Items items={block.items} /></ol>;
    case 'table': return <Table header={block.header} rows={block.rows} align={block.align} />;
    case 'rule': return <hr />;
  }
}

/** The page's own headings come first: an answer's begin below them. */
function Heading({ depth, children }: { readonly depth: 1 | 2 | 3 | 4 | 5 | 6; readonly children: ComponentChildren }): ComponentChildren {
  return <div role="heading" aria-level={Math.min(depth + 2, 6)} class={`heading h${depth}`}>{children}</div>;
}

function Items({ items }: { readonly items: readonly ListItem[] }): ComponentChildren {
  return items.map((item, n) => <li key={n} class={item.task ? 'task' : undefined}><Blocks blocks={item.blocks} /></li>);
}

function Table({ header, rows, align }: { readonly header: readonly Cell[]; readonly rows: readonly (readonly Cell[])[]; readonly align: readonly Align[] }): ComponentChildren {
  const sideOf = (column: number): string => `align-${align[column] ?? 'none'}`;
  return (
    <div class="table" role="region" aria-label="Table" tabIndex={0}>
      <table>
        <thead><tr>{header.map((cell, n) => <th key={n} scope="col" class={sideOf(n)}><Inlines parts={cell} /></th>)}</tr></thead>
        <tbody>{rows.map((row, r) => <tr key={r}>{row.map((cell, n) => <td key={n} class={sideOf(n)}><Inlines parts={cell} /></td>)}</tr>)}</tbody>
      </table>
    </div>
  );
}

function Inlines({ parts }: { readonly parts: readonly Inline[] }): ComponentChildren {
  return parts.map((part, n) => <InlineView key={n} part={part} />);
}

function InlineView({ part }: { readonly part: Inline }): ComponentChildren {
  switch (part.kind) {
    case 'text': return part.text;
    case 'code': return <code>{part.text}</code>;
    case 'strong': return <strong><Inlines parts={part.children} /></strong>;
    case 'emphasis': return <em><Inlines parts={part.children} /></em>;
    case 'deleted': return <del><Inlines parts={part.children} /></del>;
    case 'link': return <><WebLink url={part.url}><Inlines parts={part.children} /></WebLink>{part.host !== null && <span class="address"> ({part.host})</span>}</>;
    case 'address': return <span class="address">{part.text}</span>;
    case 'image': return <span class="image">image{part.alt === '' ? '' : `: ${part.alt}`}</span>;
    case 'checkbox': return <span class={`codicon codicon-${part.checked ? 'pass-filled' : 'circle-large'} checkbox`} role="img" aria-label={part.checked ? 'done' : 'to do'} />;
    case 'break': return <br />;
  }
}

/** No `href`: the editor would follow it by itself. The host asks before it opens anything. */
function WebLink({ url, children }: { readonly url: string; readonly children: ComponentChildren }): ComponentChildren {
  const { post } = useActions();
  const open = (): void => post({ type: 'openLink', url });
  const onKeyDown = (event: TargetedKeyboardEvent<HTMLAnchorElement>): void => {
    if (event.key === 'Enter' && !event.repeat) open();
  };
  return <a class="link" role="link" tabIndex={0} title={url} onClick={open} onKeyDown={onKeyDown}>{children}</a>;
}
