import type { Effect, Glob, RealPath } from '../boundary/effect.ts';
import { inWords } from '../boundary/in-words.ts';
import type { Json } from '../boundary/json.ts';
import { isResultPath } from '../boundary/result-path.ts';
import type { Decision, MatchedRule, Verdict } from '../boundary/verdict.ts';
import { type Facts, noFacts } from './facts.ts';
import { absoluteGlobs, lastMatch, pathsOf, ruleMatchesPath } from './match.ts';
import { modeRuleMatches, modeRules } from './modes.ts';
import { mayAllow, type Policy } from './policy.ts';
import { ownPolicy, protectedReason } from './protections.ts';
import type { PlacedRule } from './rule.ts';

export interface Question {
  readonly tool: string;
  readonly arguments: Json;
  readonly effects: readonly Effect[];
  readonly claims: readonly Effect[];
}

/** Looks at a call after the rules and can only deny: gives a reason, or null. One that throws denies. */
export type Guard = (question: Question) => string | null;

const strictness: Readonly<Record<Decision, number>> = { allow: 0, ask: 1, deny: 2 };
export function stricter(a: Decision, b: Decision): Decision {
  return strictness[a] >= strictness[b] ? a : b;
}

/**
 * What the policy says of a call: deny over ask over allow, whatever the order of the rules, and as strict as the strictest effect
 * or claim. There is no default allow: an effect that no rule matches asks.
 */
export function decide(question: Question, policy: Policy, facts: Facts, guards: readonly Guard[] = []): Verdict {
  const rules: MatchedRule[] = [];
  let decision: Decision = 'allow';
  let unmatched: Effect | null = null;
  for (const effect of [...question.effects, ...question.claims]) {
    const matched = matchesOf(effect, question.tool, policy, facts);
    rules.push(...matched);
    if (matched.length === 0) unmatched ??= effect;
    decision = stricter(decision, matched.length === 0 ? 'ask' : matched.map((rule) => rule.decision).reduce(stricter));
  }
  if (question.effects.length === 0) decision = 'deny';
  for (const guard of guards) {
    const reason = guarded(guard, question);
    if (reason === null) continue;
    decision = 'deny';
    rules.push({ level: 'built-in', place: 'built-in: guard', decision: 'deny', reason, matched: question.tool });
  }
  const deciding = rules.find((rule) => rule.decision === decision);
  if (deciding === undefined) {
    return { decision, decidedBy: 'no rule', reason: unmatched === null ? 'the call has no effects' : `no rule covers ${inWords(unmatched)}`, rules, revision: policy.revision };
  }
  return { decision, decidedBy: deciding.place, reason: deciding.reason, rules, revision: policy.revision };
}

/** What the policy says of looking at a path on behalf of a call: a look is a read like any other. */
export function judgeLook(path: RealPath, call: Pick<Question, 'tool' | 'arguments'>, policy: Policy, guards: readonly Guard[]): { readonly effect: Effect; readonly verdict: Verdict } {
  const effect: Effect = Object.freeze({ kind: 'read', path, extent: 'file', except: [] });
  return { effect, verdict: decide({ tool: call.tool, arguments: call.arguments, effects: [effect], claims: [] }, policy, noFacts, guards) };
}

/** Every rule that speaks of one effect, the least trusting levels' among them, in the order: built-in, people's, mode. */
function matchesOf(effect: Effect, tool: string, policy: Policy, facts: Facts): MatchedRule[] {
  const matched = inWords(effect);
  const rules: MatchedRule[] = builtIn(effect, policy, facts).map((rule) => ({ ...rule, level: 'built-in', matched }));
  for (const placed of policy.rules) {
    if (!personRuleMatches(placed, effect, tool, policy)) continue;
    const { decision } = placed.rule;
    if (decision === 'allow' && (placed.broken || !mayAllow(placed.level))) continue;
    rules.push({ level: placed.level, place: placed.place, decision, reason: placed.rule.reason ?? inWordsOf(placed), matched });
  }
  const inside = pathsOf(effect).every((path) => policy.roots.rootOf(path) !== null);
  modeRules[policy.mode].forEach((rule) => {
    if (modeRuleMatches(rule, effect, inside)) rules.push({ level: 'mode', place: `mode ${policy.mode === 'ask' ? 'Ask' : 'Plan'}`, decision: rule.decision, reason: rule.reason, matched });
  });
  return rules;
}

function personRuleMatches(placed: PlacedRule, effect: Effect, tool: string, policy: Policy): boolean {
  const { rule } = placed;
  if (rule.effect !== undefined && rule.effect !== effect.kind) return false;
  if (rule.tool !== undefined && rule.tool !== tool) return false;
  if (rule.path === undefined) return true;
  // What cannot be evaluated is taken for a match, also by an effect without a path; `allow` never counts then.
  if (placed.broken && placed.glob === null) return true;
  const paths = pathsOf(effect);
  const matching = paths.filter((path) => ruleMatchesPath(placed, path, policy.roots));
  // Of a call with several paths, `allow` must cover each; one is enough to ask or deny.
  return rule.decision === 'allow' ? paths.length > 0 && matching.length === paths.length : matching.length > 0;
}

function builtIn(effect: Effect, policy: Policy, facts: Facts): Omit<MatchedRule, 'level' | 'matched'>[] {
  const rules: Omit<MatchedRule, 'level' | 'matched'>[] = [];
  const add = (name: string, decision: Decision, reason: string): void => void rules.push({ place: `built-in: ${name}`, decision, reason });
  for (const path of pathsOf(effect)) {
    // What the model was given before, whole: no path of any disk.
    if (effect.kind === 'read' && isResultPath(path)) {
      add('results', 'allow', 'it is a result of this session');
      continue;
    }
    if (effect.kind === 'read' && lastMatch(policy.secrets, path) !== null) {
      add('secrets', 'deny', 'it looks like a secret; the setting countersign.policy.readableSecrets can name files that may be read');
    }
    if (policy.roots.rootOf(path) === null) add('outside', 'ask', 'it lies outside the workspace');
    if (effect.kind !== 'write' && effect.kind !== 'delete' && effect.kind !== 'move') continue;
    const reason = policy.ownFiles.has(path) ? ownPolicy : protectedReason(path);
    if (reason !== null) add('protected', 'ask', `it is protected: ${reason}`);
    const links = facts.hardLinks.get(path);
    if (links !== undefined) add('hard links', 'ask', `the file has ${links} names; the others may lie anywhere, and keep the old content`);
    if (facts.scriptChanges.has(path)) add('scripts', 'ask', 'it changes the scripts of package.json, which people and tools run');
  }
  return rules;
}

/** The effect as it will be signed: a tree read carries what the deny and ask rules below it leave out. */
export function completeEffect(effect: Effect, tool: string, policy: Policy): Effect {
  if (effect.kind !== 'read' || effect.extent !== 'tree') return effect;
  const { path } = effect;
  // A rule that speaks of the root itself decides the call as a whole, and leaves nothing out.
  const below = policy.rules.filter((placed) =>
    placed.rule.decision !== 'allow' && placed.rule.path !== undefined && (placed.rule.effect === undefined || placed.rule.effect === 'read')
    && (placed.rule.tool === undefined || placed.rule.tool === tool) && !ruleMatchesPath(placed, path, policy.roots));
  const except: readonly Glob[] = Object.freeze([...policy.secrets, ...below.flatMap((placed) => absoluteGlobs(placed, policy.roots))]);
  return Object.freeze({ ...effect, except });
}

function guarded(guard: Guard, question: Question): string | null {
  try {
    return guard(question)?.toWellFormed() ?? null;
  } catch (error) {
    return `a guard failed, and what cannot be checked is denied${error instanceof Error ? `: ${error.message.toWellFormed()}` : ''}`;
  }
}

function inWordsOf(placed: PlacedRule): string {
  const { effect, tool, path, decision } = placed.rule;
  return [decision, effect, tool, path].filter((part) => part !== undefined).join(' ');
}
