import { mkdtemp, rm, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { CallOutcome, IncomingCall } from '../boundary/call.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { realPathOf } from '../files/real-path.ts';
import { Roots } from '../files/roots.ts';
import { errorResult } from '../pipeline/error-result.ts';
import { createPipeline } from '../pipeline/pipeline.ts';
import type { Pipeline } from '../pipeline/step.ts';
import { EventLog } from '../session/event-log.ts';
import type { LoggedProposal } from '../session/records.ts';
import { hostOf } from './host.ts';
import { type BadLine, linesOf } from './lines.ts';
import { type RunOptions, UnusableOptions } from './options.ts';
import { policyOf } from './policy.ts';
import { readProposalLine } from './proposal-line.ts';

const turn = 'headless';

/** Reads proposals to the end of input; prints one line a call, in the order proposed. Throws UnusableOptions before it has read any. */
export async function runProposals(options: RunOptions, stdin: AsyncIterable<Uint8Array | string>, print: (line: string) => Promise<void>, say: (message: string) => void): Promise<void> {
  const roots = await rootsOf(options.workspaces);
  const policy = await policyOf(options, roots);
  for (const { place, message } of policy.problems) say(`${place}: ${message}`);
  await refuseInside(options, roots);
  const temporary = options.log === null ? await mkdtemp(join(tmpdir(), 'countersign-')) : null;
  const log = openLog(temporary === null ? resolve(options.log ?? '') : join(temporary, 'session.jsonl'), roots);
  try {
    const pipeline = createPipeline(hostOf(options, roots, policy, log));
    const step = numbered();
    for await (const line of linesOf(stdin)) {
      if (typeof line === 'string' && line.trim() === '') continue;
      for (const outcome of await runLine(line, step(), log, pipeline)) await print(JSON.stringify(outcome));
    }
  } finally {
    log.close();
    if (temporary !== null) await rm(temporary, { recursive: true, force: true });
  }
}

type Printed = ReturnType<typeof printed> | ReturnType<typeof printedFault>;

async function runLine(line: string | BadLine, step: number, log: EventLog, pipeline: Pipeline): Promise<readonly Printed[]> {
  if (typeof line !== 'string') return [printedFault(line.fault)];
  const read = readProposalLine(line);
  const incoming = read.map((call, index): IncomingCall | { readonly fault: string } => ('fault' in call ? call : { ...call, call: `s${step}.${index + 1}` }));
  const calls = incoming.flatMap((call) => ('fault' in call ? [] : [call]));
  if (calls.length === 0) return incoming.map((call) => printedFault('fault' in call ? call.fault : ''));
  try {
    log.append({ type: 'assistant', turn, step, text: '', finish: 'tool-calls', calls: calls.map(logged) });
  } catch (error) {
    const result = errorResult(error, 'LOG_UNAVAILABLE');
    return incoming.map((call) => ('fault' in call ? printedFault(call.fault) : { id: call.id, name: call.name, verdict: null, effects: [], claims: [], approval: null, result }));
  }
  const outcomes = await pipeline.runStep(calls, { origin: 'model', signal: new AbortController().signal, onEvent: () => undefined });
  const byCall = new Map(outcomes.map((outcome) => [outcome.call, outcome]));
  return incoming.map((call) => {
    if ('fault' in call) return printedFault(call.fault);
    const outcome = byCall.get(call.call);
    return outcome === undefined ? printedFault('The call was lost.') : printed(outcome);
  });
}

function printed(outcome: CallOutcome) {
  const { id, name, verdict, effects, claims, approval, result } = outcome;
  return {
    id, name, verdict: verdict === null ? null : { decision: verdict.decision, decidedBy: verdict.decidedBy, reason: verdict.reason, rules: verdict.rules },
    effects, claims, approval,
    result: result === null ? null : { isError: result.isError, content: result.content, error: result.error },
  };
}

function printedFault(message: string) {
  const { isError, content, error } = errorResult(new CodedError('INVALID_PROPOSAL', message));
  return { id: null, name: null, verdict: null, effects: [], claims: [], approval: null, result: { isError, content, error } };
}

const longestLogged = 64 * 1024;

function logged({ call, id, name, arguments: text }: IncomingCall): LoggedProposal {
  return { call, id: id.toWellFormed(), name: name.slice(0, 1000).toWellFormed(), arguments: text.slice(0, 1024 * 1024 + longestLogged).toWellFormed() };
}

async function rootsOf(folders: readonly string[]): Promise<Roots> {
  try {
    for (const folder of folders) if (folder === '' || !(await stat(folder)).isDirectory()) throw new UnusableOptions(`--workspace ${folder} is no folder.`);
    return await Roots.of(folders.map((folder) => ({ name: basename(resolve(folder)), path: resolve(folder) })));
  } catch (error) {
    throw new UnusableOptions(error instanceof Error ? error.message : String(error));
  }
}

/** The log and the state are not the workspace's to change. */
async function refuseInside({ log, state }: RunOptions, roots: Roots): Promise<void> {
  const places = [{ what: '--log', path: log }, { what: '--state', path: state }, { what: 'the temporary folder, where the log goes without --log,', path: log === null ? tmpdir() : null }];
  for (const { what, path } of places) {
    if (path !== null && roots.rootOf(await realPlace(what, path)) !== null) throw new UnusableOptions(`${what} ${path} lies inside the workspace; it must not.`);
  }
}

async function realPlace(what: string, path: string): Promise<string> {
  try {
    return await realPathOf(resolve(path));
  } catch (error) {
    throw new UnusableOptions(`${what} ${path} cannot be used: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function openLog(file: string, roots: Roots): EventLog {
  try {
    return EventLog.create(file, { sessionId: randomUUID(), roots: roots.list.map(({ path }) => path) });
  } catch (error) {
    throw new UnusableOptions(error instanceof Error ? error.message : String(error));
  }
}

function numbered(): () => number {
  let number = 0;
  return () => ++number;
}
