import type { Registration } from './hashes/types.ts';
import type { Match } from './types.ts';

type Found = Pick<Match, 'similarity' | 'confidence' | 'by'> & Pick<Partial<Match>, 'chance' | 'turn'>;

/**
 * Match of a witness with a registration; with the work, if the registration is one of a work in the dataset.
 */
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
