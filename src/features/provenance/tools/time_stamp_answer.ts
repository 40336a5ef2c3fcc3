import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import { z } from 'zod';

/** A time stamp as answers show it, a missing one with its reason. In many answers, so described in few words. */
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
