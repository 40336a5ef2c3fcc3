import { z } from 'zod';
import type { AnyContract } from '../tools/tool.ts';
import { type JsonSchema, jsonSchema, type SchemaForm } from './json_schema.ts';

/** `cost` and `next_steps`, as every answer of the service carries them. */
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

/** What every answer of a tool carries beside the tool's own fields. */
export const envelopeFields = {
  ...costFields,
  payment: z
    .object({
      method: z.literal('credits'),
      wallet: z.string(),
      transaction_id: z.string(),
      credit_back: z.number().min(0).max(1_000_000).describe('Credits given back once the call is settled.'),
    })
    .optional()
    .describe('How a paid call was paid.'),
  warnings: z.array(z.string()).optional().describe('What the caller should know though the call succeeded.'),
};

/** The answer to `dry_run: true`. */
export const quoteAnswer = z.object({
  dry_run: z.literal(true),
  tool: z.string(),
  valid: z.literal(true),
  quote: z.object({
    credit: z.int().min(0).max(1_000_000),
    usd: z.number().min(0).max(1_000_000),
    affordable: z.boolean().optional(),
    balance_after: z.number().min(0).max(1e12).optional(),
    networks: z.array(z.string()).optional().describe('Networks one of which will run.'),
    degraded: z.boolean().optional().describe('Whether something lesser than what was asked for will run.'),
    degraded_reason: z.string().optional().describe('What is missing, and how to get it.'),
  }),
  ...costFields,
  warnings: envelopeFields.warnings,
});

const dryRunField = z
  .boolean()
  .default(false)
  .describe('true: check the input and answer the price; nothing runs and nothing is charged.');

/** What a caller may send: the tool's input and `dry_run`. */
export function inputJsonSchema(tool: Pick<AnyContract, 'input'>, target: SchemaForm['target']): JsonSchema {
  return jsonSchema(z.object({ ...tool.input.shape, dry_run: dryRunField }), { target, io: 'input' });
}

/** The tool's own answer with the envelope around it; not the answer to a dry run. */
export function answerJsonSchema(
  tool: Pick<AnyContract, 'output'>,
  target: SchemaForm['target'],
): JsonSchema {
  return jsonSchema(z.object({ ...tool.output.shape, ...envelopeFields }), { target, io: 'output' });
}
