import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { TestContext } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type OwnerPorts, placeOfProcesses } from '../../../extension/session/owner-alive.ts';

/** As in the editor, only faster; on a machine that has other things to do, too, nobody who lives is taken for dead. */
export function fastPorts(over: Partial<OwnerPorts> = {}): OwnerPorts {
  return {
    pid: process.pid, place: placeOfProcesses(), newToken: randomUUID, wallClock: Date.now, now: () => performance.now(),
    sleep: (ms) => new Promise((resolve) => { setTimeout(resolve, ms); }),
    times: { beat: 100, stale: 20_000, doubt: 20_000, look: 24, letGo: 2000, wait: 20_000 },
    ...over,
  };
}

export const baseOf = (file: string): string => file.replace(/\.jsonl$/, '.owner');

export interface Other {
  readonly child: ChildProcess;
  /** The lines that it has said so far. */
  said(): readonly string[];
  /** Resolves once it has said such a line. */
  says(line: RegExp): Promise<string>;
  ended: Promise<unknown>;
}

/** Another process that runs this script. */
export function startOther(t: TestContext, script: string, ...args: readonly string[]): Other {
  const child = spawn(process.execPath, [fileURLToPath(script), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  t.after(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  let text = '';
  const waiting = new Set<() => void>();
  child.stdout.setEncoding('utf8').on('data', (more: string) => {
    text += more;
    for (const look of waiting) look();
  });
  const said = (): readonly string[] => text.split('\n').slice(0, -1);
  return {
    child, said, ended,
    says: (line) => new Promise((resolve) => {
      const look = (): void => {
        const found = said().find((one) => line.test(one));
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    }),
  };
}
