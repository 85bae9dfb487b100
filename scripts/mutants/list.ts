export interface Edit {
  readonly file: string;
  /** Stands in the file exactly once. */
  readonly find: string;
  readonly replace: string;
}

/** What one guard of the boundary is turned into; the line that it holds has to fail then. */
export interface Mutant {
  readonly line: string;
  readonly what: string;
  readonly edits: readonly Edit[];
  /** Parts of the paths of the tests that run. */
  readonly tests: readonly string[];
}

const edit = (file: string, find: string, replace: string): Edit => ({ file: `extension/${file}`, find, replace });
const pipeline = ['unit/pipeline/'];
const gate = ['unit/gate/'];

export const mutants: readonly Mutant[] = [
  { line: 'A2', what: 'a schema carries the whole definition', tests: ['unit/conformance/a.', 'unit/boundary/schema-of'], edits: [edit('boundary/schema-of.ts', ': { name, description, parameters: copy };', ': { ...definition, name, description, parameters: copy };')] },
  { line: 'A7', what: 'a tool without effects is registered', tests: ['unit/boundary/registry'], edits: [edit('boundary/registry.ts', 'Object.entries({ effects, execute })', 'Object.entries({ execute })')] },
  { line: 'B2', what: 'of two equal keys the last one counts', tests: ['unit/boundary/'], edits: [edit('boundary/strict-json.ts', 'if (Object.hasOwn(object, key)) this.fail', 'if (key.length < 0) this.fail')] },
  { line: 'B5', what: 'arguments that do not fit are run', tests: ['unit/pipeline/', 'contract/one-call'], edits: [edit('pipeline/call-in-hand.ts', 'if (violations.length > 0) throw', 'if (violations.length > 1000) throw')] },
  { line: 'D1', what: 'what no rule covers is allowed', tests: gate, edits: [edit('gate/decide.ts', "matched.length === 0 ? 'ask' :", "matched.length === 0 ? 'allow' :")] },
  { line: 'D2', what: 'a denial of the policy is not told as one', tests: pipeline, edits: [edit('pipeline/stages.ts', "if (verdict.decision === 'deny') throw deniedByPolicy(verdict);", '')] },
  { line: 'D3', what: 'the laxest rule decides', tests: gate, edits: [edit('gate/decide.ts', 'strictness[a] >= strictness[b] ? a : b', 'strictness[a] >= strictness[b] ? b : a')] },
  { line: 'D4', what: 'guards are not asked', tests: gate, edits: [edit('gate/decide.ts', 'for (const guard of guards) {', 'for (const guard of guards.slice(0, 0)) {')] },
  { line: 'D5', what: 'a rule that cannot be read allows', tests: gate, edits: [edit('gate/decide.ts', "decision === 'allow' && (placed.broken || !mayAllow(placed.level))", "decision === 'allow' && !mayAllow(placed.level)")] },
  { line: 'D6', what: 'a card is answered in the moment in which it appears', tests: gate, edits: [edit('gate/approvals.ts', 'if (shownAt === undefined || this.#parts.now() - shownAt < restMs)', 'if (shownAt === undefined)')] },
  { line: 'D7', what: 'an ask that nobody sees waits for ever', tests: gate, edits: [edit('gate/approvals.ts', "else close({ approval: 'unavailable', reason: '' });", 'else wait();')] },
  { line: 'D8', what: 'what became of an ask is not recorded', tests: pipeline, edits: [edit('pipeline/ask.ts', "host.log.append({ type: 'decided', call, digest, approval: answer.approval, reason: answer.reason });", '')] },
  { line: 'D9', what: 'an answer counts for the same call again', tests: pipeline, edits: [
    edit('pipeline/ask.ts', 'const answer = await answerOf(ask, context, host);', 'const answer = remembered.get(digest) ?? await answerOf(ask, context, host);\n  remembered.set(digest, answer);'),
    edit('pipeline/ask.ts', 'async function answerOf(', 'const remembered = new Map<string, Answer>();\n\nasync function answerOf('),
  ] },
  { line: 'D10', what: 'an answer after a cancel counts', tests: ['unit/conformance/d.'], edits: [edit('pipeline/stages.ts', 'context.signal.throwIfAborted();\n    const permit', 'const permit'), edit('pipeline/execute.ts', 'context.signal.throwIfAborted();', '')] },
  { line: 'D11', what: 'a permit is redeemed twice', tests: ['unit/gate/permit', 'unit/boundary/types'], edits: [edit('gate/permit.ts', 'ledger.delete(permit);', '')] },
  { line: 'D12', what: 'a policy that became stricter is not looked at again', tests: gate, edits: [edit('gate/permit.ts', 'if (now.decision !== verdict.decision &&', 'if (now.decision === verdict.decision &&')] },
  { line: 'D13', what: 'what was not signed is performed', tests: gate, edits: [edit('gate/run.ts', 'if (!remaining.delete(effect)) throw', 'if (remaining.size < 0) throw')] },
  { line: 'D14', what: 'characters that deceive stay as they are', tests: ['unit/chat/', 'unit/edits/', 'unit/webview/'], edits: [edit('edits/visible.ts', 'text.replace(deceptive,', 'text.replace(/(?!)/gu,')] },
  { line: 'D15', what: 'bytes that nobody has allowed to be read are quoted', tests: pipeline, edits: [edit('pipeline/look.ts', "if (verdict.decision === 'ask') this.#asked = true;", '')] },
  { line: 'D16', what: 'a tree is read with what is denied in it', tests: ['unit/gate/', 'unit/pipeline/'], edits: [edit('gate/decide.ts', 'Object.freeze([...policy.secrets, ...below.flatMap((placed) => absoluteGlobs(placed, policy.roots))])', 'Object.freeze([])')] },
  { line: 'E4', what: 'a deadline detaches the caller', tests: pipeline, edits: [edit('pipeline/execute.ts', 'AbortSignal.any([context.signal, deadline])', 'deadline')] },
  { line: 'E9', what: 'a body runs before its start is recorded', tests: pipeline, edits: [edit('pipeline/execute.ts', "host.log.append({ type: 'started', call, digest: permit.digest, revision: permit.revision, decidedBy: permit.decidedBy, effects: permit.effects });", '')] },
  { line: 'F4', what: 'what finishes first is recorded first', tests: ['unit/pipeline/schedule'], edits: [edit('pipeline/schedule.ts', 'await this.#recorded[at - 1]?.opened;\n    const outcome', 'const outcome')] },
  { line: 'F7', what: 'a failure of the pipeline leaves a call without a result', tests: ['unit/agent/'], edits: [edit('agent/step-calls.ts', 'settleRest(log, from, calls, () => unknownOutcome(error instanceof Error ? error.message : String(error)));', '')] },
  { line: 'F8', what: 'a write runs beside a read of the same file', tests: ['unit/pipeline/schedule'], edits: [edit('pipeline/overlap.ts', '(one.changes || other.changes) &&', 'one.paths.length < 0 &&')] },
  { line: 'I1', what: 'a record that was changed is taken', tests: ['unit/session/'], edits: [edit('session/read-log.ts', 'record.prev !== prev || record.hash !== hashOf(record)', 'record.prev !== prev')] },
  { line: 'I2', what: 'a call that had started is said not to have', tests: ['unit/session/'], edits: [edit('session/repair.ts', "result: state === 'started' ? outcomeUnknown : notStarted", 'result: notStarted')] },
];
