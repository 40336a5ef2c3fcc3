import { createHash } from 'node:crypto';
import type { MetadataFields } from '@atelier/imaging/metadata/fields.ts';
import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import type { AiOrigin } from '@atelier/imaging/metadata/rights/origin.ts';
import type { ManifestAction } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import { z } from 'zod';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../core/workers/types.ts';
import type { ImageModelName } from '../generation/types.ts';
import { type Marked, markAsAi } from '../provenance/tools/mark_as_ai.ts';
import { timeStampAnswer, timeStampField } from '../provenance/tools/time_stamp_answer.ts';
import type { Services } from '../services.ts';
import { imageAnswer } from './fields.ts';
import { metadataAnswer, metadataOf, pictureAnswer } from './passthrough_answer.ts';
import type { CallContext } from './tool.ts';
import { AI_NAME_CHARACTERS_MAX } from './tool_limits.ts';

/** Response fields of a generated image. */
export const generatedAnswer = {
  ...imageAnswer,
  model: z
    .object({ name: z.string(), provider: z.string() })
    .describe('The AI system; also written into the file.'),
  marks: z
    .object({
      digital_source_type: z.string().describe('IPTC term, in XMP.'),
      watermark: z.boolean().describe('Invisible, in the pixels.'),
      c2pa_manifest: z.boolean().describe('Signed with the certificate of this server.'),
    })
    .describe('AI marks in the file.'),
  time_stamp: timeStampField.optional().describe('Of the manifest.'),
};

export type GeneratedServices = Pick<Services, 'pixels' | 'results' | 'manifests' | 'marks' | 'evidence'>;

interface Generated {
  /** The image as sent by the provider. */
  readonly image: SourceImage;
  readonly model: ImageModelName;
  readonly prompt: string;
  readonly output: 'base64' | 'url';
  /** The source image of an edit, and the handling of its metadata. */
  readonly changed?: { readonly image: SourceImage; readonly metadata: CarriedMetadata };
}

/** Providers state no version of their models. */
const NO_VERSION = 'unstated';
const ID_HEX_DIGITS = 16;
const CHANGED: readonly ManifestAction[] = [
  {
    action: 'c2pa.edited',
    description: 'Changed by an image model as described in words',
    sourceType: 'compositeWithTrainedAlgorithmicMedia',
  },
];

/**
 * Marks a generated image as AI output (IPTC metadata with model and prompt, a watermark, a C2PA manifest where this server has a
 * certificate), stores it and returns its response fields.
 * @throws AtelierError as pixels and results do
 */
export async function generatedAnswerOf(
  { image, model, prompt, output, changed }: Generated,
  services: GeneratedServices,
  call: CallContext,
) {
  const { pixels, manifests, results } = services;
  const control = { pixels: image.width * image.height, ...call };
  const origin = originOf(image, model, changed !== undefined);
  const marked = await watermarked(image, origin, services, call);
  const fields: MetadataFields = {
    digital_source_type: origin.sourceType,
    ai_system: origin.system,
    ai_system_version: origin.version,
    ai_prompt: prompt,
  };
  const { bytes } = await pixels.run(
    'infuse',
    { bytes: marked?.bytes ?? image.bytes, fields, original: image.bytes, origin: marked?.origin ?? origin },
    control,
  );
  const type = `image/${image.format}`;
  const before = changed?.image ?? image;
  const isLost = manifests.sign && (await manifests.read(before.bytes, control))?.state === 'unreadable';
  const manifest = await manifests.sign?.(
    {
      bytes,
      before: isLost ? bytes : before.bytes,
      beforeType: isLost ? type : `image/${before.format}`,
      type,
      title: 'Untitled',
      origin: marked?.origin ?? origin,
      actions: changed ? CHANGED : [],
      ...(marked && { isMarked: true }),
    },
    control,
  );
  const made = {
    bytes: manifest?.bytes ?? bytes,
    contentType: type,
    width: image.width,
    height: image.height,
  };
  return {
    ...(await pictureAnswer(results, made, { output, durable: true, warn: call.warn })),
    model: { ...model },
    marks: {
      digital_source_type: origin.sourceType,
      watermark: marked !== undefined,
      c2pa_manifest: manifest !== undefined,
    },
    ...(manifest && { time_stamp: timeStampAnswer(manifest.timeStamp) }),
  };
}

/** The model as the engine of a response, for `engineAnswer`. */
export const engineOf = ({ name }: ImageModelName) => ({
  engine: { name, version: NO_VERSION },
  degraded: false as const,
});

/** Handling of the metadata of the source image of an edit. */
export const changedAnswer = metadataAnswer;
export const changedAnswerOf = metadataOf;

function originOf(
  { bytes }: SourceImage,
  { name, provider }: ImageModelName,
  isChanged: boolean,
): Required<AiOrigin> {
  return {
    sourceType: isChanged ? 'compositeWithTrainedAlgorithmicMedia' : 'trainedAlgorithmicMedia',
    system: markable(name),
    version: NO_VERSION,
    provider: markable(provider),
    at: `${new Date().toISOString().slice(0, 19)}Z`,
    id: createHash('sha256').update(bytes).digest('hex').slice(0, ID_HEX_DIGITS),
  };
}

/** Without `|`, which separates the parts of a watermark. */
const markable = (name: string): string =>
  name
    .replace(/[|\p{C}]/gu, ' ')
    .slice(0, AI_NAME_CHARACTERS_MAX)
    .trim() || NO_VERSION;

/** Adds a watermark. Undefined, with a warning, where the image has too little detail or another watermark; the other marks remain. */
async function watermarked(
  image: SourceImage,
  origin: Required<AiOrigin>,
  services: GeneratedServices,
  call: CallContext,
): Promise<Marked | undefined> {
  try {
    return await markAsAi(image, { origin, isNamed: false }, services, call);
  } catch (error) {
    if (!(error instanceof AtelierError) || error.code !== 'unsuitable_image') throw error;
    // Decodes the image, because a broken file must not be charged for.
    await services.pixels.run(
      'hash_pixels',
      { bytes: image.bytes },
      { pixels: image.width * image.height, ...call },
    );
    call.warn(
      'The image has too little detail or is too small for an invisible watermark, or already has one. Its metadata says that AI made it.',
    );
    return undefined;
  }
}
