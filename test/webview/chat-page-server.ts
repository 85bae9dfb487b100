import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { build } from 'esbuild';
import { viewStyle } from '../../scripts/view-style.ts';
import { readTheme, themeStyle } from './theme.ts';

const root = join(import.meta.dirname, '../..');
const nonce = 'a-nonce-of-the-test';

export interface ChatPageServer {
  readonly origin: string;
  /** Paths that were asked for and are none of the page's own. */
  readonly strayRequests: readonly string[];
  close(): Promise<void>;
}

/** Serves the chat as the editor does: its bundle, its styles, and its content security policy as a header. */
export async function serveChatPage(): Promise<ChatPageServer> {
  const script = await bundle();
  const style = await viewStyle();
  const files: Readonly<Record<string, readonly [type: string, content: () => Uint8Array | string]>> = {
    '/chat.js': ['text/javascript', () => script],
    '/chat.css': ['text/css', () => style],
  };
  const stray: string[] = [];
  let origin = '';

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', origin);
    const file = files[url.pathname];
    const theme = await readTheme(url.searchParams.get('theme') ?? 'dark');
    if (url.pathname === '/') {
      response.setHeader('content-security-policy',
        `default-src 'none'; script-src 'nonce-${nonce}'; style-src ${origin}; img-src data:`);
      response.setHeader('content-type', 'text/html; charset=utf-8').end(page(theme.bodyClass, url.search));
    } else if (url.pathname === '/theme.css') response.setHeader('content-type', 'text/css').end(themeStyle(theme));
    else if (file !== undefined) response.setHeader('content-type', file[0]).end(file[1]());
    // The browser itself asks for an icon.
    else if (url.pathname === '/favicon.ico') response.writeHead(204).end();
    else {
      stray.push(url.pathname);
      response.writeHead(404).end();
    }
  };

  const server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => { server.listen(0, '127.0.0.1', resolve); });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    strayRequests: stray,
    close: () => new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
  };
}

/** Built as the extension's build does. */
async function bundle(): Promise<Uint8Array> {
  const result = await build({
    absWorkingDir: root, entryPoints: ['webview/main.tsx'], outfile: 'chat.js', bundle: true, platform: 'browser', target: 'es2023', format: 'iife',
    minify: true, write: false, logLevel: 'warning', legalComments: 'none', jsx: 'automatic', jsxImportSource: 'preact',
  });
  const output = result.outputFiles[0];
  if (output === undefined) throw new Error('There is no bundle.');
  return output.contents;
}

/** The host's page, and an editor that remembers what the view sends and keeps its state over a reload. */
function page(bodyClass: string, search: string): string {
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="/theme.css${search}"><link rel="stylesheet" href="/chat.css">
</head>
<body class="chat ${bodyClass}"><div id="root"></div>
<script nonce="${nonce}">
  window.posted = [];
  window.acquireVsCodeApi = () => ({
    postMessage: (message) => { window.posted.push(JSON.parse(JSON.stringify(message))); },
    getState: () => JSON.parse(sessionStorage.getItem('kept') ?? 'null') ?? undefined,
    setState: (kept) => { sessionStorage.setItem('kept', JSON.stringify(kept)); },
  });
</script>
<script nonce="${nonce}" src="/chat.js"></script>
</body>
</html>`;
}
