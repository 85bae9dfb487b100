import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runCommand } from './run-command.ts';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome'];
const wellKnown = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/** A Chromium to drive. Debian and its kin, as root: installed when missing; elsewhere the error says what to install. */
export async function ensureBrowser(): Promise<string> {
  const chosen = process.env['COUNTERSIGN_CHROMIUM'];
  if (chosen !== undefined) return chosen;
  const present = findBrowser();
  if (present !== undefined) return present;
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    console.error('Installing chromium (apt-get) …');
    const env = { DEBIAN_FRONTEND: 'noninteractive' };
    await runCommand('apt-get', ['update'], { env });
    await runCommand('apt-get', ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], { env });
    const installed = findBrowser();
    if (installed !== undefined) return installed;
  }
  throw new Error(`This needs Chromium or Chrome, and found none. ${advice()} Or set COUNTERSIGN_CHROMIUM to its program.`);
}

function findBrowser(): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return [...wellKnown, ...folders.flatMap((folder) => names.map((name) => join(folder, name)))].find((path) => existsSync(path));
}

function advice(): string {
  switch (process.platform) {
    case 'darwin': return 'Install it with `brew install --cask google-chrome`.';
    case 'win32': return 'Install it with `winget install Google.Chrome`.';
    default: return 'Install it with `sudo apt-get update && sudo apt-get install -y chromium`, or your system\'s equivalent.';
  }
}
