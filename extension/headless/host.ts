import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { Approver } from '../boundary/ask.ts';
import { CodedError } from '../boundary/error-codes.ts';
import { createRegistry } from '../boundary/registry.ts';
import { FileKeptResults, type KeptResults, MemoryKeptResults } from '../files/kept-results.ts';
import { FileObjectStore, MemoryObjectStore } from '../files/object-store.ts';
import { Observations } from '../files/observations.ts';
import { noOpenDocuments } from '../files/open-documents.ts';
import type { Roots } from '../files/roots.ts';
import type { Policy } from '../gate/policy.ts';
import type { PipelineHost } from '../pipeline/host.ts';
import { loggedNarration } from '../session/narration.ts';
import type { SessionLog } from '../session/records.ts';
import { registerBuiltInTools } from '../tools/built-in.ts';
import { compiledAhead } from '../tools/compiled-schemas.ts';
import type { AnswerPolicy, RunOptions } from './options.ts';

/** The parts of a session without an editor: asks are answered by an option, questions by nobody. */
export function hostOf(options: RunOptions, roots: Roots, policy: Policy, log: SessionLog): PipelineHost {
  const random = (): string => randomBytes(8).toString('hex');
  const registry = createRegistry(compiledAhead);
  registerBuiltInTools(registry);
  return {
    registry, roots, log, policy: () => policy, guards: [], approver: answering(options.answer), documents: noOpenDocuments, observations: new Observations(),
    objects: options.state === null ? new MemoryObjectStore() : new FileObjectStore(join(resolve(options.state), 'objects'), random),
    kept: keptResultsOf(options, log),
    conversationOf: () => ({ ask: () => Promise.reject(new CodedError('ASK_UNAVAILABLE', 'Nobody is here to be asked. Go on without the answer, on what you know.')) }),
    redact: (text) => text, random, dryRun: options.dryRun,
  };
}

/** Calls of one run have the keys of every other's, so each session has a folder of its own. */
function keptResultsOf({ state, dryRun }: RunOptions, log: SessionLog): KeptResults {
  const logged = (call: string): string | null => loggedNarration(log.events, call);
  const [first] = log.events;
  if (state === null || dryRun || first?.type !== 'session') return new MemoryKeptResults(logged);
  return new FileKeptResults(join(resolve(state), 'results', first.sessionId), logged);
}

function answering(answer: AnswerPolicy): Approver {
  const approval = ({ allow: 'allowed', deny: 'denied', 'ask-is-deny': 'unavailable' } as const)[answer];
  return { ask: () => Promise.resolve({ approval, reason: '' }) };
}
