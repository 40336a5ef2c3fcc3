import { z } from 'zod';
import { statementAnswer } from '../../definitions/statement_answer.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { MarkJudgement } from '../marks/types.ts';

/** Whether a mark was made for the picture it was read in, and who signed it. */
export const authorshipField = z.object({
  standing: z
    .enum(['bound', 'part', 'moved', 'other_payload', 'unclear', 'plain'])
    .describe(
      'bound: made here for this picture. part: made here, and what is shown is the marked picture only in part. moved: made here for another picture. other_payload: the id is that of another text. unclear: too little is seen to tell. plain: nothing binds it to a picture; anybody may have put it in.',
    ),
  sentence: z.string(),
  signed_by: z.string().nullable().describe('The wallet that proved itself and signed; null for none.'),
  signed_at: z.iso.datetime().nullable(),
  share: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Of what is seen, how much looks as it was marked; null where nothing was compared.'),
  exact: z.boolean().describe('Not one sample differs from the marked picture.'),
  statement: z
    .string()
    .nullable()
    .describe('What was signed when the mark was made (JWS, mark+jwt); empty over MCP.'),
  statement_url: z.string().optional().describe('The statement as a file, for 24 hours.'),
});

/** As `authorshipField` has it. */
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
