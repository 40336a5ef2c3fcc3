import type { Registration } from '../hashes/index.ts';
import type { Match } from './index.ts';

type Found = Pick<Match, 'similarity' | 'confidence' | 'by'> & Pick<Partial<Match>, 'chance' | 'turn'>;

/** A match with a registration, as one witness has found it. */
export function registeredMatch(registration: Registration, found: Found): Match {
  const { id, title, artist, provenanceUri, createdAt, preview } = registration;
  return {
    id,
    kind: 'registration',
    title,
    artist,
    provenanceUri,
    registeredAt: createdAt,
    preview,
    ...found,
  };
}

/** `“Waves” by Ada`, or what is known of it. */
export function nameOf({ title, artist, kind }: Pick<Match, 'title' | 'artist' | 'kind'>): string {
  const by = artist ? ` by ${artist}` : '';
  if (title) return `“${title}”${by}`;
  return kind === 'work' ? `a known work${by}` : `a registered picture${by}`;
}

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
