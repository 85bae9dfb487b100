import type { ContextMeter } from '../protocol/state.ts';

export interface Fill {
  /** Of the limit; over 1 where more is used than fits. */
  readonly share: number;
  readonly level: 'calm' | 'high' | 'full';
}

export function fillOf({ used, limit }: ContextMeter): Fill {
  const share = limit === 0 ? (used === 0 ? 0 : 1) : used / limit;
  return { share, level: share >= 0.95 ? 'full' : share >= 0.8 ? 'high' : 'calm' };
}

/** `37 %`; what is there at all is never said to be nothing. */
export function percent(share: number): string {
  return share > 0 && share < 0.01 ? '< 1 %' : `${Math.round(share * 100)} %`;
}

export function tokens(count: number): string {
  return count.toLocaleString('en');
}
