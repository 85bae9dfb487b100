import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { runHeadless } from '../../../extension/headless/command.ts';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** The verdict of each line, `-` where there is none. */
  readonly decisions: readonly string[];
}

/** Runs the headless host within this process. */
export async function headless(args: readonly string[], lines: readonly object[] = []): Promise<Ran> {
  const [stdout, stderr] = [collector(), collector()];
  async function* stdin(): AsyncIterable<string> {
    for (const line of lines) yield `${JSON.stringify(line)}\n`;
  }
  const code = await runHeadless(args, stdin(), stdout, stderr);
  const decisions = code === 0 && stdout.text.startsWith('{')
    ? stdout.text.trimEnd().split('\n').map((line) => (JSON.parse(line) as { readonly verdict: { readonly decision: string } | null }).verdict?.decision ?? '-')
    : [];
  return { code, stdout: stdout.text, stderr: stderr.text, decisions };
}

function collector(): { text: string; write(text: string): boolean; once(): void } {
  return {
    text: '',
    write(text) {
      this.text += text;
      return true;
    },
    once: () => undefined,
  };
}

/** A temporary folder with a workspace `ws` in it, with these files. */
export async function temporaryWorkspace(t: TestContext, files: Readonly<Record<string, string>>): Promise<{ readonly base: string; readonly folder: string }> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'countersign-command-')));
  t.after(() => rm(base, { recursive: true, force: true }));
  const folder = join(base, 'ws');
  await mkdir(folder);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return { base, folder };
}
