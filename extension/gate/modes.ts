import type { Effect, EffectKind } from '../boundary/effect.ts';
import type { Decision } from '../boundary/verdict.ts';

export type Mode = 'ask' | 'plan';

export interface ModeRule {
  readonly effect: EffectKind;
  /** `workspace`: only for paths inside a workspace folder. */
  readonly where?: 'workspace';
  readonly decision: Decision;
  readonly reason: string;
}

const reading: readonly ModeRule[] = [
  { effect: 'read', where: 'workspace', decision: 'allow', reason: 'reading inside the workspace' },
  { effect: 'converse', decision: 'allow', reason: 'talking to the person' },
  { effect: 'process', decision: 'allow', reason: 'what this session started' },
];

const changing: readonly EffectKind[] = ['write', 'delete', 'move', 'run', 'fetch', 'mcp'];

/**
 * A mode is a rule set, and this is all of it. In *Ask*, that everything else asks is the absence of a rule: a user's own `allow`
 * can still do its work.
 */
export const modeRules: Readonly<Record<Mode, readonly ModeRule[]>> = {
  ask: reading,
  plan: [...reading, ...changing.map((effect): ModeRule => ({ effect, decision: 'deny', reason: 'mode Plan changes nothing; switch to Ask to carry the plan out' }))],
};

export function modeRuleMatches(rule: ModeRule, effect: Effect, inside: boolean): boolean {
  return rule.effect === effect.kind && (rule.where === undefined || inside);
}
