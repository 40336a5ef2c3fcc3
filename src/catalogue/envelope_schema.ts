import { z } from 'zod';
import { costFields } from '../operations/free_answer.ts';
import type { AnyContract } from '../tools/tool.ts';
import { type JsonSchema, jsonSchema, type SchemaForm } from './json_schema.ts';

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

/**
 * Answer and dry run in one object, as MCP wants it: `type: object` at the root. `next_steps` and `payment` are named
 * without their inner shape, because every agent pays for this list in context.
 */
export function mcpOutputSchema(tool: Pick<AnyContract, 'output'>): JsonSchema {
  const own = jsonSchema(tool.output, { target: 'draft-2020-12', io: 'output' });
  const object = { type: 'object' };
  return {
    ...own,
    properties: {
      ...(own.properties as JsonSchema),
      cost: {
        type: 'object',
        properties: { credit: { type: 'integer' }, usd: { type: 'number' }, note: { type: 'string' } },
        required: ['credit', 'usd'],
      },
      next_steps: { type: 'array', items: object },
      payment: object,
      warnings: { type: 'array', items: { type: 'string' } },
      dry_run: { type: 'boolean' },
      quote: object,
    },
    required: ['cost', 'next_steps'],
    anyOf: [{ required: own.required ?? [] }, { required: ['dry_run', 'quote'] }],
  };
}
