import type { Registration } from './hashes/types.ts';
import type { Match } from './types.ts';

type Found = Pick<Match, 'similarity' | 'confidence' | 'by'> & Pick<Partial<Match>, 'chance' | 'turn'>;

/** A match with a registration, as one witness has found it; of a work that its keeper has registered, with the work. */
export function registeredMatch(registration: Registration, found: Found): Match {
  const { id, workId, title, artist, provenanceUri, wallet, createdAt, preview, pdq } = registration;
  const isWork = workId !== null;
  return {
    id: workId ?? id,
    kind: isWork ? 'work' : 'registration',
    title,
    artist,
    provenanceUri,
    wallet,
    registeredAt: isWork ? null : createdAt,
    preview,
    pdq,
    ...found,
  };
}
