import { z } from 'zod';
import { FACILITATOR_ANSWER_BYTES_MAX, X402_SETTLE_TIMEOUT_MS, X402_VERIFY_TIMEOUT_MS } from './limits.ts';
import { type PostOutcome, postJson } from './post_json.ts';
import type { Facilitator } from './types.ts';

/** Without control characters: the books cannot hold U+0000, and a settlement that cannot be booked stays unconfirmed. */
const text = z
  .string()
  .max(1000)
  .overwrite((value) => value.replace(/\p{Cc}/gu, ' ').toWellFormed());
const verified = z.object({
  isValid: z.boolean(),
  invalidReason: text.nullish(),
  payer: text.nullish(),
});
const settled = z.object({
  success: z.boolean(),
  errorReason: text.nullish(),
  transaction: text.nullish(),
});

/** A facilitator at an address of the operator's choice, which may be private: it is a setting, not a caller's word. */
export function createHttpFacilitator(
  url: string,
  timeouts: { verifyMs?: number; settleMs?: number } = {},
): Facilitator {
  const { verifyMs = X402_VERIFY_TIMEOUT_MS, settleMs = X402_SETTLE_TIMEOUT_MS } = timeouts;
  const post = (path: string, body: object, timeoutMs: number) =>
    postJson(`${url}${path}`, body, { timeoutMs, maxBytes: FACILITATOR_ANSWER_BYTES_MAX });
  return {
    verify: async (request) => verifyOutcome(await post('/verify', request, verifyMs)),
    settle: async (request) => settleOutcome(await post('/settle', request, settleMs)),
  };
}

function verifyOutcome(answer: PostOutcome): Awaited<ReturnType<Facilitator['verify']>> {
  if (answer.status === undefined) return { outcome: 'unavailable', reason: answer.reason };
  // Some answer an invalid payment with 400, some with 200: the body decides.
  const { data } = verified.safeParse(answer.body);
  if (!data) return { outcome: 'unavailable', reason: statusText(answer.status) };
  if (data.isValid) return { outcome: 'valid', ...(data.payer && { payer: data.payer }) };
  return { outcome: 'invalid', reason: data.invalidReason ?? 'no reason given' };
}

/** Refusals by whatever stands before the facilitator proper: the payment was not looked at. */
const NOT_PROCESSED = [401, 403, 404, 405, 413, 415, 429];

function settleOutcome(answer: PostOutcome): Awaited<ReturnType<Facilitator['settle']>> {
  if (answer.status === undefined) {
    return { outcome: answer.sent ? 'unknown' : 'not_sent', reason: answer.reason };
  }
  const { data } = settled.safeParse(answer.body);
  if (data?.success) {
    if (data.transaction) return { outcome: 'settled', transaction: data.transaction };
    return { outcome: 'unknown', reason: 'success without a transaction' };
  }
  if (data) {
    const reason = data.errorReason ?? 'no reason given';
    // With a transaction out there, or a fault of its own, it cannot know that nothing will move.
    const isSure =
      !data.transaction && !/unexpected|timed?_?out|pending/i.test(reason) && answer.status < 500;
    return { outcome: isSure ? 'refused' : 'unknown', reason };
  }
  const reason = statusText(answer.status);
  return { outcome: NOT_PROCESSED.includes(answer.status) ? 'not_sent' : 'unknown', reason };
}

const statusText = (status: number): string => `status ${status} without an answer of the protocol`;
