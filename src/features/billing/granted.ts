import { createHash } from 'node:crypto';
import { HOLD_LIFETIME_MS } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { type Parts, requireProcessor } from './deps.ts';
import * as store from './granted_store.ts';
import { selectIntent } from './intent_store.ts';
import { CURRENCY, KIND, keepIntent } from './intents.ts';
import { PAYMENTS_SWEPT_A_ROUND } from './limits.ts';
import type { Processor } from './processor.ts';
import type { TokenPayment, ToolIntent } from './types.ts';

/** Of one processor: the simulated one knows no tokens. */
type Charging = Processor & Required<Pick<Processor, 'confirmWithToken' | 'findByChallenge'>>;

export async function takeToken(parts: Parts, asked: TokenPayment): Promise<ToolIntent> {
  const { database, clock } = parts;
  const processor = requireTokens(parts);
  const { challenge, token, expiresAt, tool, price, amountCents, wallet } = asked;
  const tokenSha256 = createHash('sha256').update(token).digest('hex');
  const grant = await store.keepGrant(database, { challenge, tokenSha256, expiresAt, now: clock() });
  if (!grant) throw refusal('Its challenge has expired.');
  if (grant.challenge !== challenge || grant.tokenSha256 !== tokenSha256) {
    throw new AtelierError(
      'payment_used',
      'This challenge or this payment token came with another payment before.',
    );
  }
  const known = grant.intent === null ? undefined : await selectIntent(database, grant.intent);
  if (known) return known;
  const made = await processor.confirmWithToken({
    amountCents,
    currency: CURRENCY,
    description: `Atelier: ${tool}`,
    metadata: { kind: KIND, tool_name: tool, challenge, machine_payment: 'true', ...(wallet && { wallet }) },
    idempotencyKey: `mpp_${challenge}`,
    token,
  });
  if (made.outcome === 'refused') throw refusal(`The card processor says: ${made.reason}`);
  if (!made.isAuthorized) {
    await processor.abandon(made.id);
    throw refusal(`The card asks its owner for more than the token brings (${made.status}).`);
  }
  const intent = await keepIntent(parts, { id: made.id, tool, price, amountCents, wallet, expiresAt });
  await store.nameIntent(database, challenge, intent.id);
  return intent;
}

/**
 * Lets go of what a card set aside for calls that died before it was written down here. @returns how many there were
 */
export async function letGoOfLost(parts: Parts, now: Date): Promise<number> {
  const { database, processor } = parts;
  if (!processor?.findByChallenge) return 0;
  const before = new Date(now.getTime() - HOLD_LIFETIME_MS);
  const lost = await store.selectLost(database, before, PAYMENTS_SWEPT_A_ROUND);
  for (const challenge of lost) {
    const id = await processor.findByChallenge(challenge);
    if (id !== undefined) await processor.abandon(id);
    await store.forgetGrant(database, challenge);
  }
  return lost.length;
}

function requireTokens(parts: Parts): Charging {
  const processor = requireProcessor(parts);
  if (processor.confirmWithToken && processor.findByChallenge) return processor as Charging;
  throw new AtelierError('payments_not_configured', 'This server charges no payment tokens.');
}

const refusal = (why: string): AtelierError =>
  new AtelierError('payment_refused', `The payment does not pay for this call. ${why} Nothing was charged.`);
