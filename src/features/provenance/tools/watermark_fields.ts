import { z } from 'zod';

/** What both tools say about a watermark. */
export const registryIdField = z
  .string()
  .regex(/^[0-9a-f]{12}$/)
  .describe(
    'Rides along with the payload and survives more; this service keeps which payload it stands for.',
  );

export const falsePositiveField = z
  .number()
  .min(0)
  .max(1)
  .describe('That a picture without a mark would by chance have been read like this; an upper bound.');
