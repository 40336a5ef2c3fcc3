import { z } from 'zod';
import { isFree } from './price.ts';
import type { AnyContract } from './tool.ts';

/**
 * Whether a call has no side effects: it changes nothing, costs nothing and creates no file. An optional image of findings does not
 * count: it expires within a day, like the full text of a shortened response.
 */
export const isReadOnly = ({ effects, price, output }: AnyContract): boolean =>
  effects.readOnly && isFree(price) && !makesFile({ output }) && !hasRequiredImages(output);

/** Whether a required field of the response contains images. */
function hasRequiredImages(output: AnyContract['output']): boolean {
  const { properties = {}, required = [] } = z.toJSONSchema(output, { io: 'output' });
  return required.some((field) => JSON.stringify(properties[field]).includes('"result_url"'));
}

/**
 * Whether the response has a file: a handle with a link, such as "result" and "result_url". A link to a signed statement does not
 * count, because the response has its text.
 */
export const makesFile = ({ output }: Pick<AnyContract, 'output'>): boolean => {
  const fields = Object.keys(output.shape);
  return fields.some((field) => field !== 'signature' && fields.includes(`${field}_url`));
};
