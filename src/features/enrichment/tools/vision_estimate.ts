import type { CallEstimate, EstimateContext } from '../../definitions/tool.ts';
import type { Language } from '../observations/language_words.ts';
import type { EngineChoice, Enriched, Enrichment, EnrichRequest } from '../types.ts';

/** Dry run: whether a vision model reads the image, and whether the response is degraded. */
export async function visionEstimate(
  enrichment: Pick<Enrichment, 'canDescribe' | 'modelRefusal'>,
  { engine, language }: Pick<EnrichRequest, 'engine' | 'language'>,
  asked: Pick<EstimateContext, 'address' | 'callerKey'>,
): Promise<CallEstimate> {
  const reason = await visionUnavailableReason(enrichment, engine, language);
  const refused = await enrichment.modelRefusal(engine, asked);
  return {
    ...(reason === undefined ? { degraded: false } : { degraded: true, degraded_reason: reason }),
    ...(refused !== undefined && { refusal: { check: 'vision', detail: refused } }),
  };
}

/**
 * Why this server cannot describe an image, and which settings change that; undefined if it can. Detections
 * of small networks are only hints, not a description.
 */
export const visionUnavailableReason = async (
  { canDescribe }: Pick<Enrichment, 'canDescribe'>,
  engine: EngineChoice,
  language: Language,
): Promise<string | undefined> =>
  (await canDescribe(engine, language)) ? undefined : `${NO_VISION_MODEL} ${REMEDY}`;

export const NO_VISION_MODEL =
  'This server has no vision model, so this call is free: look at the image and send `observations`.';
const REMEDY =
  'The operator sets up a vision model with VISION_PROVIDER and VISION_MODEL (and VISION_API_KEY, or VISION_BASE_URL for a local one).';

/** Warning for images that may show sensitive content. */
export const contentNote = ({ hint, by }: NonNullable<Enriched['contentHint']>): string =>
  `This may show ${hint}: a hint of a network (${by}), which flags nudes in paintings too and is no verdict. Without such a note nothing is promised.`;
