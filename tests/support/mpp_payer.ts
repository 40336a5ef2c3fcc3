import { Challenge, Credential } from 'mppx';
import { Mppx, stripe } from 'mppx/client';
import type { FakeStripe, GrantedToken } from './fake_stripe.ts';
import type { TestApp } from './open_test_app.ts';

export const PROFILE = 'profile_atelier';

/** The payment method of an agent whose owner has a card at this Stripe. */
export const cardOf = (bank: FakeStripe, more: Partial<GrantedToken> = {}) =>
  stripe.charge({
    paymentMethod: 'pm_card',
    createToken: async ({ amount, networkId }: { amount: string; networkId?: string | undefined }) => {
      if (networkId !== PROFILE) throw new Error(`granted to ${networkId}`);
      return bank.grantToken({ cents: Number(amount), ...more });
    },
  });

/** A fetch that pays automatically, by the protocol's own client, which is independent of this service. */
export const payingFetch = (app: TestApp, bank: FakeStripe, more: Partial<GrantedToken> = {}) =>
  Mppx.create({
    methods: [cardOf(bank, more)],
    polyfill: false,
    fetch: (async (input: string | URL | Request, init?: RequestInit) =>
      app.fetch(new Request(input, init))) as typeof fetch,
  }).fetch;

/** The Authorization header for the challenge of a 402. */
export function answerTo(
  reply: { readonly headers: Headers },
  spt: string,
  change: object = {},
): { Authorization: string } {
  const challenge = Challenge.deserialize(reply.headers.get('www-authenticate') ?? '');
  return {
    Authorization: Credential.serialize({ challenge: { ...challenge, ...change }, payload: { spt } }),
  };
}
