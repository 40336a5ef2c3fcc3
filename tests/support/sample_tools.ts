import { z } from 'zod';
import { fileAnswer, imageField, walletField } from '../../src/features/definitions/fields.ts';
import { credits, creditsBy, FREE } from '../../src/features/definitions/price.ts';
import { type AnyTool, defineTool } from '../../src/features/definitions/tool.ts';

const effects = { readOnly: true, destructive: false, idempotent: true, openWorld: false };

/**
 * Three invented tools with every property that affects the documents: free, flat and variable price. For
 * tests.
 */
export const sampleTools: readonly AnyTool[] = [
  defineTool({
    name: 'turn_image',
    title: 'Turn a picture',
    category: 'creative',
    summary: 'Turn a picture by quarter turns.',
    price: FREE,
    input: z.object({
      image: imageField,
      quarter_turns: z.union([z.literal(1), z.literal(2), z.literal(3)]).default(1),
      fill: z.string().nullable().default(null),
      keep_metadata: z.boolean().default(true),
      format: z.enum(['png', 'jpeg']).default('png'),
      border: z.object({ width_px: z.int().min(0).max(99) }).optional(),
    }),
    output: z.object({ image_b64: z.string().optional(), note: z.string().nullable(), ...fileAnswer }),
    effects,
    examples: [{ image: 'upload:upl_1', quarter_turns: 2 }],
    run: () => Promise.reject(new Error('not called')),
  }),
  defineTool({
    name: 'describe_image',
    title: 'Describe a picture',
    category: 'creative',
    summary: 'Put a picture into words.',
    price: creditsBy('tier', { standard: 1, premium: 2 }),
    input: z.object({ image: imageField, tier: z.enum(['standard', 'premium']).default('premium') }),
    output: z.object({ words: z.array(z.string()) }),
    effects,
    examples: [{ image: 'upload:upl_1' }],
    limit: { name: 'descriptions', calls: 5, perSeconds: 60 },
    run: () => Promise.reject(new Error('not called')),
  }),
  defineTool({
    name: 'keep_note',
    title: 'Keep a note',
    category: 'storage',
    summary: 'Keep a few words under a name.',
    price: credits(3),
    input: z.object({ wallet: walletField, text: z.string().max(10), size: z.int() }),
    output: z.object({ kept_at: z.iso.datetime(), bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER) }),
    effects,
    examples: [{ wallet: '0x52908400098527886e0f7030069857d2e4169ee7', text: 'hello', size: 5 }],
    run: () => Promise.reject(new Error('not called')),
  }),
];
