import { spawn } from 'node:child_process';
import { basename } from 'node:path';

export interface CommandOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

const tailLength = 4000;

/** Runs a program to its end and gives what it wrote; throws with the end of that where its exit code is not 0. */
export async function runCommand(program: string, args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const child = spawn(program, args, { cwd: options.cwd, env: { ...process.env, ...options.env }, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const collect = (chunk: Buffer): void => { output += chunk.toString('utf8'); };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const code = await new Promise<number | string>((resolve, reject) => {
    child.on('error', (cause) => reject(new Error(`${program} does not start: ${cause.message}`, { cause })));
    child.on('close', (exit, signal) => resolve(exit ?? signal ?? 'unknown'));
  });
  if (code !== 0) throw new Error(`${basename(program)} ${args.join(' ')} ended with ${code}:\n${output.slice(-tailLength)}`);
  return output;
}

/** npm under this Node: the npm that started us where there is one, else the one on PATH. */
export async function runNpm(args: readonly string[], options: CommandOptions = {}): Promise<string> {
  const cli = process.env['npm_execpath'];
  return cli?.endsWith('.js') === true ? runCommand(process.execPath, [cli, ...args], options) : runCommand('npm', args, options);
}
