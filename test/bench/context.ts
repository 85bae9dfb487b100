import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createAgent } from '../../extension/agent/loop.ts';
import type { ContextUse } from '../../extension/agent/events.ts';
import { systemPromptOf } from '../../extension/agent/system-prompt.ts';
import { createRegistry } from '../../extension/boundary/registry.ts';
import { FileKeptResults } from '../../extension/files/kept-results.ts';
import { MemoryObjectStore } from '../../extension/files/object-store.ts';
import { noOpenDocuments } from '../../extension/files/open-documents.ts';
import { Observations } from '../../extension/files/observations.ts';
import { Roots } from '../../extension/files/roots.ts';
import { buildPolicy } from '../../extension/gate/policy.ts';
import { createPipeline } from '../../extension/pipeline/pipeline.ts';
import { EventLog } from '../../extension/session/event-log.ts';
import { loggedNarration } from '../../extension/session/narration.ts';
import type { LogEvent } from '../../extension/session/records.ts';
import { registerBuiltInTools } from '../../extension/tools/built-in.ts';
import { compiledAhead } from '../../extension/tools/compiled-schemas.ts';
import { endOnSignal } from '../../scripts/end-on-signal.ts';
import { temporaryFolder } from '../../scripts/temporary-folder.ts';
import { call, propose, say, type Reply } from '../model-server/replies.ts';
import { startModelServer, type ReceivedRequest } from '../model-server/server.ts';
import { clientOf } from '../unit/model/clients.ts';
import { atLeast, atMost, median, type Goal } from './parts/goals.ts';

const steps = 400;
const resultBytes = 3 * 1024 * 1024;
/** As the server counts them. */
const bytesPerToken = 4;
/** Every so many steps the model writes a file, every so many it reads one that is cut; else it reads one. */
const writesEvery = 10;
const readsLargeEvery = 25;

interface ContextReport {
  readonly context128k: SessionReport;
  /** The same session with a model of a quarter of that: it has to be summed up, too. The goals for the cache are not for it. */
  readonly context32k: Omit<SessionReport, 'prefixShareMean' | 'prefixShareMedian' | 'prefixShareOfOrdinarySteps'>;
}

interface SessionReport {
  readonly steps: number;
  readonly resultMegabytes: Goal;
  readonly ended: readonly string[];
  readonly errors: Goal;
  readonly refusedAsTooLong: Goal;
  readonly requests: number;
  /** By the server's own count. */
  readonly largestRequestTokens: Goal;
  readonly folds: number;
  readonly foldedResults: number;
  readonly summaries: number;
  /** Of each request's bytes, the share that is the beginning of the one before it. */
  readonly prefixShareMean: Goal;
  readonly prefixShareMedian: Goal;
  /** Of steps before which nothing was folded or summed up. */
  readonly prefixShareOfOrdinarySteps: Goal;
  /** Our estimate of the last request, and what the server counted. */
  readonly estimateOff: Goal;
  readonly stepMsAtStart: number;
  readonly stepMsAtEnd: number;
  readonly growth: Goal;
}

/** A long session by the real loop, pipeline, files and protocol, against a server that refuses what is longer than the model's context. */
export async function benchContext(): Promise<ContextReport> {
  const { prefixShareMean: _mean, prefixShareMedian: _median, prefixShareOfOrdinarySteps: _ordinary, ...context32k } = await inFolder((home) => runSession(home, 32_000));
  return { context128k: await inFolder((home) => runSession(home, 128_000)), context32k };
}

async function inFolder<T>(work: (home: string) => Promise<T>): Promise<T> {
  const home = await temporaryFolder('bench');
  try {
    return await work(await realpath(home.path));
  } finally {
    await home.remove();
  }
}

async function runSession(home: string, contextTokens: number): Promise<SessionReport> {
  const workspace = join(home, 'workspace');
  await writeFiles(workspace);
  const refused: number[] = [];
  let proposed = 0;
  const server = await startModelServer((request) => {
    const tokens = Math.ceil(Buffer.byteLength(request.raw) / bytesPerToken);
    if (tokens > contextTokens) {
      refused.push(tokens);
      return tooLong(tokens, contextTokens);
    }
    const usage = { input: tokens, output: 100 };
    if (asksForSummary(request)) return { ...say(summary), usage };
    return proposed < steps ? { ...stepReply(proposed++), usage } : { ...say('Done.'), usage };
  });
  const log = EventLog.create(join(home, 'session.jsonl'), { sessionId: 'bench', roots: [workspace] });
  try {
    const uses: ContextUse[] = [];
    const agent = await agentOf({ home, workspace, log, contextTokens, baseUrl: server.baseUrl, onUse: (use) => uses.push(use) });
    agent.send({ text: 'Read the whole package and write down, file by file, what it does.', images: [] }, 'next-step');
    await agent.settled();
    return reportOf(log.events, server.requests, refused.length, uses, contextTokens);
  } finally {
    log.close();
    await server.close();
  }
}

interface BenchSession {
  readonly home: string;
  readonly workspace: string;
  readonly log: EventLog;
  readonly contextTokens: number;
  readonly baseUrl: string;
  readonly onUse: (use: ContextUse) => void;
}

async function agentOf({ home, workspace, log, contextTokens, baseUrl, onUse }: BenchSession): Promise<ReturnType<typeof createAgent>> {
  const roots = await Roots.of([{ name: 'workspace', path: workspace }]);
  const policy = buildPolicy({ mode: 'ask', layers: [{ level: 'user', rules: [{ effect: 'write', decision: 'allow' }], place: (index) => `user[${index}]` }], readableSecrets: [] }, roots);
  const registry = createRegistry(compiledAhead);
  registerBuiltInTools(registry);
  let names = 0;
  const pipeline = createPipeline({
    registry, roots, policy: () => policy, guards: [], documents: noOpenDocuments, observations: new Observations(), objects: new MemoryObjectStore(),
    kept: new FileKeptResults(join(home, 'results'), (key) => loggedNarration(log.events, key)), log,
    approver: { ask: () => Promise.resolve({ approval: 'unavailable', reason: '' }) },
    conversationOf: () => ({ ask: () => Promise.reject(new Error('nobody is here')) }),
    redact: (text) => text, random: () => `t${++names}`, dryRun: false,
  });
  const client = clientOf(baseUrl, { capabilities: { images: false, parallelCalls: true, thinking: false, contextTokens, outputTokens: contextTokens / 16 } });
  let ids = 0;
  return createAgent({
    log, pipeline, client: () => client, schemas: () => registry.schemas(), systemPrompt: () => systemPromptOf(['workspace']), sleep: () => Promise.resolve(), random: () => 0,
    newId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, '0')}`, stepLimit: () => 2 * steps,
    onEvent: (event) => { if (event.type === 'context') onUse(event.context); },
  });
}

/** Files of 9 kB, such as source code has, and one that is larger than a result may be. */
async function writeFiles(workspace: string): Promise<void> {
  await mkdir(join(workspace, 'src'), { recursive: true });
  for (let n = 0; n < 40; n++) await writeFile(join(workspace, 'src', `part-${n}.ts`), linesOf(n, 145));
  await writeFile(join(workspace, 'large.txt'), linesOf(0, 6000));
}

function linesOf(seed: number, count: number): string {
  return Array.from({ length: count }, (_, line) => `export const value${seed}_${line} = compute("${(seed * 7919 + line * 104729) % 1_000_003}", ${line});\n`).join('');
}

function stepReply(n: number): Reply {
  if (n % readsLargeEvery === readsLargeEvery - 1) return propose(call('search_text', { query: 'compute', contextLines: 2 }));
  if (n % writesEvery === writesEvery - 1) return propose(call('write_file', { path: `notes/note-${n}.md`, content: `Note ${n}\n${'What was found here matters later on.\n'.repeat(20)}` }));
  return { ...propose(call('read_file', { path: `src/part-${n % 40}.ts` })), text: `I read part ${n % 40} next.` };
}

const summary = `The package has forty parts; each exports computed values. ${'A part was read and its values were noted. '.repeat(60)}`;

function asksForSummary({ raw }: ReceivedRequest): boolean {
  return raw.slice(-3000).includes('Your context is nearly full.');
}

function tooLong(tokens: number, contextTokens: number): Reply {
  const message = `This model's maximum context length is ${contextTokens} tokens. However, your messages resulted in ${tokens} tokens.`;
  return { kind: 'error', status: 400, body: { error: { message, type: 'invalid_request_error', param: 'messages', code: 'context_length_exceeded' } } };
}

function reportOf(events: readonly LogEvent[], requests: readonly ReceivedRequest[], refused: number, uses: readonly ContextUse[], contextTokens: number): SessionReport {
  const bodies = requests.map(({ raw }) => Buffer.from(raw));
  const shares = bodies.slice(1).map((body, n) => commonPrefix(bodies[n] ?? Buffer.alloc(0), body) / body.length);
  const results = events.flatMap((event) => (event.type === 'settled' ? [event.result] : []));
  const folds = events.flatMap((event) => (event.type === 'folded' ? [event.calls.length] : []));
  const summaries = events.filter(({ type }) => type === 'summarised').length;
  const changed = changedRequests(events);
  const ordinary = shares.filter((_share, n) => !changed.has(n + 1));
  const times = requests.slice(1).map(({ at }, n) => at - (requests[n]?.at ?? at));
  const [atStart, atEnd] = [mean(times.slice(20, 60)), mean(times.slice(-40))];
  const last = (bodies.at(-1)?.length ?? 0) / bytesPerToken;
  return {
    steps: events.filter(({ type }) => type === 'assistant').length,
    resultMegabytes: atLeast(resultBytes / 1024 / 1024, results.reduce((sum, { content }) => sum + content.reduce((size, { text }) => size + Buffer.byteLength(text), 0), 0) / 1024 / 1024),
    ended: events.flatMap((event) => (event.type === 'turn-ended' ? [`${event.end} ${event.message}`.trim()] : [])),
    errors: atMost(0, results.filter(({ isError }) => isError).length + events.filter((event) => event.type === 'turn-ended' && event.end !== 'answered').length),
    refusedAsTooLong: atMost(0, refused),
    requests: requests.length,
    largestRequestTokens: atMost(contextTokens, Math.max(...bodies.map(({ length }) => length / bytesPerToken))),
    folds: folds.length, foldedResults: folds.reduce((sum, count) => sum + count, 0), summaries,
    prefixShareMean: atLeast(0.9, mean(shares)), prefixShareMedian: atLeast(0.9, median(shares)), prefixShareOfOrdinarySteps: atLeast(0.9, mean(ordinary)),
    estimateOff: atMost(0.1, Math.abs((uses.at(-1)?.used ?? 0) - last) / last),
    stepMsAtStart: Math.round(atStart), stepMsAtEnd: Math.round(atEnd), growth: atMost(3, atEnd / atStart),
  };
}

/** Requests before which something was folded or summed up, and those that asked for a summary, counted from 0. */
function changedRequests(events: readonly LogEvent[]): ReadonlySet<number> {
  const changed = new Set<number>();
  let request = 0;
  for (const { type } of events) {
    if (type === 'assistant') request += 1;
    if (type === 'folded') changed.add(request);
    if (type === 'summarised') changed.add(request).add(++request);
  }
  return changed;
}

function commonPrefix(a: Buffer, b: Buffer): number {
  const end = Math.min(a.length, b.length);
  let at = 0;
  while (at < end && a[at] === b[at]) at += 1;
  return at;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

if (process.argv[1] === import.meta.filename) {
  endOnSignal();
  console.log(JSON.stringify(await benchContext(), null, 2));
}
