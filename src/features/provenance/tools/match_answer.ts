import { z } from 'zod';
import type { Match } from '../types.ts';

/** Maximum number of matches in a response, the same as registrations per search. */
const NAMED_MAX = 100;

/** A registered image or known work in a response. */
export const matchField = z.object({
  kind: z.enum(['registration', 'work']).describe('work: a known work, such as one of a museum.'),
  credit_id: z.string(),
  title: z.string(),
  artist: z.string(),
  similarity: z.number().min(0).max(1).describe('Share of equal bits of the two hashes.'),
  provenance_uri: z.string().describe('URL of the permanent record of the work.'),
  registered_at: z.iso.datetime().nullable(),
  found_by: z
    .enum(['file', 'picture', 'windows', 'watermark', 'metadata'])
    .describe('file: identical bytes; picture: whole image looks the same; windows: parts look the same.'),
  confidence: z
    .number()
    .min(0)
    .max(1)
    .describe('Confidence that the match is not accidental: 1 − chance_match.'),
  chance_match: z
    .number()
    .min(0)
    .max(1)
    .nullable()
    .describe('Probability of this match by chance alone; null for the identical file.'),
});

/** The first matches. Never discloses the wallet of a registration. */
export const matchAnswers = (matches: readonly Match[]): z.output<typeof matchField>[] =>
  matches.slice(0, NAMED_MAX).map(({ kind, id, title, artist, similarity, ...match }) => ({
    kind,
    credit_id: id,
    title,
    artist,
    similarity,
    provenance_uri: match.provenanceUri,
    registered_at: match.registeredAt?.toISOString() ?? null,
    found_by: match.by,
    confidence: match.confidence,
    chance_match: match.chance ?? null,
  }));

/** True for a known work as a whole. An image that only shows one, or a part of one, may be registered. */
export const isWholeWork = ({ kind, by }: Match): boolean => kind === 'work' && by !== 'windows';
