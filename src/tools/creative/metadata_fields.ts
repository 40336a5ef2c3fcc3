import { z } from 'zod';
import { alsoCalled, alsoRead } from '../spellings.ts';
import {
  METADATA_LIST_LENGTH_MAX,
  METADATA_TEXT_CHARACTERS_MAX,
  SOUL_WHISPER_CHARACTERS_MAX,
  WHISPER_SENDER_CHARACTERS_MAX,
} from './limits.ts';

const text = (about: string) => z.string().max(METADATA_TEXT_CHARACTERS_MAX).optional().describe(about);
const list = z.array(z.string().max(METADATA_TEXT_CHARACTERS_MAX)).max(METADATA_LIST_LENGTH_MAX);

/** IPTC NewsCodes, http://cv.iptc.org/newscodes/digitalsourcetype/ ; digitalArt has been retired and is still written. */
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

/** PLUS LDF 2.0.1, Data Mining; each stands for DMI-… */
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

/** The fields that have a place in XMP and IPTC. A codex has more beside them, so others pass. */
export const metadataField = z
  .looseObject({
    title: text('Title of the work.'),
    description: alsoCalled(text('What it shows; the caption.'), 'caption'),
    keywords: alsoRead(list.optional(), (sent) =>
      typeof sent === 'string' ? sent.split(',').map((word) => word.trim()) : undefined,
    ),
    alt_text: alsoCalled(text('For whoever cannot see it.'), 'alt'),
    copyright_holder: alsoCalled(
      text('Whose rights these are; also the notice where none is given.'),
      ...['copyright', 'copyright_owner', 'rights_holder'],
    ),
    copyright_notice: text('The notice as it is to be read.'),
    extended_description: text('A longer text for whoever cannot see it.'),
    creator: z
      .union([z.string().max(METADATA_TEXT_CHARACTERS_MAX), list])
      .optional()
      .describe('Who made it.'),
    artist_name: text('The same as creator, as enrich_metadata calls it.'),
    creation_year: z
      .string()
      .regex(/^([0-9]{4})?$/, 'must be a year of 4 digits')
      .optional(),
    credit: text('Whom to name beside it.'),
    usage_terms: text('How it may be used.'),
    rights_url: z
      .string()
      .max(METADATA_TEXT_CHARACTERS_MAX)
      .regex(/^(https?:\/\/\S+)?$/i, 'must begin with https:// or http://')
      .optional()
      .describe('Page about the rights.'),
    digital_source_type: z.enum(DIGITAL_SOURCE_TYPES).optional().describe('How it came to be (IPTC).'),
    data_mining: z.enum(DATA_MINING_TERMS).optional().describe('Whether machines may learn from it (PLUS).'),
    data_mining_constraints: text('Conditions, for terms that end in SEECONSTRAINT.'),
    ai_system: text('What made it, where a machine did.'),
    ai_system_version: text('Version of that.'),
    ai_prompt: text('What it was asked for.'),
    ai_prompt_writer: text('Who asked.'),
  })
  .describe(
    'standard: any of the fields named here. full_codex: the codex as enrich_metadata answered it; fields named here go into XMP and IPTC too.',
  );

/** A message kept with a picture for whoever reads where it comes from. */
export const soulWhisperField = z.object({
  message: alsoCalled(z.string().max(SOUL_WHISPER_CHARACTERS_MAX), 'text', 'content', 'whisper'),
  sender: alsoCalled(z.string().max(WHISPER_SENDER_CHARACTERS_MAX).default(''), 'from', 'author', 'name'),
});

type Metadata = z.output<typeof metadataField>;

const KNOWN = Object.keys(metadataField.shape);

/** The fields for the file, without what is empty. */
export function fieldsOf(metadata: Metadata) {
  const { artist_name: artist, creator = artist, ...rest } = metadata;
  const named = Object.entries({ ...rest, creator: typeof creator === 'string' ? [creator] : creator });
  const known = named.filter(([name]) => KNOWN.includes(name));
  const whispered = Object.entries(whisperIn(metadata) ?? {});
  return Object.fromEntries([...known, ...whispered].filter(([, value]) => !isEmpty(value)));
}

/** The soul whisper as enrich_metadata answers it, also readable by whoever cannot read a codex. */
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
