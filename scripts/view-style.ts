import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { iconNames } from '../webview/view/icon-names.ts';
import { root } from './project-paths.ts';

/** The view's style, with its icons in it as shapes that take the colour of the text: nothing is left to fetch, so they are there with the first paint. */
export async function viewStyle(): Promise<string> {
  const own = await readFile(join(root, 'webview/chat.css'), 'utf8');
  const icons = await Promise.all(iconNames.map(iconRule));
  const { code } = await transform([own, ...icons].join('\n'), { loader: 'css', minify: true, target: 'chrome120', legalComments: 'none' });
  return code;
}

async function iconRule(name: string): Promise<string> {
  const shape = await readFile(join(root, 'node_modules/@vscode/codicons/src/icons', `${name}.svg`), 'utf8');
  return `.codicon-${name} { --shape: url("data:image/svg+xml,${shape.trim().replaceAll('"', "'").replaceAll(/[%#<>]/g, encodeURIComponent)}"); }`;
}
