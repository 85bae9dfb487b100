import { createRegistry } from '../boundary/registry.ts';
import { registerBuiltInTools } from '../tools/built-in.ts';
import { compiledAhead } from '../tools/compiled-schemas.ts';
import { LogDamaged } from '../session/read-log.ts';
import { resumeLog, verifyLog } from './logs.ts';
import { type Options, readOptions, UnusableOptions, usage } from './options.ts';
import { runProposals } from './run.ts';

interface Output {
  write(text: string): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/** The headless host: the same parts as in the editor, driven by lines. Gives the exit code; standard error is for people. */
export async function runHeadless(args: readonly string[], stdin: AsyncIterable<Uint8Array | string>, stdout: Output, stderr: Output): Promise<number> {
  try {
    const options: Options = readOptions(args);
    switch (options.command) {
      case 'help':
        stderr.write(usage);
        return 0;
      case 'schemas': {
        const registry = createRegistry(compiledAhead);
        registerBuiltInTools(registry);
        stdout.write(`${JSON.stringify(registry.schemas())}\n`);
        return 0;
      }
      case 'run':
        await runProposals(options, stdin, (line) => print(stdout, line), (message) => stderr.write(`${message}\n`));
        return 0;
      case 'verify': {
        const verified = verifyLog(options.log);
        stdout.write(`${JSON.stringify(verified)}\n`);
        return verified.ok ? 0 : 1;
      }
      case 'resume':
        stdout.write(`${JSON.stringify(await resumeLog(options.log, options.dryRun))}\n`);
        return 0;
    }
  } catch (error) {
    if (error instanceof LogDamaged) {
      stdout.write(`${JSON.stringify({ ok: false, line: error.line, message: error.message })}\n`);
      return 1;
    }
    if (!(error instanceof UnusableOptions)) throw error;
    stderr.write(`${error.message}\n${usage}`);
    return 2;
  }
}

/** Waits for a reader that is slower than we are. */
async function print(output: Output, line: string): Promise<void> {
  if (!output.write(`${line}\n`)) await new Promise<void>((resolve) => output.once('drain', resolve));
}
