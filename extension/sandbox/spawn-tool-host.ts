import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import type { Readable } from 'node:stream';
import { connectToolHost, type ToolHostConnection } from './tool-host-connection.ts';
import { type Environment, toolHostEnvironment } from './tool-host-environment.ts';

export interface ToolHostExit {
  /** One sentence for a person, if it ended in any way but by `end`. */
  readonly fault: string | null;
  readonly code: number | null;
  readonly signal: string | null;
  /** The beginning of what it wrote there: for the log, never for the model. */
  readonly stderr: string;
}

export interface ToolHost {
  /** Undefined if no process could be started. */
  readonly pid: number | undefined;
  readonly request: ToolHostConnection['request'];
  /** Resolves when the process is gone; never rejects. */
  readonly exited: Promise<ToolHostExit>;
  /** Ends it by the end of its input, and by force if it is still there after `graceMs`. */
  end(): Promise<ToolHostExit>;
}

export interface ToolHostOptions {
  /** Absolute path of the script. */
  readonly file: string;
  readonly environment: Environment;
  readonly graceMs?: number;
}

const maxStderrBytes = 16 * 1024;
const graceMsByDefault = 2_000;

/** Starts a tool host in a process of its own. A fault in what it sends kills it. */
export function spawnToolHost({ file, environment, graceMs = graceMsByDefault }: ToolHostOptions): ToolHost {
  const child = spawn(process.execPath, [file], {
    cwd: dirname(file), env: toolHostEnvironment(environment), stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true,
  });
  const connection = connectToolHost({ fromHost: child.stdout, toHost: child.stdin });
  const stderr = keepBeginning(child.stderr, maxStderrBytes);
  let fault: string | null = null;
  const fail = (reason: string): void => {
    fault ??= reason;
    child.kill('SIGKILL');
  };
  child.on('error', (error) => fail(`The tool host could not be started: ${error.message}.`));
  connection.onFault(fail);

  const exited = new Promise<ToolHostExit>((resolve) => {
    // A grandchild may hold the pipes open: once the process is gone, what it left in them is read for a moment and no longer.
    child.once('exit', () => setTimeout(() => [child.stdout, child.stderr].forEach((stream) => stream.destroy()), graceMs).unref());
    child.once('close', (code, signal) => resolve({ fault, code, signal, stderr: stderr() }));
  });

  return {
    pid: child.pid,
    request: connection.request,
    exited,
    async end() {
      connection.end();
      const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
      const exit = await exited;
      clearTimeout(timer);
      return exit;
    },
  };
}

/** Reads a stream to its end, and keeps its first bytes. */
function keepBeginning(stream: Readable, maxBytes: number): () => string {
  const kept: Uint8Array[] = [];
  let size = 0;
  stream.on('data', (chunk: Uint8Array) => {
    if (size >= maxBytes) return;
    kept.push(chunk.subarray(0, maxBytes - size));
    size += Math.min(chunk.length, maxBytes - size);
  });
  stream.on('error', () => undefined);
  return () => new TextDecoder().decode(Buffer.concat(kept));
}
