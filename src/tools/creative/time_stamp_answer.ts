import type { TimeStampResult } from '@atelier/engines/timestamp/result.ts';
import { z } from 'zod';

/** A time stamp as answers show it; a missing one is shown with its reason. */
export const timeStampField = z.object({
  time: z
    .string()
    .nullable()
    .describe('By the clock of the authority, ISO 8601 in UTC; null unless the stamp is sound.'),
  authority: z
    .string()
    .max(200)
    .nullable()
    .describe('Name in the certificate of the time-stamping authority.'),
  status: z
    .enum(['trusted', 'untrusted', 'invalid', 'none'])
    .describe(
      'trusted: sound, of an authority on the trust list of this server. untrusted: sound, but not on the list, or no list is configured. invalid: damaged, of another message, or wrongly signed. none: there is no time stamp.',
    ),
  reason: z.string().optional().describe('Why the status is not trusted.'),
});

export const timeStampAnswer = ({ time, authority, status, reason }: TimeStampResult) => ({
  time,
  authority,
  status,
  ...(reason !== undefined && { reason }),
});
