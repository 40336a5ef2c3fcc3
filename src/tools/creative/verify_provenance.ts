import { z } from 'zod';
import { imageField } from '../fields.ts';
import { FREE } from '../price.ts';
import { defineContract } from '../tool.ts';
import { ORIGINAL_CID, ORIGINAL_PNG_B64 } from './sample_pictures.ts';

const share = z.number().min(0).max(1);

const verification = {
  match_found: z.boolean(),
  total_matches: z.int().min(0).max(1_000_000),
  confidence: share.describe('How sure the best match is, from 0 to 1.'),
  computed_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('Perceptual hash of the picture sent: 256 bits as 64 hex digits.'),
  best_match: z
    .object({
      artist: z.string(),
      credit_id: z.string(),
      provenance_uri: z.string().describe('Where the permanent record of the work lies.'),
      similarity: share.describe('Share of equal bits of the two hashes.'),
      title: z.string(),
    })
    .nullable()
    .describe('null where nothing in the index is close enough. That is no evidence against the picture.'),
};

export const verifyProvenance = defineContract({
  name: 'verify_provenance',
  title: 'Verify provenance',
  category: 'creative',
  summary:
    'Compares a picture with the index of registered works by perceptual hash and answers with the closest one.',
  price: FREE,
  input: z.object({ image: imageField }),
  output: z.object(verification),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [{ image: ORIGINAL_PNG_B64 }],
  next: ({ match_found }) =>
    match_found
      ? []
      : [
          {
            action: 'Register this picture',
            tool: 'register_hash',
            why: 'Nobody has; send the same image and later copies of it will be found',
          },
        ],
  sandbox: {
    query: z.object({}),
    answer: z.object(verification),
    sample: () => ({
      match_found: true,
      total_matches: 1,
      confidence: 1,
      computed_hash: '9cb5b26eb67e5436290ea64570335e8aa7fa60869078dee6231956c0337f966c',
      best_match: {
        artist: 'Katsushika Hokusai',
        credit_id: 'AETR-1831',
        provenance_uri: `ipfs://${ORIGINAL_CID}`,
        similarity: 0.9766,
        title: 'Under the Wave off Kanagawa',
      },
    }),
    next: [
      {
        action: 'Verify your own picture',
        tool: 'verify_provenance',
        why: 'The same call on the real index',
        params: { image: ORIGINAL_PNG_B64 },
      },
      {
        action: 'Register a picture',
        tool: 'register_hash',
        why: 'Later copies of it will then be found',
        params: { image: ORIGINAL_PNG_B64 },
      },
      {
        action: 'Look for a watermark',
        tool: 'watermark_detect',
        why: 'A mark survives cropping, which a hash does not',
        params: { image: ORIGINAL_PNG_B64 },
      },
    ],
  },
});
