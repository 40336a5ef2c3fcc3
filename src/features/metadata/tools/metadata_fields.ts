import { z } from 'zod';
import { withAliases, withCoercion } from '../../definitions/spellings.ts';
import {
  METADATA_LIST_LENGTH_MAX,
  METADATA_TEXT_CHARACTERS_MAX,
  SOUL_WHISPER_CHARACTERS_MAX,
  WHISPER_SENDER_CHARACTERS_MAX,
} from '../../definitions/tool_limits.ts';

const text = (about: string) => z.string().max(METADATA_TEXT_CHARACTERS_MAX).optional().describe(about);
const list = z.array(z.string().max(METADATA_TEXT_CHARACTERS_MAX)).max(METADATA_LIST_LENGTH_MAX);

/**
 * IPTC NewsCodes, http://cv.iptc.org/newscodes/digitalsourcetype/. Includes the retired but still common
 * digitalArt.
 */
const DIGITAL_SOURCE_TYPES = [
  'digitalCapture',
  'computationalCapture',
  'negativeFilm',
  'positiveFilm',
  'print',
  'humanEdits',
  'compositeWithTrainedAlgorithmicMedia',
  'algorithmicallyEnhanced',
  'digitalCreation',
  'digitalArt',
  'dataDrivenMedia',
  'trainedAlgorithmicMedia',
  'algorithmicMedia',
  'screenCapture',
  'virtualRecording',
  'composite',
  'compositeCapture',
  'compositeSynthetic',
] as const;

/** PLUS LDF 2.0.1, Data Mining, each without the prefix `DMI-`. */
const DATA_MINING_TERMS = [
  'UNSPECIFIED',
  'ALLOWED',
  'PROHIBITED-AIMLTRAINING',
  'PROHIBITED-GENAIMLTRAINING',
  'PROHIBITED-EXCEPTSEARCHENGINEINDEXING',
  'PROHIBITED',
  'PROHIBITED-SEECONSTRAINT',
  'PROHIBITED-SEEEMBEDDEDRIGHTSEXPR',
  'PROHIBITED-SEELINKEDRIGHTSEXPR',
] as const;

/** Fields that map to XMP and IPTC. A codex has others, so unknown fields are allowed. */
export const metadataField = z
  .looseObject({
    title: text('Title of the work.'),
    description: withAliases(text('Caption.'), 'caption'),
    keywords: withCoercion(list.optional(), (sent) =>
      typeof sent === 'string' ? sent.split(',').map((word) => word.trim()) : undefined,
    ),
    alt_text: withAliases(text('Alternative text.'), 'alt'),
    copyright_holder: withAliases(
      text('Rights holder; the default notice.'),
      ...['copyright', 'copyright_owner', 'rights_holder'],
    ),
    copyright_notice: text('Copyright notice.'),
    extended_description: text('Longer alternative text.'),
    creator: z
      .union([z.string().max(METADATA_TEXT_CHARACTERS_MAX), list])
      .optional()
      .describe('Author or authors.'),
    artist_name: text('Same as creator.'),
    creation_year: z
      .string()
      .regex(/^([0-9]{4})?$/, 'must be a year of 4 digits')
      .optional(),
    credit: text('Credit line.'),
    usage_terms: text('Usage terms.'),
    rights_url: z
      .string()
      .max(METADATA_TEXT_CHARACTERS_MAX)
      .regex(/^(https?:\/\/\S+)?$/i, 'must begin with https:// or http://')
      .optional()
      .describe('Page about the rights.'),
    digital_source_type: z.enum(DIGITAL_SOURCE_TYPES).optional().describe('Origin, an IPTC term.'),
    data_mining: z.enum(DATA_MINING_TERMS).optional().describe('Permission to mine, a PLUS term.'),
    data_mining_constraints: text('Conditions of a SEECONSTRAINT term.'),
    ai_system: text('AI system used.'),
    ai_system_version: text('Its version.'),
    ai_prompt: text('Prompt.'),
    ai_prompt_writer: text('Prompt author.'),
  })
  .describe(
    'standard: the fields listed here. full_codex: a codex of enrich_metadata; the listed fields also go into XMP and IPTC.',
  );

/** Message stored with an image for readers of its provenance. */
export const soulWhisperField = z.object({
  message: withAliases(z.string().max(SOUL_WHISPER_CHARACTERS_MAX), 'text', 'content', 'whisper'),
  sender: withAliases(z.string().max(WHISPER_SENDER_CHARACTERS_MAX).default(''), 'from', 'author', 'name'),
});

type Metadata = z.output<typeof metadataField>;

const KNOWN = Object.keys(metadataField.shape);

/** The known fields that are not empty, for the file. */
export function fieldsOf(metadata: Metadata) {
  const { artist_name: artist, creator = artist, ...rest } = metadata;
  const named = Object.entries({ ...rest, creator: typeof creator === 'string' ? [creator] : creator });
  const known = named.filter(([name]) => KNOWN.includes(name));
  const whispered = Object.entries(whisperIn(metadata) ?? {});
  return Object.fromEntries([...known, ...whispered].filter(([, value]) => !isEmpty(value)));
}

/** The soul whisper as returned by enrich_metadata, also readable by programs that do not read the codex. */
function whisperIn({ soul_whisper: whisper }: Metadata) {
  const read = soulWhisperField.safeParse(whisper);
  if (!read.success) return undefined;
  const { message, sender } = read.data;
  return { soul_whisper: message, soul_whisper_sender: sender };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === '' || (Array.isArray(value) && !value.some(Boolean));

export const unknownFieldsOf = (metadata: Metadata): string[] =>
  Object.keys(metadata).filter(
    (name) => !KNOWN.includes(name) && !(name === 'soul_whisper' && whisperIn(metadata)),
  );
