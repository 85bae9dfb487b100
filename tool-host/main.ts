import { once } from 'node:events';
import { answer } from './answer.ts';
import { frame, readBodies } from './frames.ts';

// It makes an editor's executable behave as Node, which is for this process alone: what it starts must not inherit it.
delete process.env['ELECTRON_RUN_AS_NODE'];

/**
 * Answers requests until its input ends; then it is done, for its parent may be gone. Standard output carries frames
 * and nothing else; standard error is for people.
 */
async function serve(): Promise<void> {
  for await (const body of readBodies(process.stdin)) {
    const message = answer(body, process.pid);
    if (message === null) continue;
    if (!process.stdout.write(frame(message))) await once(process.stdout, 'drain');
  }
}

// Nobody reads the answers any more.
process.stdout.on('error', () => process.exit(1));

serve().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
