import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

export const themeNames = ['dark', 'light', 'hc-dark', 'hc-light', 'dark-2026', 'light-2026'] as const;

/** The variables that the editor gives to a page, as its own themes set them. */
export interface Theme {
  readonly bodyClass: string;
  readonly variables: Readonly<Record<string, string>>;
}

export async function readTheme(name: string): Promise<Theme> {
  const known = themeNames.find((theme) => theme === name);
  if (known === undefined) throw new Error(`There is no theme ${name}.`);
  const theme: unknown = JSON.parse(await readFile(join(import.meta.dirname, 'themes', `${known}.json`), 'utf8'));
  if (!isTheme(theme)) throw new Error(`${known}.json is no theme.`);
  return theme;
}

function isTheme(value: unknown): value is Theme {
  return typeof value === 'object' && value !== null && 'bodyClass' in value && typeof value.bodyClass === 'string'
    && 'variables' in value && typeof value.variables === 'object' && value.variables !== null;
}

/** The variables, and the defaults that the editor puts before a page's own style. */
export function themeStyle({ bodyClass, variables }: Theme): string {
  const declarations = Object.entries(variables).map(([name, value]) => `${name.replaceAll('.', '\\.')}: ${value};`).join('\n');
  return `:root { color-scheme: ${bodyClass.includes('light') ? 'light' : 'dark'};\n${declarations}\n}
html { background: var(--vscode-sideBar-background); }
@layer editor {
  html { scrollbar-color: var(--vscode-scrollbarSlider-background) var(--vscode-editor-background); }
  body { margin: 0; padding: 0 20px; color: var(--vscode-editor-foreground); font-family: var(--vscode-font-family); font-size: var(--vscode-font-size); }
  a, a code { color: var(--vscode-textLink-foreground); }
  a:focus, textarea:focus { outline: 1px solid -webkit-focus-ring-color; outline-offset: -1px; }
  code { font-family: monospace; color: var(--vscode-textPreformat-foreground); background-color: var(--vscode-textPreformat-background); padding: 1px 3px; }
  blockquote { background: var(--vscode-textBlockQuote-background); border-color: var(--vscode-textBlockQuote-border); }
}
`;
}
