import type { Match } from './types.ts';

/** `“Waves” by Ada`, or a generic name if title or artist is unknown. */
export function nameOf({ title, artist, kind }: Pick<Match, 'title' | 'artist' | 'kind'>): string {
  const by = artist ? ` by ${quoteUntrusted(artist)}` : '';
  if (title) return `${quoteUntrusted(title)}${by}`;
  return kind === 'work' ? `a known work${by}` : `a registered image${by}`;
}

export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const SHOWN_CHARACTERS_MAX = 120;

/**
 * Quotes untrusted text for a sentence: on one line, without bidirectional control characters, and truncated.
 */
export function quoteUntrusted(text: string): string {
  const line = text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return `“${line.length > SHOWN_CHARACTERS_MAX ? `${line.slice(0, SHOWN_CHARACTERS_MAX)}…` : line}”`;
}
