import { z } from 'zod';
import type { Match } from '../../services/provenance/contract.ts';

/** Matches named in an answer. */
const NAMED_MAX = 10;

/** A registered picture or a known work, as answers name them. */
export const matchField = z.object({
  kind: z.enum(['registration', 'work']).describe('work: a known work, such as one of a museum.'),
  credit_id: z.string(),
  title: z.string(),
  artist: z.string(),
  similarity: z.number().min(0).max(1).describe('Share of equal bits of the two hashes.'),
  provenance_uri: z.string().describe('Where the permanent record of the work lies.'),
  registered_at: z.iso.datetime().nullable(),
});

/** The first of some matches. The wallet that registered one is not told. */
export const matchAnswers = (matches: readonly Match[]): z.output<typeof matchField>[] =>
  matches.slice(0, NAMED_MAX).map(({ kind, id, title, artist, similarity, provenanceUri, registeredAt }) => ({
    ...{ kind, credit_id: id, title, artist, similarity, provenance_uri: provenanceUri },
    registered_at: registeredAt?.toISOString() ?? null,
  }));
