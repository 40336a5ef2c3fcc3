import { MPP_HEADERS, MPP_META } from '../../catalogue/mpp_names.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import { CARD_PAYMENT_CENTS_MIN, CREDIT_CENTS } from '../../limits.ts';
import type { Challenge } from '../../services/mpp/contract.ts';
import { challengeText } from '../../services/mpp/mpp.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';

/**
 * The same 402 with a challenge of the Payment scheme after the one for a bearer, and the same challenge in the body for callers that
 * read no headers. Unchanged where no payment tokens are taken.
 * @param credits the price of this call
 */
export function withMppDemand(
  { mpp }: CallKit,
  { name }: AnyTool,
  credits: number,
  error: AtelierError,
): AtelierError {
  if (!mpp) return error;
  const { code, message, details } = error;
  const challenge = mpp.challenge({
    tool: name,
    amountCents: centsOf(credits),
    description: `One call of ${name}`,
  });
  const { [MPP_HEADERS.challenge]: bearer, ...headers } = details.headers ?? {};
  const { payment_options: options = [] } = details.members ?? {};
  return new AtelierError(code, message, {
    ...details,
    headers: {
      ...headers,
      [MPP_HEADERS.challenge]: [bearer, challengeText(challenge)].filter(Boolean).join(', '),
    },
    members: {
      ...details.members,
      payment_options: [...(options as object[]), optionOf(challenge)],
    },
  });
}

/** What a card pays at the least is good for more calls, as with every payment by card. */
export const centsOf = (credits: number): number => Math.max(CARD_PAYMENT_CENTS_MIN, credits * CREDIT_CENTS);

interface MppOption {
  readonly type: 'mpp';
  readonly challenge: Challenge;
}

const optionOf = (challenge: Challenge): MppOption & Record<string, unknown> => ({
  type: 'mpp',
  header: `${MPP_HEADERS.credential}: Payment`,
  methods: [`${challenge.method}/${challenge.intent}`],
  challenge,
});

/** Over MCP the challenges of a 402 stand in `_meta`, which clients of the protocol read there. */
export function mppMeta(problem: Record<string, unknown>): Record<string, unknown> {
  const options = (problem.payment_options ?? []) as { type: string }[];
  const challenges = options.flatMap((one) => (one.type === 'mpp' ? [(one as MppOption).challenge] : []));
  if (challenges.length === 0) return {};
  const { type, title, status, detail } = problem;
  return { [MPP_META.challenges]: { httpStatus: 402, challenges, problem: { type, title, status, detail } } };
}
