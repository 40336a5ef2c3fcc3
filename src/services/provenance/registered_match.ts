import type { Registration } from '../hashes/contract.ts';
import type { Match } from './contract.ts';

type Found = Pick<Match, 'similarity' | 'confidence' | 'by'> & Pick<Partial<Match>, 'chance' | 'turn'>;

/** A match with a registration, as one witness has found it. */
export function registeredMatch(registration: Registration, found: Found): Match {
  const { id, title, artist, provenanceUri, wallet, createdAt, preview, pdq } = registration;
  return {
    id,
    kind: 'registration',
    title,
    artist,
    provenanceUri,
    wallet,
    registeredAt: createdAt,
    preview,
    pdq,
    ...found,
  };
}
