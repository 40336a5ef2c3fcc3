import type { NextStep } from '../../catalogue/next_steps.ts';

/** A suggestion that leads to an endpoint which is no tool. */
export const freeStep = (
  endpoint: string,
  action: string,
  why: string,
  params?: Record<string, unknown>,
): NextStep => ({ action, cost: 'free', endpoint, why, ...(params && { params }) });

export const FREE_COST = { credit: 0, usd: 0, note: 'This call is free.' };
