import type { ThinkingEffort } from './profile.ts';

/** What a request asks of the model's thinking. Without a field, the model does as it does by default. */
export interface ThinkingFields {
  readonly thinking?:
    | { readonly type: 'adaptive'; readonly display: 'summarized' }
    | { readonly type: 'enabled'; readonly budget_tokens: number }
    | { readonly type: 'disabled' | 'between_tools' };
  readonly output_config?: { readonly effort: 'low' | 'medium' | 'high' };
}

const budgets = { low: 4096, medium: 16_384, high: 32_768 };
const smallestBudget = 1024;

/**
 * How much a model is asked to think. From 4.6 on, a model decides that itself (`adaptive`), and `effort` guides it; a fixed
 * budget is refused from 4.7 on. Before 4.6, a budget is the only way: at most half of what an answer may have. How thinking is
 * turned off differs too: until 4.8 it is off unless asked for; later it is on, and each model has its own word for off, or none.
 * A model that has none thinks as little as it can. A name that is not Claude's gets what the newest models get.
 *
 * Followed: platform.claude.com/docs/en/build-with-claude/thinking-troubleshooting (the table of models) and …/effort.
 */
export function thinkingFieldsOf(model: string, effort: ThinkingEffort, outputTokens: number): ThinkingFields {
  const known = modelOf(model);
  const isEarly = known !== null && known.version < 4.6;
  if (effort === 'off') return isEarly || known === null || known.version < 5 ? {} : withoutThinking(known);
  if (!isEarly) return { thinking: { type: 'adaptive', display: 'summarized' }, output_config: { effort } };
  const budget = Math.min(budgets[effort], Math.floor(outputTokens / 2));
  return known.version < 3.7 || budget < smallestBudget ? {} : { thinking: { type: 'enabled', budget_tokens: budget } };
}

function withoutThinking({ line, version }: KnownModel): ThinkingFields {
  switch (`${line} ${version}`) {
    case 'opus 5':
    case 'sonnet 5':
    case 'haiku 5.5': return { thinking: { type: 'disabled' } };
    case 'sonnet 5.5': return { thinking: { type: 'between_tools' } };
    default: return { output_config: { effort: 'low' } };
  }
}

interface KnownModel {
  readonly line: string;
  readonly version: number;
}

/** `claude-sonnet-4-5-20250929` is sonnet 4.5, and so is `anthropic/claude-sonnet-4.5`; `claude-3-7-sonnet-latest` is sonnet 3.7. */
function modelOf(name: string): KnownModel | null {
  const match = /claude-(?:(?<line>[a-z]+)-)?(?<major>\d)(?:[-.](?<minor>\d))?(?!\d)(?:-(?<after>[a-z]+))?/i.exec(name);
  if (match?.groups === undefined) return null;
  const { line, major, minor, after } = match.groups;
  return { line: (line ?? after ?? '').toLowerCase(), version: Number(`${major}.${minor ?? 0}`) };
}
