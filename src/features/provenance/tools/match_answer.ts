import { z } from 'zod';
import type { Match } from '../types.ts';

/** Matches named in an answer: as many registrations as one search answers. */
const NAMED_MAX = 100;

/** A registered picture or a known work, as answers name them. */
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

/** The first of some matches. The wallet that registered one is not told. */
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

/** A known work as a whole. What only shows one, or a part of one, is a picture of its own and may be registered. */
export const isWholeWork = ({ kind, by }: Match): boolean => kind === 'work' && by !== 'windows';
