import { z } from 'zod';
import { statementAnswer } from '../../definitions/statement_answer.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { MarkJudgement } from '../marks/types.ts';

/** Whether a watermark was made for the image it was read from, and who signed it. */
export const authorshipField = z.object({
  standing: z
    .enum(['bound', 'part', 'moved', 'other_payload', 'unclear', 'plain'])
    .describe(
      'bound: made by this server for this image. part: only part of the image is the watermarked one. moved: copied from another image. other_payload: the id belongs to another text. unclear: too little detail to tell. plain: no record links it to an image; anyone could have embedded it.',
    ),
  sentence: z.string(),
  signed_by: z.string().nullable().describe('The verified wallet that signed; null for none.'),
  signed_at: z.iso.datetime().nullable(),
  share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Share of the image that matches the watermarked image; null if not compared.'),
  exact: z.boolean().describe('Every pixel equals the watermarked image.'),
  statement: z
    .string()
    .nullable()
    .describe('Statement signed when the watermark was made (JWS, mark+jwt); empty over MCP.'),
  statement_url: z.string().optional().describe('The statement as a file, for 24 hours.'),
});

/** The judgement as `authorshipField`. */
export async function authorshipOf(
  judged: MarkJudgement,
  results: Pick<Services['results'], 'keep'>,
  call: Pick<CallContext, 'isModel'>,
): Promise<z.input<typeof authorshipField>> {
  const statement = judged.jws === undefined ? undefined : await statementAnswer(results, judged.jws, call);
  return {
    standing: judged.standing,
    sentence: judged.sentence,
    signed_by: judged.signer ?? null,
    signed_at: judged.signedAt?.toISOString() ?? null,
    share: judged.share === undefined ? null : Number(judged.share.toFixed(3)),
    exact: judged.isExact,
    statement: statement?.text ?? null,
    ...(statement?.url && { statement_url: statement.url }),
  };
}
