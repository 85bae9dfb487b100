export type Decision = 'allow' | 'ask' | 'deny';
export type Level = 'built-in' | 'mode' | 'organisation' | 'user' | 'workspace' | 'folder' | 'session';

/** A rule that matched one effect, with where it stands. */
export interface MatchedRule {
  readonly level: Level;
  /** Where the rule can be found: `built-in: secrets`, `mode Ask`, `countersign.policy.rules[2]`, `policy.json rules[0]`. */
  readonly place: string;
  readonly decision: Decision;
  readonly reason: string;
  /** What it matched, in words: `write /w/a.ts`. */
  readonly matched: string;
}

/** What the gate says of a call, and why. */
export interface Verdict {
  readonly decision: Decision;
  /** The place of the rule that decided, or `no rule` where none matched. */
  readonly decidedBy: string;
  /** For a person: one sentence. */
  readonly reason: string;
  readonly rules: readonly MatchedRule[];
  /** The policy that was in force. */
  readonly revision: string;
}

/** A person's (or a script's) answer to an ask. */
export type Approval = 'allowed' | 'denied' | 'unavailable' | 'dismissed' | 'cancelled';
