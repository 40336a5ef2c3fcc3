import type { Section } from '../analysis_fields.ts';
import { type ColorShare, type Fact, type Facts, oneText, texts } from './facts.ts';

/** Facts for the top-level fields of a response. */
const STANDARD = {
  title: 'work.title',
  description: 'description.summary',
  keywords: 'description.keywords',
  alt_text: 'description.alt_text',
} as const;

const PREMIUM = {
  title: 'work.title',
  art_movements: 'reading.art_movements',
  artist_analysis: 'reading.artist_analysis',
  color_palette: 'color.palette',
  composition: 'composition.overview',
  emotional_journey: 'reading.emotional_journey',
  keywords: 'description.keywords',
  lighting: 'light.overview',
  mood: 'reading.mood',
  symbolism: 'reading.symbolism',
  themes: 'description.themes',
} as const;

/** Facts that `infuse_metadata` can write to a file. */
const FOR_THE_FILE = {
  description: 'description.summary',
  alt_text: 'description.alt_text',
  extended_description: 'description.extended_description',
  artist_name: 'work.artist_name',
  creation_year: 'work.date',
  copyright_holder: 'work.copyright_holder',
} as const;

export interface SoulWhisper {
  readonly message: string;
  readonly sender: string;
}

export type Evidence = Record<string, Omit<Fact, 'value'>>;

export interface StandardMetadata {
  readonly title: string;
  readonly description: string;
  readonly keywords: string[];
  readonly alt_text: string;
  readonly artist_name?: string;
  readonly creation_year?: string;
  readonly copyright_holder?: string;
}

export interface PremiumMetadata {
  readonly title: string;
  readonly art_movements: string[];
  readonly artist_analysis: string;
  readonly color_palette: { hex: string; name: string }[];
  readonly composition: string;
  readonly emotional_journey: string;
  readonly keywords: string[];
  readonly lighting: string;
  readonly mood: string;
  readonly symbolism: string;
  readonly themes: string[];
  readonly description?: string;
  readonly alt_text?: string;
  readonly extended_description?: string;
  readonly artist_name?: string;
  readonly creation_year?: string;
  readonly copyright_holder?: string;
  readonly soul_whisper?: SoulWhisper;
  /** All other fields, in 8 sections; undefined if not part of the response. */
  readonly sections?: Facts;
}

/** Fields that clients may send with an image. */
const SENT_ALONG = {
  artist_name: FOR_THE_FILE.artist_name,
  creation_year: FOR_THE_FILE.creation_year,
  copyright_holder: FOR_THE_FILE.copyright_holder,
} as const;

/** The four fields of tier standard, the fields sent by the client, and the basis of each. */
export function standardMetadata(facts: Facts): { metadata: StandardMetadata; evidence: Evidence } {
  const isGiven = ([, path]: [string, string]) => factAt(facts, path)?.basis === 'given';
  const given = Object.fromEntries(Object.entries(SENT_ALONG).filter(isGiven)) as typeof SENT_ALONG;
  return {
    metadata: {
      title: oneText(factAt(facts, STANDARD.title)),
      description: oneText(factAt(facts, STANDARD.description)),
      keywords: texts(factAt(facts, STANDARD.keywords)),
      alt_text: oneText(factAt(facts, STANDARD.alt_text)),
      ...textsFor(facts, given),
    },
    evidence: evidenceOf(facts, { ...STANDARD, ...given }),
  };
}

/** The eleven fields of tier premium, those that a file supports, the basis of each, and the rest in sections. */
export function premiumMetadata(
  facts: Facts,
  soulWhisper?: SoulWhisper,
): { metadata: PremiumMetadata; evidence: Evidence } {
  const text = (path: string) => oneText(factAt(facts, path));
  const palette = (factAt(facts, PREMIUM.color_palette)?.value ?? []) as readonly ColorShare[];
  return {
    metadata: {
      title: text(PREMIUM.title),
      art_movements: texts(factAt(facts, PREMIUM.art_movements)),
      artist_analysis: text(PREMIUM.artist_analysis),
      color_palette: palette.map(({ hex, name }) => ({ hex, name })),
      composition: text(PREMIUM.composition),
      emotional_journey: text(PREMIUM.emotional_journey),
      keywords: texts(factAt(facts, PREMIUM.keywords)),
      lighting: text(PREMIUM.lighting),
      mood: text(PREMIUM.mood),
      symbolism: text(PREMIUM.symbolism),
      themes: texts(factAt(facts, PREMIUM.themes)),
      ...keepPlainYear(textsFor(facts, FOR_THE_FILE)),
      ...(soulWhisper && { soul_whisper: soulWhisper }),
      sections: dropTop(facts),
    },
    evidence: evidenceOf(facts, { ...PREMIUM, ...FOR_THE_FILE }),
  };
}

/** @param path section and field */
function factAt(facts: Facts, path: string): Fact | undefined {
  const [section, name] = path.split('.') as [Section, string];
  return (facts[section] as Record<string, Fact | undefined>)[name];
}

function textsFor<Names extends string>(
  facts: Facts,
  paths: Readonly<Record<Names, string>>,
): { [Name in Names]?: string } {
  const seen = Object.entries<string>(paths).filter(([, path]) => factAt(facts, path)?.basis !== 'unseen');
  const entries = seen.map(([name, path]) => [name, oneText(factAt(facts, path))]);
  return Object.fromEntries(entries.filter(([, text]) => text !== '')) as { [Name in Names]?: string };
}

/** A museum's date ("c. 1615") is not a year; it stays in the sections. */
function keepPlainYear<T extends { creation_year?: string }>(texts: T): T {
  const { creation_year: year, ...rest } = texts;
  return year === undefined || /^[0-9]{4}$/.test(year) ? texts : (rest as T);
}

function evidenceOf(facts: Facts, paths: Record<string, string>): Evidence {
  return Object.fromEntries(
    Object.entries(paths).flatMap(([name, path]) => {
      const fact = factAt(facts, path);
      if (!fact) return [];
      const { value: _, ...known } = fact;
      return [[name, known]];
    }),
  );
}

/** Keeps the palette, which has shares only there, and the date, which may not be a year. */
function dropTop(facts: Facts): Facts {
  const stay: string[] = [PREMIUM.color_palette, FOR_THE_FILE.creation_year];
  const shown = new Set<string>(
    Object.values({ ...PREMIUM, ...FOR_THE_FILE }).filter((path) => !stay.includes(path)),
  );
  const kept = Object.entries(facts).map(([section, fields]) => [
    section,
    Object.fromEntries(Object.entries(fields).filter(([name]) => !shown.has(`${section}.${name}`))),
  ]);
  return Object.fromEntries(kept) as Facts;
}
