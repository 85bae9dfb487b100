import { join } from 'node:path';
import { themeClasses, themeSettings, type ColourTheme } from '../editor-page.ts';
import type { Person } from '../person.ts';
import type { VscodeServer } from '../vscode-server.ts';

export interface Studio {
  readonly person: Person;
  readonly server: VscodeServer;
  /** Where the pictures are put. */
  readonly folder: string;
}

const themes: readonly ColourTheme[] = ['light', 'dark', 'high contrast dark'];
/** Of the side bar, in pixels. */
const widths = { narrow: 300, wide: 620 } as const;

/**
 * Saves a picture of what is seen now in each theme, with the chat narrow and wide. Only settings change: what is open stays open, but for what
 * closes when the focus goes; `before` opens that again for each.
 */
export async function shootLooks({ person, server, folder }: Studio, state: string, before?: () => Promise<void>): Promise<void> {
  const { page } = person.editor;
  for (const theme of themes) {
    await server.changeSettings({ 'workbench.colorTheme': themeSettings[theme] });
    await page.locator(`.monaco-workbench.${themeClasses[theme]}`).waitFor();
    for (const [name, pixels] of Object.entries(widths)) {
      const side = await page.locator('.part.sidebar').boundingBox();
      if (side !== null) await person.editor.widenSideBar(pixels - side.width);
      await before?.();
      const file = `${state}-${theme.replaceAll(' ', '-')}-${name}.png`;
      await person.editor.screenshot(join(folder, file));
      console.log(file);
    }
  }
}
