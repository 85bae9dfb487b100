/** Markdown as plain data, ready to be drawn: no HTML, every text with its hidden characters made visible. */
export type Inline =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'deleted'; readonly children: readonly Inline[] }
  /** `host` is said beside it, where its text names another one. */
  | { readonly kind: 'link'; readonly url: string; readonly host: string | null; readonly children: readonly Inline[] }
  /** The address of a link or an image that is not offered. */
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'image'; readonly alt: string }
  | { readonly kind: 'checkbox'; readonly checked: boolean }
  | { readonly kind: 'break' };

export type Align = 'left' | 'center' | 'right' | 'none';

export type Block =
  | { readonly kind: 'paragraph'; readonly children: readonly Inline[] }
  /** A paragraph of a tight list: without space around it. */
  | { readonly kind: 'line'; readonly children: readonly Inline[] }
  | { readonly kind: 'heading'; readonly depth: 1 | 2 | 3 | 4 | 5 | 6; readonly children: readonly Inline[] }
  /** `source` is what is copied. */
  | { readonly kind: 'code'; readonly language: string; readonly text: string; readonly source: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly align: readonly Align[]; readonly header: readonly Cell[]; readonly rows: readonly (readonly Cell[])[] }
  | { readonly kind: 'rule' };

export interface ListItem {
  readonly task: boolean;
  readonly blocks: readonly Block[];
}

export type Cell = readonly Inline[];
