import { z } from 'zod';
import { ERRORS, type ErrorCode, isRetryable } from '../core/errors/atelier_error.ts';
import { costFields } from './envelope_schema.ts';

const amount = z.number().min(-1e12).max(1e12);

/** The one shape of every failure: RFC 9457 members, then ours. */
export const problem = z.object({
  type: z.string().describe('Page about this kind of failure.'),
  title: z.string(),
  status: z.int().min(400).max(599),
  detail: z.string().describe('What went wrong this time, and what to send instead.'),
  instance: z.string().describe('Path that was called.'),
  code: z.enum(Object.keys(ERRORS) as ErrorCode[]).describe('Stable name of the failure.'),
  error: z.string().describe('The same words as `detail`.'),
  request_id: z.string(),
  retryable: z.boolean().describe('true where the same call may succeed later.'),
  fix: z.string(),
  retry_after_s: z.number().min(0).max(1e9).optional(),
  errors: z
    .array(
      z.object({
        field: z.string().describe('Dotted path into the request body.'),
        code: z.string(),
        message: z.string(),
        expected: z.string().optional(),
        got: z.unknown().optional().describe('Absent where no single value is to blame.'),
      }),
    )
    .optional()
    .describe('Every field that needs correcting.'),
  try: z.record(z.string(), z.unknown()).optional().describe('A corrected request body, where one exists.'),
  did_you_mean: z.array(z.string()).optional(),
  _sandbox: z.literal(true).optional().describe('It was asked for with force_error, and nothing has failed.'),
  next_steps: costFields.next_steps,
});

/** What a 402 says beside: the price, the state of the wallet, and every way to pay. */
export const paymentProblem = problem.extend({
  tool: z.string(),
  cost: costFields.cost,
  credits: z.object({
    required: amount,
    wallet: z.string().optional(),
    registered: z.boolean().optional(),
    balance: amount.optional(),
    available: amount.optional(),
    shortfall: amount.optional(),
    packs: z.array(
      z.object({
        name: z.string(),
        credits: amount,
        per_credit: amount,
        price_usd: amount,
        savings: z.string(),
        checkout_url: z.string(),
      }),
    ),
    free_trial: z.object({ amount, value_usd: amount, how: z.string() }),
  }),
  checkout_url: z.string().optional().describe('Where a person buys credits by card.'),
  payment_options: z.array(z.record(z.string(), z.unknown())),
  payment_intent: z
    .object({ id: z.string(), status: z.string(), pay_url: z.string() })
    .optional()
    .describe('The intent that has not been paid yet.'),
  payment_state: z.string().optional().describe('What became of the payment that was sent.'),
});

/** A failure of this kind as a caller sees it, for the documents. */
export function exampleProblem(code: ErrorCode, publicUrl: string): z.input<typeof problem> {
  const { status, title, fix } = ERRORS[code];
  const detail = `${title}. ${fix}`;
  return {
    type: `${publicUrl}/problems/${code}`,
    title,
    status,
    detail,
    instance: '/api/tools/search_tools',
    code,
    error: detail,
    request_id: 'req_0123456789abcdef01234567',
    retryable: isRetryable(code),
    fix,
    next_steps: [],
  };
}
