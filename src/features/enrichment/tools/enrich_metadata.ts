import type { Given } from '@atelier/imaging/analysis/write/given.ts';
import { z } from 'zod';
import { engineAnswer, imageField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/handle_in.ts';
import { creditsBy } from '../../definitions/price.ts';
import { LARGE_PNG_B64, ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { alsoCalled, alsoRead, inWords } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import { soulWhisperField } from '../../metadata/tools/metadata_fields.ts';
import type { Services } from '../../services.ts';
import type { Enriched, EnrichRequest } from '../types.ts';
import { evidenceAnswer, sectionsAnswer, usageAnswer } from './analysis_answer.ts';
import { blindness, subjectAdvice } from './blindness.ts';
import { contentNote } from './content_note.ts';
import { sightOutlook } from './sight_outlook.ts';

const NAME_CHARACTERS_MAX = 200;
const BRIEF_CHARACTERS_MAX = 4000;

/** What the drawing of the samples shows. */
const SAMPLE_WORDS = {
  title: 'Evening, Two Mountains',
  context: 'A low sun over two mountains behind a lake.',
};
const STANDARD_SAMPLE_FIELDS = ['title', 'description', 'keywords', 'alt_text'];
const PREMIUM_SAMPLE_FIELDS = [
  'title',
  'art_movements',
  'artist_analysis',
  'color_palette',
  'composition',
  'emotional_journey',
  'keywords',
  'lighting',
  'mood',
  'symbolism',
  'themes',
];

const tierField = z.enum(['standard', 'premium']);
const shortText = (about: string) => z.string().max(NAME_CHARACTERS_MAX).default('').describe(about);

/** What the caller has sent and a file has a place for: with it, `metadata` alone is enough for infuse_metadata. */
const sentAlong = {
  artist_name: z.string().optional(),
  creation_year: z.string().optional(),
  copyright_holder: z.string().optional(),
};

const standardMetadata = z.strictObject({
  title: z.string(),
  description: z.string(),
  keywords: z.array(z.string()),
  alt_text: z.string(),
  ...sentAlong,
});

const premiumMetadata = z.strictObject({
  title: z.string(),
  art_movements: z.array(z.string()),
  artist_analysis: z.string(),
  color_palette: z.array(z.object({ hex: z.string(), name: z.string() })),
  composition: z.string(),
  emotional_journey: z.string(),
  keywords: z.array(z.string()),
  lighting: z.string(),
  mood: z.string(),
  symbolism: z.string(),
  themes: z.array(z.string()),
  description: z.string().optional(),
  alt_text: z.string().optional(),
  extended_description: z.string().optional(),
  ...sentAlong,
  soul_whisper: soulWhisperField.optional(),
  sections: sectionsAnswer
    .optional()
    .describe('Everything else that is known, each fact with its basis and confidence.'),
});

const enriched = {
  tier: tierField,
  fields: z.array(z.string()).optional().describe('Names of the fields of `metadata`, in tier standard.'),
  fields_count: z.string().optional().describe('How much of the analysis there is, in tier premium.'),
  metadata: z.union([standardMetadata, premiumMetadata]),
};

export const enrichMetadata = defineTool({
  name: 'enrich_metadata',
  title: 'Enrich metadata',
  category: 'creative',
  toolset: 'rights',
  summary:
    'Looks at a picture and writes its metadata: title, description, keywords and alt text, or a full analysis in tier premium. Says how each field is known, and leaves out what is not. The same call of a wallet within 30 days costs nothing.',
  instead: { infuse_metadata: 'to write it into the file', get_artwork_oracle: 'for museum works' },
  words:
    'describe, say or tell what is in or on a picture, caption, title, description, generate keywords, tags, alt text, accessibility, blind, analyse my image, seo, stock photo, listing of an online shop, artist statement, what does it show, what do you see in this image, what can you see, what is shown here, caption this, name or give my artwork a title, hashtags for instagram, product description from a photo, analyse the mood and style of my painting, analyse my drawing, accessibility text for a website, image recognition, classify, image to text, understand an image, write a blurb, catalogue text, critique my painting, explain to a blind user what the photo shows, who or what is in the photo, objects, scene, subject, content, screen reader, blog text, press release, catalogue entry, portfolio text, etsy description, interpret my own artwork, feedback on my art, category',
  price: creditsBy('tier', { standard: 1, premium: 2 }),
  input: z.object({
    image: imageField,
    tier: alsoCalled(
      alsoRead(
        tierField
          .default('premium')
          .describe('standard: four fields; premium: the full analysis.')
          .meta({ title: 'How much' }),
        inWords({ basic: 'standard', full: 'premium', deep: 'premium' }),
      ),
      ...['mode', 'level', 'plan', 'quality', 'analysis_level'],
    ),
    title: shortText('Of the work; empty: one is suggested.'),
    artist_name: alsoCalled(shortText('Who made it.'), ...['artist', 'creator', 'author', 'photographer']),
    copyright_holder: shortText('Who holds the rights.'),
    creation_year: z
      .string()
      .regex(/^([0-9]{4})?$/, 'must be a year of 4 digits')
      .refine((year) => year !== '0000', 'must be a year from 0001 on')
      .default('')
      .describe('Of creation, four digits.')
      .meta({ title: 'Year' }),
    content_type: alsoRead(
      z
        .enum(['artwork', 'photo'])
        .default('artwork')
        .describe('Sets the style of the analysis.')
        .meta({ title: 'Kind of picture' }),
      inWords({ photograph: 'photo', photography: 'photo', painting: 'artwork', art: 'artwork' }),
    ),
    context: z
      .string()
      .max(BRIEF_CHARACTERS_MAX)
      .default('')
      .describe("The creator's brief.")
      .meta({ title: 'What you know of it' }),
    soul_whisper: alsoCalled(
      alsoRead(
        soulWhisperField
          .optional()
          .describe('Tier premium only: a message kept in the metadata, readable by anyone.')
          .meta({ title: 'Hidden message' }),
        (sent) => (typeof sent === 'string' && !/^\s*\{/.test(sent) ? { message: sent } : undefined),
      ),
      'whisper',
      'soul_whisper_message',
    ),
    engine: z
      .enum(['default', 'built_in'])
      .default('default')
      .describe('default: with the networks and vision model this server has; built_in: measures form alone.')
      .meta({ title: 'Analyst' }),
  }),
  output: z.object({
    ...enriched,
    evidence: evidenceAnswer,
    usage: usageAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: false, openWorld: true },
  examples: [
    { image: ORIGINAL_PNG_B64, tier: 'standard' },
    {
      image: ORIGINAL_PNG_B64,
      tier: 'premium',
      title: 'Evening, Two Mountains',
      context: 'Cover of a travel diary.',
    },
  ],
  next: ({ tier, metadata }, { image }) => {
    const { title, description, keywords, alt_text, ...more } = metadata;
    const { artist_name, creation_year, copyright_holder } = more;
    return [
      {
        action: 'Write it into the file',
        tool: 'infuse_metadata',
        why:
          tier === 'standard'
            ? 'It then travels with the picture'
            : 'It then travels with the picture; in metadata_mode full_codex with the whole `metadata` of this answer all of it does',
        params: {
          image: handleIn(image),
          metadata: {
            title,
            description,
            keywords,
            alt_text,
            artist_name,
            creation_year,
            copyright_holder,
          },
          metadata_mode: 'standard',
        },
      },
    ];
  },
  outlook: ({ engine }, { enrichment }: Pick<Services, 'enrichment'>, asked) =>
    sightOutlook(enrichment, engine, asked),
  repeats: {
    key: (input, { enrichment }: Pick<Services, 'enrichment'>) => enrichment.keyOf(requestOf(input)),
    async paidBefore(input, { enrichment }, wallet) {
      const before = await enrichment.answeredBefore(requestOf(input), wallet);
      return before && repeatNote(before);
    },
  },
  async run(input, { enrichment }: Pick<Services, 'enrichment'>, call) {
    const { wallet, hold } = call;
    const { tier, soul_whisper, ...given } = input;
    if (soul_whisper && tier === 'standard')
      call.warn('soul_whisper belongs to tier premium and was left out.');
    const payer = wallet ? { payer: { wallet, ...(hold !== undefined && { hold }) } } : {};
    const enriched = await enrichment.enrich({ ...requestOf(input), ...payer }, call);
    if (enriched.repeats) call.waive(repeatNote(enriched.repeats));
    if (enriched.recognised) call.warn(recognisedNote(enriched.recognised));
    else if (!enriched.usage && enriched.subjectsCount === 0)
      call.warn(subjectAdvice(given, input.engine === 'built_in' ? {} : await enrichment.eyes()));
    if (enriched.contentHint) call.warn(contentNote(enriched.contentHint));
    const seen = (await blindness(enrichment, input.engine, enriched)) ?? { degraded: false };
    return { tier, ...countsOf(tier, enriched), ...answerOf(enriched), ...seen };
  },
  sandbox: {
    query: z.object({ tier: tierField.default('premium') }),
    answer: z.object(enriched),
    of: 'a drawing of 384 × 384 pixels, by the engine that would answer you',
    input: ({ tier }) => ({ image: LARGE_PNG_B64, tier, ...SAMPLE_WORDS, engine: 'default' }),
    shown: ({ metadata }) => ({ metadata: shownOf(metadata) }),
    next: [
      {
        action: 'Enrich your own picture',
        tool: 'enrich_metadata',
        why: 'The same call looks at the picture you send',
        params: { image: ORIGINAL_PNG_B64, tier: 'standard' },
      },
      {
        action: 'Write metadata into a file',
        tool: 'infuse_metadata',
        why: 'The metadata then travels with the picture',
        params: {
          image: ORIGINAL_PNG_B64,
          metadata: { title: SAMPLE_WORDS.title },
          metadata_mode: 'standard',
        },
      },
      {
        action: 'Measure the colours',
        tool: 'extract_palette',
        why: 'Free, and exact where a description is only words',
        params: { image: ORIGINAL_PNG_B64, num_colors: 4 },
      },
    ],
  },
});

/** Of the metadata what the specification names. */
function shownOf(metadata: Record<string, unknown>): Record<string, unknown> {
  const names = 'mood' in metadata ? PREMIUM_SAMPLE_FIELDS : STANDARD_SAMPLE_FIELDS;
  return Object.fromEntries(names.map((name) => [name, metadata[name]]));
}

/** What is asked of the engine, which is the same for a run and for the question whether it would be the first. */
function requestOf({ image, tier, engine, soul_whisper, ...given }: EnrichInput): EnrichRequest {
  const isKept = tier === 'premium' && soul_whisper;
  return { image, tier, engine, given, ...(isKept && { soulWhisper: soul_whisper }) };
}

const recognisedNote = ({ id, title, source }: NonNullable<Enriched['recognised']>): string =>
  `By its looks this is “${title}” (${id}): what ${source ?? 'its record'} says of it was used where you have given nothing else.`;

const repeatNote = (first: Date): string =>
  `The same call was answered on ${first.toISOString().slice(0, 10)}; within 30 days it costs nothing again.`;

interface EnrichInput extends Given, Pick<EnrichRequest, 'image' | 'tier' | 'engine'> {
  readonly soul_whisper?: z.output<typeof soulWhisperField> | undefined;
}

function countsOf(tier: 'standard' | 'premium', { metadata, factsCount }: Enriched) {
  if (tier === 'standard') return { fields: Object.keys(metadata) };
  const { sections, ...fields } = metadata as PremiumMetadata;
  const known = `${Object.keys(fields).length} fields${emptyText(fields)}, ${factsCount} of the 111 facts known`;
  return { fields_count: `${known}, in ${sectionsText(sections)}` };
}

/** The lists the specification wants in every answer, where nothing tells them. */
function emptyText(fields: object): string {
  const empty = Object.entries(fields).flatMap(([name, value]) =>
    Array.isArray(value) && value.length === 0 ? [name] : [],
  );
  return empty.length > 0 ? ` (${empty.join(' and ')} empty: nothing here tells them)` : '';
}

function sectionsText(sections: PremiumMetadata['sections']): string {
  const names = Object.entries(sections);
  const empty = names.flatMap(([name, facts]) => (Object.keys(facts).length === 0 ? [name] : []));
  if (empty.length === 0) return `${names.length} sections`;
  return `${names.length - empty.length} of ${names.length} sections; ${empty.join(' and ')} ${empty.length > 1 ? 'are' : 'is'} empty, because what is known there stands in the fields above`;
}

type PremiumMetadata = Extract<Enriched['metadata'], { sections: unknown }>;

const answerOf = ({ metadata, evidence, engine, usage }: Enriched) => ({
  metadata,
  evidence,
  engine,
  ...(usage && { usage }),
});
