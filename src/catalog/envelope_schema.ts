import { z } from 'zod';
import { briefly } from '../features/definitions/brief.ts';
import { expectedFields, imageFieldsOf } from '../features/definitions/fields.ts';
import { isFree } from '../features/definitions/price.ts';
import type { AnyContract, AnyTool } from '../features/definitions/tool.ts';
import { type JsonSchema, jsonSchema, type SchemaForm } from './json_schema.ts';
import type { PaymentWays } from './payment_ways.ts';

/** `cost` and `next_steps`, as in every response. */
export const costFields = {
  cost: z.object({
    credit: z.int().min(0).max(1_000_000),
    usd: z.number().min(0).max(1_000_000),
    note: z.string().optional(),
  }),
  next_steps: z.array(
    z.object({
      action: z.string(),
      cost: z.string(),
      endpoint: z.string(),
      why: z.string(),
      params: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
};

const receiptFields = {
  receipt_id: z.string(),
  receipt: z
    .string()
    .describe(
      'Signed receipt: compact JWS, EdDSA, keys at /.well-known/jwks.json. Its answer_sha256 is the hash of this response as sent, without the receipt.',
    ),
};
const creditBack = z.number().min(0).max(1_000_000).describe('Credits returned after settlement.');

const byCredits = z.object({
  method: z.literal('credits'),
  wallet: z.string(),
  transaction_id: z.string(),
  ...receiptFields,
  credit_back: creditBack,
});

const byCard = z.object({
  method: z.literal('card'),
  payment_intent_id: z.string(),
  transaction_id: z.string(),
  ...receiptFields,
  charged_usd: z
    .number()
    .min(0)
    .max(1_000_000)
    .describe('Amount charged to the card by this call; 0 if the intent was already captured.'),
  calls_left: z.int().min(0).max(1_000_000).describe('Further calls like this one that the intent covers.'),
  livemode: z.boolean().describe('false: no money moved.'),
  wallet: z.string().optional().describe('Wallet that receives the credits below.'),
  credit_back: creditBack.optional(),
  surplus_credits: z
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('Card amount left after whole calls, as credits.'),
});

const byX402 = z.object({
  method: z.literal('x402'),
  wallet: z.string().describe('Who paid.'),
  network: z.string().describe('CAIP-2.'),
  asset: z.string().describe('Token of the payment.'),
  amount: z.string().describe('In the smallest unit of the token.'),
  transaction_id: z
    .string()
    .describe('Id of the payment in the ledger of this server; the header has the transaction.'),
  ...receiptFields,
  credit_back: creditBack,
});

const warnings = z.array(z.string()).optional().describe('Warnings about a successful call.');

const lookedAt = z
  .string()
  .optional()
  .describe('The part of the file that was used, if not all: "page 2 of 2".');

/** The activity of a call in a workspace. */
export const placedAnswer = z
  .object({
    id: z.string(),
    act: z.int().min(1).max(1_000_000),
    items: z.array(z.int().min(1).max(1_000_000)),
    url: z.string(),
  })
  .optional()
  .describe('If the call named a workspace: its act in the history and the items of its results.');

/** Common fields of every tool response. Unsupported payment methods are omitted. */
export const envelopeFields = (ways: PaymentWays) => ({
  ...costFields,
  payment: paymentOf(ways).optional().describe('Payment of a paid call.'),
  looked_at: lookedAt,
  workspace: placedAnswer,
  warnings,
});

function paymentOf({ takesCards, x402 }: PaymentWays) {
  const others = [...(takesCards ? [byCard] : []), ...(x402 ? [byX402] : [])];
  return others.length === 0 ? byCredits : z.discriminatedUnion('method', [byCredits, ...others]);
}

/** Response to `dry_run: true`. */
export const quoteAnswer = z.object({
  dry_run: z.literal(true),
  tool: z.string(),
  valid: z.literal(true),
  quote: z.object({
    credit: z.int().min(0).max(1_000_000),
    usd: z.number().min(0).max(1_000_000),
    credit_back: z.number().min(0).max(1_000_000).optional(),
    affordable: z.boolean().optional(),
    balance: z.number().min(0).max(1e12).optional(),
    balance_after: z
      .number()
      .min(0)
      .max(1e12)
      .optional()
      .describe('Balance after payment and credit-back; absent if the balance is too low.'),
    note: z.string().optional().describe('Why the call is free or discounted.'),
    works: z
      .object({ returned: z.int().min(0).max(1e9), with_picture: z.int().min(0).max(1e9) })
      .optional()
      .describe('Number of works in the result, and how many of them have an image.'),
    steps: z
      .array(
        z.object({
          item: z.int().min(0).max(1_000).optional(),
          save_as: z.string(),
          tool: z.string(),
          credit: z.int().min(0).max(1_000_000),
          note: z.string().optional(),
        }),
      )
      .optional()
      .describe('Price of each step, if the call has several.'),
    networks: z.array(z.string()).optional().describe('Candidate models; one of them runs.'),
    degraded: z.boolean().optional().describe('Whether a substitute of lower quality will run.'),
    degraded_reason: z.string().optional().describe('What is missing and how to install it.'),
    estimated_seconds: z
      .number()
      .min(0)
      .max(1e9)
      .optional()
      .describe(
        'On this server, including queued calls; a check "time" reports a call that exceeds its deadline.',
      ),
  }),
  checks: z
    .array(
      z.object({
        check: z.enum([
          'input',
          'pictures',
          'payer',
          'funds',
          'budget',
          'consent',
          'time',
          'vision',
          'sight',
          'run',
        ]),
        state: z.enum(['passed', 'failed', 'at_run']),
        detail: z.string(),
      }),
    )
    .describe('Checks made, and those that need the actual run.'),
  estimate: z
    .object({
      typical_ms: z.int().min(0).max(1e9).nullable(),
      slow_ms: z.int().min(0).max(1e9).nullable(),
      runs: z.int().min(0).max(1e6),
      basis: z.string(),
    })
    .describe('Estimated duration from runs on this server; null before the first.'),
  ...costFields,
  warnings,
});

const px = z.number().min(0).max(100_000);

/** Response to `preview: true`, besides the fields of the tool. */
export const previewAnswer = z.looseObject({
  preview: z.object({
    scale: z.number().min(0).max(1).describe('Side length of the reduced image relative to the original.'),
    is_detail: z.boolean().describe('The centre at full size instead of the whole image.'),
    is_marked: z.boolean().describe('Paid tools: `part` of the result, with a visible mark across it.'),
  }),
  image_b64: z.string().optional(),
  part: z.object({ x: px, y: px, width: px, height: px }).optional(),
  ...costFields,
  warnings,
});

const dryRunField = briefly(
  z
    .boolean()
    .default(false)
    .describe('true: validates the input and returns the price and the time. Nothing runs or is charged.'),
  '',
);

const asyncField = briefly(
  z.boolean().default(false).describe('true: returns 202 and a job, for get_job.'),
  '',
);

const previewField = z
  .boolean()
  .default(false)
  .describe(
    'true: runs on a reduced image of at most 1 megapixel and returns its bytes. Nothing is stored, counted as a call or charged; paid tools return a marked crop of 512 px.',
  );

/** Payment fields in the call, for clients that cannot set headers. */
export const paymentFields = {
  payer: briefly(
    z
      .string()
      .max(300)
      .optional()
      .describe(
        'Payer: the address of an unlocked wallet, a key (atl_key_…) or a payment intent (pi_…); same as the header Authorization or X-Payment-Intent. open_account creates a key.',
      ),
    '',
  ),
  approval: z
    .string()
    .max(100)
    .optional()
    .describe('Approval of the owner for this call; same as the header X-Approval.'),
};

/** The workspace with the images and results of a call. */
export const workspaceFields = {
  workspace: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .describe(
      'Id or share link of a workspace: the images and results of the call are saved in it, and image fields accept item:<number>.',
    ),
};

/** Fields of every call that are not input of its tool. */
export const callFields = { dry_run: dryRunField, async: asyncField };

/** Request schema: the tool's input, `dry_run`, `async`, `preview` where the tool has one, expected image properties, and for priced tools the payer. */
export function inputJsonSchema(
  tool: Pick<AnyContract, 'input' | 'price'> & Partial<Pick<AnyTool, 'preview'>>,
  target: SchemaForm['target'],
  said: Pick<SchemaForm, 'brief'> = {},
): JsonSchema {
  const { shape } = tool.input;
  // A field of the tool with the same name belongs to the tool.
  const expected = imageFieldsOf(shape).length > 0 ? expectedFields : {};
  const paying = isFree(tool.price) ? {} : paymentFields;
  const previews = tool.preview ? { preview: previewField } : {};
  return jsonSchema(
    z.object({
      ...shape,
      ...expected,
      ...paying,
      ...workspaceFields,
      ...previews,
      ...shape,
      ...callFields,
    }),
    {
      target,
      io: 'input',
      ...said,
    },
  );
}

/** Response schema of a tool with its envelope; not of a dry run. */
export function answerJsonSchema(
  tool: Pick<AnyContract, 'output'>,
  target: SchemaForm['target'],
  ways: PaymentWays = {},
): JsonSchema {
  const { looked_at: lookedAt, ...envelope } = envelopeFields(ways);
  // preflight_file has a field of this name, and decodes no image.
  const notes = 'looked_at' in tool.output.shape ? {} : { looked_at: lookedAt };
  return jsonSchema(z.object({ ...tool.output.shape, ...envelope, ...notes }), { target, io: 'output' });
}
