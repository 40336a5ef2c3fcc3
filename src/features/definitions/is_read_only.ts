import { z } from 'zod';
import { isFree } from './price.ts';
import type { AnyContract } from './tool.ts';

/**
 * Whether a call leaves everything as it was: it changes nothing, takes no credits and makes no file. A picture of what was found,
 * drawn only where the caller asks for it, is no such file: it expires within a day, as the whole of a shortened answer does.
 */
export const isReadOnly = ({ effects, price, output }: AnyContract): boolean =>
  effects.readOnly && isFree(price) && !makesFile({ output }) && !keepsPictures(output);

/** Pictures beside what was found stand inside a field of the answer, which is optional where the caller asks for them. */
function keepsPictures(output: AnyContract['output']): boolean {
  const { properties = {}, required = [] } = z.toJSONSchema(output, { io: 'output' });
  return required.some((field) => JSON.stringify(properties[field]).includes('"result_url"'));
}

/**
 * A file that was made is answered as a handle with its link beside it: "result" and "result_url". The link of a signature is that of
 * a text the answer has anyway.
 */
export const makesFile = ({ output }: Pick<AnyContract, 'output'>): boolean => {
  const fields = Object.keys(output.shape);
  return fields.some((field) => field !== 'signature' && fields.includes(`${field}_url`));
};
