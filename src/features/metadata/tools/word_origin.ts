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

/** IPTC source types for works by a trained model. The first is the default. */
const SOURCE_TYPES = [
  'trainedAlgorithmicMedia',
  'compositeWithTrainedAlgorithmicMedia',
  'compositeSynthetic',
] as const;

export interface WordedOrigin {
  readonly origin: Required<AiOrigin>;
  /** True if the client sent the id. */
  readonly isNamed: boolean;
  readonly label?: Omit<LabelRequest, 'typeface'>;
}

const ID_HEX_DIGITS = 16;

/**
 * Describes the AI system that made an image, as written into the file. The default id is a hash of image and
 * facts, so that a repeated call writes the same file.
 * @throws AtelierError invalid_input for a time in the future, or a source type without AI
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

/** Records the label that the file's metadata declares, so that it is not drawn twice. */
export function keepLabel(worded: WordedOrigin, shown: AiLabel | undefined): WordedOrigin {
  const style = LABEL_STYLES.find((one) => one === shown?.style);
  const language = LABEL_LANGUAGES.find((one) => one === shown?.language);
  if (!worded.label || !style || !language) return worded;
  const kind = (['generated', 'modified'] as const).find(
    (one) => labelParts({ style, language, kind: one }).join(' ') === shown?.words,
  );
  return kind ? { ...worded, label: { ...worded.label, noted: { style, language, kind } } } : worded;
}

/** Keeps the identifier in the file unless the client sent one. */
export function keepImageId(worded: WordedOrigin, imageId: string | undefined): WordedOrigin {
  const isKept = !worded.isNamed && aiField.unwrap().shape.id.safeParse(imageId).success;
  return isKept && imageId !== undefined ? { ...worded, origin: { ...worded.origin, id: imageId } } : worded;
}

/** The origin under the field names of `metadata`. */
export const originFields = ({ sourceType, system, version }: Required<AiOrigin>) => ({
  digital_source_type: sourceType,
  ai_system: system,
  ai_system_version: version,
});

/** The origin as stored in a codex, which the soulmark signs. */
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
