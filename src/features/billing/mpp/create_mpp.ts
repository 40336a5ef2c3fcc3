import type { Config } from '../../../config/config.ts';
import type { TakesCards } from '../types.ts';
import { createMpp, type Mpp } from './mpp.ts';

/**
 * Undefined where payment tokens cannot be charged: only Stripe supports them, and only for a business with a profile.
 * @throws Error naming what is missing
 */
export function openMpp(
  { STRIPE_PROFILE_ID: profileId }: Config,
  { publicUrl, secret, takes }: { publicUrl: string; secret: string; takes: TakesCards | undefined },
): Mpp | undefined {
  if (profileId === undefined) return undefined;
  if (takes?.processor !== 'stripe') {
    throw new Error('STRIPE_PROFILE_ID requires Stripe: set STRIPE_SECRET_KEY, or unset STRIPE_PROFILE_ID.');
  }
  return createMpp({ realm: new URL(publicUrl).host, secret, profileId });
}
