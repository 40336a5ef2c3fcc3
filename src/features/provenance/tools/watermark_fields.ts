import { z } from 'zod';

/** Fields shared by both watermark tools. */
export const registryIdField = z
  .string()
  .regex(/^[0-9a-f]{12}$/)
  .describe('Embedded with the payload and more robust; this server stores the payload for it.');

export const falsePositiveField = z
  .number()
  .min(0)
  .max(1)
  .describe('Upper bound of the probability that an image without a watermark gives this reading.');
