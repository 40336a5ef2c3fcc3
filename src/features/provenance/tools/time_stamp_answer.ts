import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import { z } from 'zod';

/**
 * A time stamp in a response, or why there is none. Part of many responses, so its descriptions are short.
 */
export const timeStampField = z.object({
  time: z.string().nullable().describe('ISO 8601.'),
  authority: z.string().nullable(),
  status: z.enum(['trusted', 'untrusted', 'invalid', 'none']),
  reason: z.string().optional().describe('Why it is not trusted.'),
});

export const timeStampAnswer = ({ time, authority, status, reason }: TimeStampResult) => ({
  time,
  authority,
  status,
  ...(reason !== undefined && { reason }),
});
