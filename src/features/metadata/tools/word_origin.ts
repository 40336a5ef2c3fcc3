import { createHash } from 'node:crypto';
import type { LabelRequest } from '@atelier/imaging/label/draw_label.ts';
import { LABEL_LANGUAGES, LABEL_STYLES, labelParts } from '@atelier/imaging/label/label_words.ts';
import type { AiLabel } from '@atelier/imaging/metadata/rights/ai_label.ts';
import type { AiOrigin } from '@atelier/imaging/metadata/rights/origin.ts';
import type { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { aiField } from '../../definitions/rights_fields.ts';
import { CLOCK_AHEAD_MS_MAX } from '../../definitions/tool_limits.ts';
import type { metadataField } from './metadata_fields.ts';

type Ai = NonNullable<z.output<typeof aiField>>;

/** Kinds of source by which IPTC says that a trained model took part; the first where nothing is said. */
const SOURCE_TYPES = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
] as const;

export interface WordedOrigin {
  readonly origin: Required<AiOrigin>;
  /** Its id is the caller's. */
  readonly isNamed: boolean;
  readonly label?: Omit<LabelRequest, 'typeface'>;
}

const ID_HEX_DIGITS = 16;

/**
 * The machine that made a picture, as the file will have it. Without an id it gets one of the bytes that were sent, so the same
 * call writes the same.
 * @throws AtelierError invalid_input for a time to come, and for a kind of source that is no machine's
 */
export function wordOrigin(
  ai: Ai,
  { digital_source_type: given }: Pick<z.output<typeof metadataField>, 'digital_source_type'>,
  { bytes, now }: { bytes: Uint8Array; now: number },
): WordedOrigin {
  const { system, version, provider, generated_at } = ai;
  if (Date.parse(generated_at) > now + CLOCK_AHEAD_MS_MAX) {
    throw invalidField(
      'ai.generated_at',
      `ai.generated_at is in the future (server time: ${new Date(now).toISOString()}). Send the time when the image was made.`,
    );
  }
  const sourceType = SOURCE_TYPES.find((type) => type === (given ?? SOURCE_TYPES[0]));
  if (!sourceType) {
    throw invalidField(
      'metadata.digital_source_type',
      `metadata.digital_source_type is ${given}, which means that no AI made the image, but ai is present. Omit one of them, or send one of ${SOURCE_TYPES.join(', ')}.`,
    );
  }
  const at = new Date(generated_at).toISOString().replace('.000Z', 'Z');
  const facts = [system, version, provider, at].join('\0');
  const digest = createHash('sha256').update(bytes).update(facts).digest('hex').slice(0, ID_HEX_DIGITS);
  const origin = { sourceType, system, version, provider, at, id: ai.id ?? digest };
  const kind = sourceType === SOURCE_TYPES[0] ? 'generated' : 'modified';
  return { origin, isNamed: ai.id !== undefined, ...(ai.label && { label: { ...ai.label, kind } }) };
}

/** Adds the label the metadata of the file names, so that it is not drawn twice. */
export function keepLabel(worded: WordedOrigin, shown: AiLabel | undefined): WordedOrigin {
  const style = LABEL_STYLES.find((one) => one === shown?.style);
  const language = LABEL_LANGUAGES.find((one) => one === shown?.language);
  if (!worded.label || !style || !language) return worded;
  const kind = (['generated', 'modified'] as const).find(
    (one) => labelParts({ style, language, kind: one }).join(' ') === shown?.words,
  );
  return kind ? { ...worded, label: { ...worded.label, noted: { style, language, kind } } } : worded;
}

/** Where the caller names none, the identifier the file has stays. */
export function keepImageId(worded: WordedOrigin, imageId: string | undefined): WordedOrigin {
  const isKept = !worded.isNamed && aiField.unwrap().shape.id.safeParse(imageId).success;
  return isKept && imageId !== undefined ? { ...worded, origin: { ...worded.origin, id: imageId } } : worded;
}

/** The same by the names of `metadata`. */
export const originFields = ({ sourceType, system, version }: Required<AiOrigin>) => ({
  digital_source_type: sourceType,
  ai_system: system,
  ai_system_version: version,
});

/** As a codex holds it, so that the soulmark signs it. */
export const codexOrigin = (
  { sourceType, system, version, provider, at, id }: Required<AiOrigin>,
  label: AiLabel | undefined,
) => ({
  digital_source_type: sourceType,
  system,
  version,
  provider,
  generated_at: at,
  id,
  ...(label && { label }),
});
