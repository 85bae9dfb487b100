import { mkdir, mkdtemp, readdir, readFile, readlink, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Answer, Ask } from '../../../extension/boundary/ask.ts';
import type { CallEvent, CallOutcome, IncomingCall, Origin } from '../../../extension/boundary/call.ts';
import type { RealPath } from '../../../extension/boundary/effect.ts';
import { CodedError } from '../../../extension/boundary/error-codes.ts';
import type { Json } from '../../../extension/boundary/json.ts';
import { createRegistry, type Registry } from '../../../extension/boundary/registry.ts';
import { createSchemaCompiler } from '../../../extension/boundary/schema-compiler.ts';
import type { ToolDefinition } from '../../../extension/boundary/tool-definition.ts';
import type { Approval } from '../../../extension/boundary/verdict.ts';
import { type ForeignFiles, noForeignFiles } from '../../../extension/files/foreign-files.ts';
import { MemoryKeptResults } from '../../../extension/files/kept-results.ts';
import { MemoryObjectStore } from '../../../extension/files/object-store.ts';
import { Observations } from '../../../extension/files/observations.ts';
import { noOpenDocuments } from '../../../extension/files/open-documents.ts';
import { Roots } from '../../../extension/files/roots.ts';
import { buildPolicy, type Policy, type PolicyLayer, type PolicySource } from '../../../extension/gate/policy.ts';
import type { PipelineHost } from '../../../extension/pipeline/host.ts';
import { createPipeline } from '../../../extension/pipeline/pipeline.ts';
import { EventLog } from '../../../extension/session/event-log.ts';
import { loggedNarration } from '../../../extension/session/narration.ts';
import type { SessionLog } from '../../../extension/session/records.ts';
import { registerBuiltInTools } from '../../../extension/tools/built-in.ts';

export type Files = Readonly<Record<string, string | Uint8Array>>;
type Answering = Approval | ((ask: Ask, signal: AbortSignal) => Answer | Promise<Answer>);

export interface SessionSetup {
  /** In the workspace; with several `folders`, a path begins with the folder's name. */
  readonly files?: Files;
  /** Beside the workspace. */
  readonly outside?: Files;
  /** Names of the workspace's folders; without it, the one folder `ws`. */
  readonly folders?: readonly string[];
  /** Folders off the disk that are open too, each by the last part of its path. */
  readonly foreign?: ForeignFiles;
  readonly policy?: Partial<PolicySource>;
  readonly tools?: readonly AnyTool[];
  /** Nobody answers where it is not given. */
  readonly answer?: Answering;
  readonly host?: Partial<PipelineHost>;
}

/** Whatever its arguments and value are. */
export type AnyTool = ToolDefinition<Json>;

export interface ProposeOptions {
  /** The model's, where it is not given. */
  readonly origin?: Origin;
  readonly signal?: AbortSignal;
  readonly cutOff?: boolean;
  readonly onEvent?: (event: CallEvent) => void;
}

export interface Session {
  readonly host: PipelineHost;
  readonly registry: Registry;
  readonly roots: Roots;
  readonly log: SessionLog;
  readonly asks: readonly Ask[];
  readonly events: readonly CallEvent[];
  /** The absolute path of a file in the workspace, or outside: `../outside/x`. */
  at(path: string): RealPath;
  setPolicy(source: Partial<PolicySource>): void;
  setAnswer(answer: Answering): void;
  propose(name: string, args: object | string, options?: ProposeOptions): Promise<CallOutcome>;
  /** Several calls in one step; the model's. */
  step(calls: readonly (readonly [name: string, args: object | string])[], options?: Pick<ProposeOptions, 'signal' | 'onEvent'>): Promise<readonly CallOutcome[]>;
  /** Reads a file by its tool, so that it may be edited. */
  read(path: string): Promise<void>;
  /** Every file and link in and beside the workspace, with its content. */
  world(): Promise<Readonly<Record<string, string>>>;
}

/** One session over a real temporary workspace. All of it is real but the person. */
export async function sessionHost(t: TestContext, setup: SessionSetup = {}): Promise<Session> {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'countersign-session-')));
  t.after(() => rm(base, { recursive: true, force: true }));
  const folders = setup.folders ?? ['ws'];
  for (const folder of [...folders, 'outside', 'home']) await mkdir(join(base, folder), { recursive: true });
  await makeFiles(setup.folders === undefined ? join(base, 'ws') : base, setup.files ?? {});
  await makeFiles(join(base, 'outside'), setup.outside ?? {});
  const { foreign = noForeignFiles } = setup;
  const onDisk = folders.map((name) => ({ name, path: join(base, name) }));
  const offDisk = foreign.folders.map((path) => ({ name: path.split('/').at(-1) ?? '', path }));
  const roots = await Roots.of([...onDisk, ...offDisk], join(base, 'home'), foreign);

  let policy = policyOf(setup.policy ?? {}, roots);
  let answer: Answering = setup.answer ?? 'unavailable';
  const asks: Ask[] = [];
  const events: CallEvent[] = [];
  const registry = createRegistry(createSchemaCompiler());
  registerBuiltInTools(registry);
  for (const tool of setup.tools ?? []) registry.register(tool);
  let names = 0;
  const host: PipelineHost = {
    registry, roots, policy: () => policy, guards: [], documents: noOpenDocuments, observations: new Observations(), objects: new MemoryObjectStore(), kept: new MemoryKeptResults((call) => loggedNarration(host.log.events, call)),
    log: EventLog.inMemory({ sessionId: 's', roots: roots.list.map(({ path }) => path) }, () => 0),
    approver: {
      ask: async (ask, signal) => {
        asks.push(ask);
        return typeof answer === 'string' ? { approval: answer, reason: '' } : answer(ask, signal);
      },
    },
    conversationOf: () => ({ ask: () => Promise.reject(new CodedError('ASK_UNAVAILABLE', 'Nobody is here.')) }),
    redact: (text) => text, random: () => `t${++names}`, dryRun: false, ...setup.host,
  };
  const pipeline = createPipeline(host);
  let calls = 0;

  const step: Session['step'] = (proposed, options) => run(proposed.map(([name, args]) => incoming(name, args)), 'model', options);
  const propose: Session['propose'] = async (name, args, { origin = 'model', cutOff = false, ...options } = {}) => {
    const [outcome] = await run([{ ...incoming(name, args), cutOff }], origin, options);
    if (outcome === undefined) throw new Error('The step gave no outcome.');
    return outcome;
  };

  function incoming(name: string, args: object | string): IncomingCall {
    calls += 1;
    return { call: `c${calls}`, id: `wire-${calls}`, name, arguments: typeof args === 'string' ? args : JSON.stringify(args), cutOff: false };
  }

  function run(given: readonly IncomingCall[], origin: Origin, { signal = new AbortController().signal, onEvent }: Pick<ProposeOptions, 'signal' | 'onEvent'> = {}): Promise<readonly CallOutcome[]> {
    recordProposals(host.log, given, calls, origin);
    return pipeline.runStep(given, {
      origin, signal,
      onEvent: (event) => {
        events.push(event);
        onEvent?.(event);
      },
    });
  }

  const [first] = roots.list;
  return {
    host, registry, roots, log: host.log, asks, events, propose, step,
    at: (path) => join(setup.folders === undefined ? (first?.path ?? base) : base, path) as RealPath,
    setPolicy: (source) => { policy = policyOf(source, roots); },
    setAnswer: (next) => { answer = next; },
    read: async (path) => {
      const { result } = await propose('read_file', { path });
      if (result?.isError !== false) throw new Error(`${path} could not be read: ${result?.error?.message}`);
    },
    world: () => everyFile(base),
  };
}

function policyOf(source: Partial<PolicySource>, roots: Roots): Policy {
  return buildPolicy({ mode: 'ask', layers: [], readableSecrets: [], ...source }, roots);
}

/** Rules at one level. */
export function layer(rules: unknown, level: PolicyLayer['level'] = 'user'): PolicyLayer {
  return { level, rules, place: (index) => `${level}[${index}]` };
}

/** As the agent writes them down before they run. A log that fails is the test's own doing. */
function recordProposals(log: SessionLog, given: readonly IncomingCall[], step: number, origin: Origin): void {
  const proposals = given.map(({ call, id, name, arguments: text }) => ({ call, id, name, arguments: text }));
  const [only] = proposals;
  try {
    if (origin === 'person' && only !== undefined) log.append({ type: 'person-call', proposal: only, of: null });
    else log.append({ type: 'assistant', turn: 't', step, text: '', finish: 'tool-calls', calls: proposals });
  } catch {
    // The calls will find the same.
  }
}

async function makeFiles(folder: string, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function everyFile(folder: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(folder.length + 1);
    if (entry.isDirectory()) found[`${name}/`] = '';
    else found[name] = entry.isSymbolicLink() ? `-> ${await readlink(path)}` : await readFile(path, 'latin1');
  }
  return found;
}
