import { parseArgs } from 'node:util';
import type { Mode } from '../gate/modes.ts';

export type AnswerPolicy = 'allow' | 'deny' | 'ask-is-deny';

export interface RunOptions {
  readonly command: 'run';
  readonly workspaces: readonly string[];
  readonly policyFile: string | null;
  readonly mode: Mode;
  readonly answer: AnswerPolicy;
  readonly dryRun: boolean;
  readonly log: string | null;
  readonly state: string | null;
}

export interface LogOptions {
  readonly command: 'verify' | 'resume';
  readonly log: string;
  readonly dryRun: boolean;
}

export type Options = RunOptions | LogOptions | { readonly command: 'schemas' } | { readonly command: 'help' };

export const usage = `Usage:
  headless run --workspace DIR [--workspace DIR …] [--policy FILE] [--mode ask|plan] [--answer allow|deny|ask-is-deny]
               [--dry-run] [--sandbox auto|off] [--log FILE] [--state DIR]
      Reads one proposal a line (a JSON array of them is one step) on standard input; answers one line a call.
  headless schemas
      Prints the tool schemas that a model sees.
  headless verify LOG [--state DIR]
      Checks a session's log, record by record; exit 1 where it is damaged.
  headless resume LOG [--dry-run] [--state DIR]
      Closes what a crash left open in a log, and prints what that was.
`;

/** Options that cannot be used; the message is for the person who typed them. */
export class UnusableOptions extends Error {}

export function readOptions(args: readonly string[]): Options {
  const [command, ...rest] = args;
  switch (command) {
    case 'schemas':
      if (rest.length > 0) throw new UnusableOptions('schemas takes no options.');
      return { command: 'schemas' };
    case 'run':
      return readRun(rest);
    case 'verify':
    case 'resume':
      return readLogOptions(command, rest);
    case 'help':
    case '--help':
    case '-h':
      return { command: 'help' };
    default:
      throw new UnusableOptions(command === undefined ? 'A command is missing: run, schemas, verify or resume.' : `There is no command ${JSON.stringify(command)}: run, schemas, verify or resume.`);
  }
}

function readLogOptions(command: LogOptions['command'], args: readonly string[]): LogOptions {
  let parsed;
  try {
    // Where a key for the log will lie; there is none yet.
    parsed = parseArgs({ args: [...args], allowPositionals: true, strict: true, options: { 'dry-run': { type: 'boolean', default: false }, state: { type: 'string' } } });
  } catch (error) {
    throw new UnusableOptions(error instanceof Error ? error.message : String(error));
  }
  const [log, ...more] = parsed.positionals;
  if (log === undefined || more.length > 0) throw new UnusableOptions(`${command} takes one LOG.`);
  const dryRun = parsed.values['dry-run'];
  if (dryRun && command === 'verify') throw new UnusableOptions('verify changes nothing; --dry-run is for resume.');
  return { command, log, dryRun };
}

function readRun(args: readonly string[]): RunOptions {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args], allowPositionals: false, strict: true,
      options: {
        workspace: { type: 'string', multiple: true }, policy: { type: 'string' }, mode: { type: 'string', default: 'ask' },
        answer: { type: 'string', default: 'ask-is-deny' }, 'dry-run': { type: 'boolean', default: false },
        sandbox: { type: 'string', default: 'auto' }, log: { type: 'string' }, state: { type: 'string' },
      },
    }));
  } catch (error) {
    throw new UnusableOptions(error instanceof Error ? error.message : String(error));
  }
  if (values.workspace === undefined) throw new UnusableOptions('--workspace DIR is missing.');
  const { mode, answer, sandbox } = values;
  if (mode === 'sandboxed') throw new UnusableOptions('The mode sandboxed is not available yet; use ask or plan.');
  if (mode !== 'ask' && mode !== 'plan') throw new UnusableOptions('--mode must be ask or plan.');
  if (answer !== 'allow' && answer !== 'deny' && answer !== 'ask-is-deny') throw new UnusableOptions('--answer must be allow, deny or ask-is-deny.');
  if (sandbox !== 'auto' && sandbox !== 'off') throw new UnusableOptions('--sandbox must be auto or off.');
  return {
    command: 'run', workspaces: values.workspace, policyFile: values.policy ?? null, mode, answer, dryRun: values['dry-run'],
    log: values.log ?? null, state: values.state ?? null,
  };
}
