import type { NextStep } from '../../catalog/next_steps.ts';

/** A suggestion to call an endpoint that is not a tool. */
export const freeStep = (
  endpoint: string,
  action: string,
  why: string,
  params?: Record<string, unknown>,
): NextStep => ({ action, cost: 'free', endpoint, why, ...(params && { params }) });

/** The suggestion to create a key for an agent. */
export const makeKey = (why: string): NextStep =>
  freeStep('POST /api/wallet/keys', 'Create a key', why, {
    name: 'my agent',
    scopes: ['spend'],
    max_credits_per_day: 10,
  });

export const FREE_COST = { credit: 0, usd: 0, note: 'This call is free.' };
