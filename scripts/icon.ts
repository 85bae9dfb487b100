import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { browserFlags } from './editor-page.ts';
import { ensureBrowser } from './install-browser.ts';
import { root } from './project-paths.ts';

const size = 128;

/** Draws media/icon.png, the icon in the list of extensions, from the mark in the activity bar. Run again when the mark changes. */
async function drawIcon(): Promise<void> {
  const mark = await readFile(join(root, 'media/countersign.svg'), 'utf8');
  const inner = mark.replace(/^<svg[^>]*>/, '').replace(/<\/svg>\s*$/, '');
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" viewBox="0 0 128 128">
    <defs>
      <linearGradient id="ground" x1="0" y1="0" x2="0.6" y2="1"><stop offset="0" stop-color="#2f6f6a"/><stop offset="1" stop-color="#123a44"/></linearGradient>
      <linearGradient id="shield" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#fff" stop-opacity="0.2"/><stop offset="1" stop-color="#fff" stop-opacity="0.04"/></linearGradient>
    </defs>
    <rect x="4" y="4" width="120" height="120" rx="27" fill="url(#ground)"/>
    <g transform="translate(13.6 13.6) scale(4.2)" fill="none" stroke="#fff" stroke-width="1.45" stroke-linecap="round" stroke-linejoin="round">
      <path d="M12 2.8 19.5 5.6v6.1c0 4.6-3.1 7.9-7.5 9.5-4.4-1.6-7.5-4.9-7.5-9.5V5.6z" fill="url(#shield)" stroke="none"/>
      ${inner}
    </g>
  </svg>`;
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: [...browserFlags] });
  try {
    const page = await browser.newPage({ viewport: { width: size, height: size } });
    await page.setContent(`<body style="margin:0;background:transparent">${svg}</body>`);
    await page.screenshot({ path: join(root, 'media/icon.png'), omitBackground: true });
  } finally {
    await browser.close();
  }
}

await drawIcon();
