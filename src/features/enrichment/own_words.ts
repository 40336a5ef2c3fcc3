import { INSTRUCTIONS } from './prompt.ts';
import type { Words } from './words_schema.ts';

/** So many words running are no coincidence. */
const RUN = 8;
/** So many texts of one answer do not say the same unless something told it to. */
const SAME_TEXTS_MAX = 2;

/**
 * What a model has written in its own words. Writing in a picture may give orders, and a model may obey: sentences that pass on an
 * address, or what stands in the picture, without quotation marks are left out. Undefined for an answer that repeats our
 * instructions, says the same everywhere, or has no description left.
 */
export function ownWords(words: Words): Words | undefined {
  const texts = Object.values(words).flatMap((value) => (typeof value === 'number' ? [] : (value ?? [])));
  const repeatsRules = texts.some((text) => runsOf(text).some((run) => RULES.has(run)));
  if (repeatsRules || saysTheSame(words)) return undefined;
  const foreign = new Set(runsOf(words.text_read ?? ''));
  const isOwn = (sentence: string) => {
    const said = sentence.replace(QUOTED, ' ');
    return !ADDRESS.test(said) && !runsOf(said).some((run) => foreign.has(run));
  };
  const cleaned = Object.entries(words).map(([name, value]) => [
    name,
    name === 'text_read' ? value : ownPart(value, isOwn),
  ]);
  const own = Object.fromEntries(cleaned) as Words;
  return own.description && own.alt_text ? own : undefined;
}

function ownPart(value: Words[keyof Words], isOwn: (sentence: string) => boolean): typeof value {
  if (typeof value === 'string') return value.split(SENTENCE_END).filter(isOwn).join(' ');
  return Array.isArray(value) ? value.filter(isOwn) : value;
}

const SENTENCE_END = /(?<=[.!?])\s+/;
const QUOTED = /“[^”]*”|"[^"]*"|«[^»]*»|‘[^’]*’/g;
const ADDRESS = /\w+:\/\/|\bwww\.|[^\s@]+@[^\s@]+\.\w/i;

function saysTheSame({
  description,
  extended_description,
  composition,
  color,
  lighting,
  ...more
}: Words): boolean {
  const { emotional_journey, symbolism, artist_analysis } = more;
  const texts = [description, extended_description, composition, color, lighting];
  const said = [...texts, emotional_journey, symbolism, artist_analysis]
    .map((text) => text.trim())
    .filter(Boolean);
  return said.length - new Set(said).size >= SAME_TEXTS_MAX;
}

/** Every run of so many words, in lower case and without punctuation. */
function runsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.flatMap((_, at) => (at + RUN <= words.length ? [words.slice(at, at + RUN).join(' ')] : []));
}

const RULES = new Set(runsOf(INSTRUCTIONS));
