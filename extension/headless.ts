import { runHeadless } from './headless/command.ts';

process.exitCode = await runHeadless(process.argv.slice(2), process.stdin, process.stdout, process.stderr);
