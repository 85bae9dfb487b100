import type { ChosenModel } from './chosen-model.ts';

export type ThinkingConfig =
  | { readonly includeThoughts: true; readonly thinkingLevel: string }
  | { readonly includeThoughts: true; readonly thinkingBudget: number }
  | { readonly thinkingBudget: 0 };

/**
 * How a model is told to think, as https://ai.google.dev/gemini-api/docs/generate-content/thinking has it: a level from
 * Gemini 3 on, tokens for 2.5. Only 2.5 Flash can be told not to; for others `off` says nothing. null: not a word of it is sent.
 */
export function thinkingConfigOf({ model, thinking, capabilities }: ChosenModel): ThinkingConfig | null {
  if (!capabilities.thinking) return null;
  const countsTokens = /gemini-2\.5/.test(model);
  switch (thinking) {
    case 'off': return countsTokens && model.includes('flash') ? { thinkingBudget: 0 } : null;
    case 'low': return countsTokens ? { includeThoughts: true, thinkingBudget: 1024 } : { includeThoughts: true, thinkingLevel: 'low' };
    // The first 3 Pro has no level between the two.
    case 'medium': return countsTokens ? { includeThoughts: true, thinkingBudget: 8192 } : { includeThoughts: true, thinkingLevel: /gemini-3-pro/.test(model) ? 'high' : 'medium' };
    case 'high': return countsTokens ? { includeThoughts: true, thinkingBudget: 24_576 } : { includeThoughts: true, thinkingLevel: 'high' };
  }
}

/** From Gemini 3 on, the first call of each step in the running turn must be signed. */
export function wantsSignatures(model: string): boolean {
  return /gemini/.test(model) && !/gemini-[12][.\d]*/.test(model);
}
