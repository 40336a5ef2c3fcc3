import { z } from 'zod';

/** Of a page that is always the same question. */
export const noInput = z.object({});
