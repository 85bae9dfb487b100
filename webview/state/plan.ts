import type { PlanItem } from '../protocol/state.ts';

/** `Plan: 2 of 5` */
export function planTitle(plan: readonly PlanItem[]): string {
  return `Plan: ${plan.filter(({ status }) => status === 'done').length} of ${plan.length}`;
}

export function activeItem(plan: readonly PlanItem[]): PlanItem | null {
  return plan.find(({ status }) => status === 'active') ?? null;
}

/** For a screen reader: how far it is, and what is being done. */
export function planText(plan: readonly PlanItem[]): string {
  const active = activeItem(plan);
  return `${planTitle(plan)} done.${active === null ? '' : ` Now: ${active.text}`}`;
}
