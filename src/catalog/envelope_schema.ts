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
      'Signed receipt: compact JWS, EdDSA, keys at /.well-known/jwks.json. Its answer_sha256 is of this answer as sent with the receipt itself cut out.',
    ),
};
const creditBack = z.number().min(0).max(1_000_000).describe('Credits given back once the call is settled.');

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
    .describe('What the card paid by this call; 0 where the intent had been captured before.'),
  calls_left: z.int().min(0).max(1_000_000).describe('Calls like this one the intent still pays.'),
  livemode: z.boolean().describe('false: no money moved.'),
  wallet: z.string().optional().describe('Who gets the credits below.'),
  credit_back: creditBack.optional(),
  surplus_credits: z
    .number()
    .min(0)
    .max(1_000_000)
    .optional()
    .describe('What the card paid beyond whole calls, as credits.'),
});

const byX402 = z.object({
  method: z.literal('x402'),
  wallet: z.string().describe('Who paid.'),
  network: z.string().describe('CAIP-2.'),
  asset: z.string().describe('The token it was paid in.'),
  amount: z.string().describe("In the token's smallest unit."),
  transaction_id: z
    .string()
    .describe('Names the payment in the books here; the header names the transaction.'),
  ...receiptFields,
  credit_back: creditBack,
});

const warnings = z
  .array(z.string())
  .optional()
  .describe('What the caller should know though the call succeeded.');

const lookedAt = z
  .string()
  .optional()
  .describe('The part of the file that was used, where less than all: "page 2 of 2".');

/** The act of a call in a workspace. */
export const placedAnswer = z
  .object({
    id: z.string(),
    act: z.int().min(1).max(1_000_000),
    items: z.array(z.int().min(1).max(1_000_000)),
    url: z.string(),
  })
  .optional()
  .describe('Where the call named a workspace: its act there, and the items of its results.');

/** Common fields of every tool response. Unsupported payment methods are omitted. */
export const envelopeFields = (ways: PaymentWays) => ({
  ...costFields,
  payment: paymentOf(ways).optional().describe('How a paid call was paid.'),
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
      .describe(
        'Balance once the call is paid and the credit-back has come; absent where it cannot be paid.',
      ),
    note: z.string().optional().describe('Why the run will cost nothing, or less than its price.'),
    works: z
      .object({ returned: z.int().min(0).max(1e9), with_picture: z.int().min(0).max(1e9) })
      .optional()
      .describe('Works the run will answer, and how many of them name a picture.'),
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
      .describe('Of a call made of several: what each step costs.'),
    networks: z.array(z.string()).optional().describe('Networks one of which will run.'),
    degraded: z.boolean().optional().describe('Whether something lesser than what was asked for will run.'),
    degraded_reason: z.string().optional().describe('What is missing, and how to get it.'),
    estimated_seconds: z
      .number()
      .min(0)
      .max(1e9)
      .optional()
      .describe(
        'Of the work on this server, with that of calls before it; a check "time" says where the work is too long.',
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
    .describe('What has been checked, and what only the run can tell.'),
  estimate: z
    .object({
      typical_ms: z.int().min(0).max(1e9).nullable(),
      slow_ms: z.int().min(0).max(1e9).nullable(),
      runs: z.int().min(0).max(1e6),
      basis: z.string(),
    })
    .describe('How long the call takes, from runs measured on this server; null before the first.'),
  ...costFields,
  warnings,
});

const px = z.number().min(0).max(100_000);

/** Response to `preview: true`, beside what the tool says of its result. */
export const previewAnswer = z.looseObject({
  preview: z.object({
    scale: z.number().min(0).max(1).describe('Side of the reduced image to that of the image sent.'),
    is_detail: z.boolean().describe('The middle at full size instead of the whole.'),
    is_marked: z.boolean().describe('Of a paid tool: `part` of the result, with words across it.'),
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
  z.boolean().default(false).describe('true: answers 202 with a job, for get_job.'),
  '',
);

const previewField = z
  .boolean()
  .default(false)
  .describe(
    'true: runs on a reduced image of at most 1 megapixel and answers its bytes. Nothing is stored, counted as a call or charged; of a paid tool, a marked part of 512 px.',
  );

/** Payment fields in the call, for clients that cannot set headers. */
export const paymentFields = {
  payer: briefly(
    z
      .string()
      .max(300)
      .optional()
      .describe(
        'Who pays: the address of an open wallet, a key (atl_key_…) or a payment intent (pi_…); as the header Authorization or X-Payment-Intent. open_account brings a key.',
      ),
    '',
  ),
  approval: z
    .string()
    .max(100)
    .optional()
    .describe('The approval of the owner this call was asked for; as the header X-Approval.'),
};

/** Where the images and the results of a call lie. */
export const workspaceFields = {
  workspace: z
    .string()
    .min(1)
    .max(400)
    .optional()
    .describe(
      'Id or share link of a workspace: the images and results of the call lie in it, and image fields take item:<number> of it.',
    ),
};

/** Fields of every call that are no input of its tool. */
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
  // preflight_file has a field of this name of its own, and decodes no image beside it.
  const notes = 'looked_at' in tool.output.shape ? {} : { looked_at: lookedAt };
  return jsonSchema(z.object({ ...tool.output.shape, ...envelope, ...notes }), { target, io: 'output' });
}
