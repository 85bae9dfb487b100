import { runHeadless } from './headless/command.ts';

runHeadless(process.argv.slice(2), process.stdin, process.stdout, process.stderr).then(
  (code) => { process.exitCode = code; },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack ?? error.message : String(error)}\n`);
    process.exitCode = 1;
  },
);
