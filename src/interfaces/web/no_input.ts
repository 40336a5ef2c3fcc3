import { z } from 'zod';

/** Input of a page without parameters. */
export const noInput = z.object({});
