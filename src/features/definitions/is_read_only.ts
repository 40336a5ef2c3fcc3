import { z } from 'zod';
import { isFree } from './price.ts';
import type { AnyContract } from './tool.ts';

/** Whether a call leaves all as it was: it changes nothing, takes no credits and keeps no file, not even for a day. */
export const isReadOnly = ({ effects, price, output }: AnyContract): boolean =>
  effects.readOnly && isFree(price) && !makesFile({ output }) && !keepsPictures(output);

/** Pictures beside what was found stand inside a field of the answer. */
const keepsPictures = (output: z.ZodType): boolean =>
  JSON.stringify(z.toJSONSchema(output, { io: 'output' })).includes('"result_url"');

/**
 * A file that was made is answered as a handle with its link beside it: "result" and "result_url". The link of a signature is that of
 * a text the answer has anyway.
 */
export const makesFile = ({ output }: Pick<AnyContract, 'output'>): boolean => {
  const fields = Object.keys(output.shape);
  return fields.some((field) => field !== 'signature' && fields.includes(`${field}_url`));
};
