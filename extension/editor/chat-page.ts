import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The view's page with its style and script in it: each file that a webview fetches goes through its service worker and the
 * window's main thread and back, which took a third of a second before anything was drawn. Made in one turn: a view that has no
 * page yet when that ends is loaded twice. The page can fetch nothing at all; pictures come in messages. `assets`: the folder of its files.
 */
export function chatPage(assets: string): string {
  const read = (file: string): string => readFileSync(join(assets, file), 'utf8');
  const nonce = randomBytes(18).toString('base64');
  const policy = `default-src 'none'; script-src 'nonce-${nonce}'; style-src 'nonce-${nonce}'; img-src data:`;
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<style nonce="${nonce}">${read('chat.css')}</style>
<title>Countersign</title>
</head>
<body class="chat"><div id="root"></div><script nonce="${nonce}">${read('chat.js')}</script></body>
</html>`;
}
