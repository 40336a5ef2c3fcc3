import type { Given } from '@atelier/imaging/analysis/facts/given.ts';
import { fitInside } from '@atelier/imaging/pixels/fit_inside.ts';
import { z } from 'zod';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { engineAnswer, imageField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { pictureAnswer } from '../../definitions/passthrough_answer.ts';
import { creditsBy } from '../../definitions/price.ts';
import { LARGE_PNG_B64, ORIGINAL_PNG_B64 } from '../../definitions/sample_pictures.ts';
import { enumSynonyms, withAliases, withCoercion, withDerivation } from '../../definitions/spellings.ts';
import { type CallContext, defineTool, type Suggestion } from '../../definitions/tool.ts';
import { soulWhisperField } from '../../metadata/tools/metadata_fields.ts';
import type { Services } from '../../services.ts';
import { LANGUAGE_NAMES, LANGUAGES, type Language, languageOf } from '../observations/language_words.ts';
import { PREVIEW_SIDE_PX } from '../observations/limits.ts';
import {
  OBSERVATIONS_EXAMPLE,
  OBSERVER_BRIEF,
  type Observations,
  observationsSchema,
  readObservations,
} from '../observations/observation_fields.ts';
import type { Enriched, EnrichRequest } from '../types.ts';
import { evidenceAnswer, sectionsAnswer, usageAnswer } from './analysis_answer.ts';
import { contentNote, NO_VISION_MODEL, visionEstimate, visionUnavailableReason } from './vision_estimate.ts';

const NAME_CHARACTERS_MAX = 200;
const BRIEF_CHARACTERS_MAX = 4000;

/** Metadata of the sample drawing. */
const SAMPLE_WORDS = {
  title: 'Evening, Two Mountains',
  observations: {
    subject: 'two mountains',
    action: 'under a low sun',
    setting: 'behind a lake',
    people_count: 0,
    objects: ['mountain', 'lake', 'sun'],
    style: 'flat drawing',
    mood: 'calm',
    prose: 'A low sun stands over two mountains behind a lake.',
  },
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

/** Client input that has a field in the file, so that `metadata` alone is sufficient for infuse_metadata. */
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
  sections: sectionsAnswer.optional().describe('Further facts, each with its basis and confidence.'),
});

const needed = {
  state: z
    .enum(['complete', 'needs_observations'])
    .describe(
      'needs_observations: no vision model is available; free. Look at `preview`, then send `observations`.',
    ),
  brief: z.string().optional().describe('Instructions for the observer.'),
  example: z.record(z.string(), z.unknown()).optional().describe('Of `observations`.'),
  measured: z.record(z.string(), z.unknown()).optional().describe('Summary of measurements and detections.'),
  preview: z
    .object({
      result: z.string(),
      result_url: z.string(),
      content_type: z.string(),
      width: z.int().min(1),
      height: z.int().min(1),
      size_bytes: z.int().min(1),
    })
    .optional()
    .describe('A small copy of the image to view.'),
  disagreements: z
    .array(z.object({ field: z.string(), observed: z.string(), found: z.string(), basis: z.string() }))
    .optional()
    .describe('Observations contradicted by the pixels, a network or a museum record.'),
};

const enriched = {
  tier: tierField,
  fields: z.array(z.string()).optional().describe('Field names of `metadata`, in tier standard.'),
  fields_count: z.string().optional().describe('Coverage of the analysis, in tier premium.'),
  metadata: z.union([standardMetadata, premiumMetadata]),
};

export const enrichMetadata = defineTool({
  name: 'enrich_metadata',
  title: 'Enrich metadata',
  category: 'creative',
  toolset: 'rights',
  summary:
    'Writes title, description, keywords and alt text of an image, or a full analysis in tier premium. Look at the image and send `observations`: they are compared with the pixels. Without them and without a model here it returns a preview and a brief, free.',
  instead: { infuse_metadata: 'to write it into the file', get_artwork_oracle: 'for museum works' },
  words:
    'describe, say or tell what is in or on a picture, caption, title, description, generate keywords, tags, alt text, accessibility, blind, analyse my image, seo, stock photo, listing of an online shop, artist statement, what does it show, what do you see in this image, what can you see, what is shown here, caption this, name or give my artwork a title, hashtags for instagram, product description from a photo, analyse the mood and style of my painting, analyse my drawing, accessibility text for a website, image recognition, classify, image to text, understand an image, write a blurb, catalogue text, critique my painting, explain to a blind user what the photo shows, who or what is in the photo, objects, scene, subject, content, screen reader, blog text, press release, catalogue entry, portfolio text, etsy description, interpret my own artwork, feedback on my art, category',
  price: creditsBy('tier', { standard: 1, premium: 2 }),
  input: z.object({
    image: imageField,
    tier: withAliases(
      withCoercion(
        tierField.default('premium').describe('premium: the full analysis.').meta({ title: 'How much' }),
        enumSynonyms({ basic: 'standard', full: 'premium', deep: 'premium' }),
      ),
      ...['mode', 'level', 'plan', 'quality', 'analysis_level'],
    ),
    title: briefly(shortText('Title of the work; empty: one is suggested.'), ''),
    artist_name: withAliases(
      briefly(shortText('Creator of the work.'), ''),
      ...['artist', 'creator', 'author', 'photographer'],
    ),
    copyright_holder: briefly(shortText('Rights holder.'), ''),
    creation_year: z
      .string()
      .regex(/^([0-9]{4})?$/, 'must be a year of 4 digits')
      .refine((year) => year !== '0000', 'must be a year from 0001 on')
      .default('')
      .describe('Four digits.')
      .meta({ title: 'Year' }),
    content_type: withCoercion(
      z
        .enum(['artwork', 'photo'])
        .default('artwork')
        .describe('Sets the style of the analysis.')
        .meta({ title: 'Kind of image' }),
      enumSynonyms({ photograph: 'photo', photography: 'photo', painting: 'artwork', art: 'artwork' }),
    ),
    context: z
      .string()
      .max(BRIEF_CHARACTERS_MAX)
      .default('')
      .describe("The creator's brief.")
      .meta({ title: 'What you know of it' }),
    soul_whisper: withAliases(
      withCoercion(
        briefly(
          soulWhisperField
            .optional()
            .describe('Premium: a public message kept in the metadata.')
            .meta({ title: 'Hidden message' }),
          'Premium: a public message.',
        ),
        (sent) => (typeof sent === 'string' && !/^\s*\{/.test(sent) ? { message: sent } : undefined),
      ),
      'whisper',
      'soul_whisper_message',
    ),
    observations: shownAs(
      withAliases(
        withDerivation(
          observationsSchema
            .optional()
            .describe('What you see in the image. Only `subject` is required.')
            .meta({ title: 'What you see' }),
          (sent) => {
            const read = readObservations(sent);
            return read === undefined || JSON.stringify(read) === JSON.stringify(sent)
              ? undefined
              : { observations: read };
          },
        ),
        ...['observation', 'seen', 'what_i_see'],
      ),
      {
        type: 'object',
        required: ['subject'],
        properties: { subject: { type: 'string' } },
        description:
          'What you see: subject, action, setting, people_count, visible_text[], objects[], style, mood, period, prose',
      },
    ),
    language: withCoercion(
      z.enum(LANGUAGES).optional().describe('Default: that of observations.').meta({ title: 'Language' }),
      enumSynonyms(LANGUAGE_NAMES),
    ),
    engine: z
      .enum(['default', 'built_in'])
      .default('default')
      .describe('built_in: no network, no model.')
      .meta({ title: 'Analyst' }),
  }),
  output: z.object({
    ...needed,
    ...enriched,
    evidence: evidenceAnswer,
    usage: usageAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: false, openWorld: true },
  examples: [
    { image: ORIGINAL_PNG_B64, tier: 'standard', observations: SAMPLE_WORDS.observations },
    {
      image: ORIGINAL_PNG_B64,
      tier: 'premium',
      title: SAMPLE_WORDS.title,
      observations: SAMPLE_WORDS.observations,
    },
  ],
  unpaid: { observer: { brief: OBSERVER_BRIEF, example: OBSERVATIONS_EXAMPLE } },
  next: ({ state, tier, metadata, preview }, input) => {
    const { image } = input;
    if (state === 'needs_observations') return [observeStep(input, preview?.result)];
    const { title, description, keywords, alt_text, ...more } = metadata;
    const { artist_name, creation_year, copyright_holder } = more;
    return [
      {
        action: 'Write it into the file',
        tool: 'infuse_metadata',
        why:
          tier === 'standard'
            ? 'The metadata is then part of the file'
            : 'The metadata is then part of the file; metadata_mode full_codex writes the whole `metadata` of this response',
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
  charge: async (input, { enrichment }: Pick<Services, 'enrichment'>) =>
    input.observations || (await enrichment.canDescribe(input.engine, languageFor(input)))
      ? undefined
      : { credits: 0, why: NO_VISION_MODEL },
  estimate: async (input, { enrichment }: Pick<Services, 'enrichment'>, asked) =>
    input.observations
      ? { degraded: false }
      : visionEstimate(enrichment, { engine: input.engine, language: languageFor(input) }, asked),
  repeats: {
    key: (input, { enrichment }: Pick<Services, 'enrichment'>) => enrichment.keyOf(requestOf(input)),
    async paidBefore(input, { enrichment }, wallet) {
      const before = await enrichment.answeredBefore(requestOf(input), wallet);
      return before && repeatNote(before);
    },
  },
  async run(input, services: Needs, call) {
    const { enrichment } = services;
    const { wallet, hold } = call;
    const { tier, soul_whisper } = input;
    if (soul_whisper && tier === 'standard')
      call.warn('soul_whisper is available in tier premium only and was ignored.');
    const payer = wallet ? { payer: { wallet, ...(hold !== undefined && { hold }) } } : {};
    const request = requestOf(input);
    const enriched = await enrichment.enrich({ ...request, ...payer }, call);
    if (enriched.repeats) call.waive(repeatNote(enriched.repeats));
    if (enriched.recognised) call.warn(recognisedNote(enriched.recognised));
    if (enriched.contentHint) call.warn(contentNote(enriched.contentHint));
    for (const note of enriched.notes ?? []) call.warn(note);
    warnOfLanguage(input, call);
    const { disagreements = [] } = enriched;
    return {
      ...(await stateOf(enriched, input, services, call)),
      tier,
      ...countsOf(tier, enriched),
      ...answerOf(enriched),
      ...(disagreements.length > 0 && { disagreements: [...disagreements] }),
    };
  },
  sandbox: {
    query: z.object({ tier: tierField.default('premium') }),
    answer: z.object(enriched),
    of: 'a drawing of 384 × 384 pixels and observations of it',
    input: ({ tier }) => ({ image: LARGE_PNG_B64, tier, ...SAMPLE_WORDS, language: 'en', engine: 'default' }),
    shown: ({ metadata }) => ({ metadata: shownOf(metadata) }),
    next: [
      {
        action: 'Enrich your own image',
        tool: 'enrich_metadata',
        why: 'The same call with observations of your image',
        params: { image: ORIGINAL_PNG_B64, tier: 'standard', observations: SAMPLE_WORDS.observations },
      },
      {
        action: 'Write metadata into a file',
        tool: 'infuse_metadata',
        why: 'The metadata is then part of the file',
        params: {
          image: ORIGINAL_PNG_B64,
          metadata: { title: SAMPLE_WORDS.title },
          metadata_mode: 'standard',
        },
      },
      {
        action: 'Measure the colours',
        tool: 'extract_palette',
        why: 'Free, and exact, unlike a description in words',
        params: { image: ORIGINAL_PNG_B64, num_colors: 4 },
      },
    ],
  },
});

/** The fields of the specification. */
function shownOf(metadata: Record<string, unknown>): Record<string, unknown> {
  const names = 'mood' in metadata ? PREMIUM_SAMPLE_FIELDS : STANDARD_SAMPLE_FIELDS;
  return Object.fromEntries(names.map((name) => [name, metadata[name]]));
}

type Needs = Pick<Services, 'enrichment' | 'pixels' | 'results'>;

/** Whether the response is complete and, if not, what the client needs for the next call. */
async function stateOf(enriched: Enriched, input: EnrichInput, services: Needs, call: CallContext) {
  if (enriched.isUnusable) {
    const reason = input.observations ? NOTHING_USABLE : nothingSeen(enriched.engine.name);
    return {
      state: 'needs_observations',
      brief: OBSERVER_BRIEF,
      degraded: true,
      degraded_reason: reason,
    } as const;
  }
  const reason = input.observations
    ? undefined
    : await visionUnavailableReason(services.enrichment, input.engine, languageFor(input));
  if (reason === undefined) return { state: 'complete', degraded: false } as const;
  return {
    state: 'needs_observations',
    brief: OBSERVER_BRIEF,
    example: OBSERVATIONS_EXAMPLE,
    measured: { ...enriched.measured },
    preview: await previewOf(input.image, services, call),
    degraded: true,
    degraded_reason: reason,
  } as const;
}

const NOTHING_USABLE =
  '`observations` does not describe this image. Look at it again, and send the same call with what it shows.';
/** @param engine name of the vision model or installed network */
const nothingSeen = (engine: string): string =>
  `${engine} found nothing to describe in this image. Look at it yourself, and send the same call with \`observations\`.`;

/** An upright copy of the image, downscaled for observers. */
async function previewOf(
  { bytes, width, height }: EnrichInput['image'],
  { pixels, results }: Needs,
  call: CallContext,
) {
  const size = fitInside({ width, height }, PREVIEW_SIDE_PX);
  const small = await pixels.run(
    'resize',
    { bytes, ...size, mode: 'contain', format: 'jpeg', quality: 85 },
    { signal: call.signal, pixels: width * height },
  );
  const { result, result_url, content_type, size_bytes } = await pictureAnswer(
    results,
    { bytes: small.bytes, contentType: 'image/jpeg', ...size },
    { output: 'url', warn: call.warn },
  );
  return { result, result_url, content_type, size_bytes, ...size };
}

/**
 * The same call with observations for the client to fill in.
 * @param preview replaces an image that was sent as bytes
 */
function observeStep({ image, tier, language }: Record<string, unknown>, preview?: string): Suggestion {
  return {
    action: 'Send what you see',
    tool: 'enrich_metadata',
    why: 'Replace the example with your own observations',
    params: {
      image: handleIn(image) ?? preview,
      tier,
      ...(language !== undefined && { language }),
      observations: OBSERVATIONS_EXAMPLE,
    },
  };
}

function warnOfLanguage({ observations, language }: EnrichInput, call: Pick<CallContext, 'warn'>): void {
  if (!observations || !language) return;
  const is = languageOf(textIn(observations));
  if (is && is !== language)
    call.warn(
      `The observations seem to be in "${is}" and \`language\` is "${language}": they are used as sent, not translated.`,
    );
}

const textIn = ({ subject, action = '', setting = '', prose = '' }: Observations): string =>
  [subject, action, setting, prose].join(' ');

/** Language of the response: as requested, or that of the observations. */
const languageFor = ({ language, observations }: Pick<EnrichInput, 'language' | 'observations'>): Language =>
  language ?? (observations && languageOf(textIn(observations))) ?? 'en';

/** Engine request, identical for a call and for the check whether it repeats an earlier one. */
function requestOf({
  image,
  tier,
  engine,
  soul_whisper,
  observations,
  language,
  ...given
}: EnrichInput): EnrichRequest {
  const isKept = tier === 'premium' && soul_whisper;
  return {
    image,
    tier,
    engine,
    given,
    language: languageFor({ language, observations }),
    ...(observations && { observations }),
    ...(isKept && { soulWhisper: soul_whisper }),
  };
}

const recognisedNote = ({ id, title, source }: NonNullable<Enriched['recognised']>): string =>
  `By visual similarity this is “${title}” (${id}): data of ${source ?? 'its record'} fills the fields that you did not send.`;

const repeatNote = (first: Date): string =>
  `The same call succeeded on ${first.toISOString().slice(0, 10)}; repeats within 30 days are free.`;

interface EnrichInput extends Given, Pick<EnrichRequest, 'image' | 'tier' | 'engine'> {
  readonly observations?: Observations | undefined;
  readonly language?: EnrichRequest['language'] | undefined;
  readonly soul_whisper?: z.output<typeof soulWhisperField> | undefined;
}

function countsOf(tier: 'standard' | 'premium', { metadata, factsCount }: Enriched) {
  if (tier === 'standard') return { fields: Object.keys(metadata) };
  const { sections, ...fields } = metadata as PremiumMetadata;
  if (!sections) return {};
  const known = `${Object.keys(fields).length} fields${emptyText(fields)}, ${factsCount} of the 111 facts known`;
  return { fields_count: `${known}, in ${sectionsText(sections)}` };
}

/** Names the required lists that are empty for lack of a source. */
function emptyText(fields: object): string {
  const empty = Object.entries(fields).flatMap(([name, value]) =>
    Array.isArray(value) && value.length === 0 ? [name] : [],
  );
  return empty.length > 0 ? ` (${empty.join(' and ')} empty: no source available)` : '';
}

function sectionsText(sections: NonNullable<PremiumMetadata['sections']>): string {
  const names = Object.entries(sections);
  const empty = names.flatMap(([name, facts]) => (Object.keys(facts).length === 0 ? [name] : []));
  if (empty.length === 0) return `${names.length} sections`;
  return `${names.length - empty.length} of ${names.length} sections; ${empty.join(' and ')} ${empty.length > 1 ? 'are' : 'is'} empty, because its facts are in the fields above`;
}

type PremiumMetadata = Extract<Enriched['metadata'], { mood: unknown }>;

const answerOf = ({ metadata, evidence, engine, usage }: Enriched) => ({
  metadata,
  evidence,
  engine,
  ...(usage && { usage }),
});
