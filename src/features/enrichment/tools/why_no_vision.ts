import type { Language } from '../observations/language_words.ts';
import type { EngineChoice, Enrichment } from '../types.ts';

/**
 * Why this server cannot describe an image, and which settings change that; undefined if it can. Detections
 * of small networks are only hints, not a description.
 */
export const whyNoVision = async (
  { canDescribe }: Pick<Enrichment, 'canDescribe'>,
  engine: EngineChoice,
  language: Language,
): Promise<string | undefined> =>
  (await canDescribe(engine, language)) ? undefined : `${NO_EYES} ${REMEDY}`;

export const NO_EYES =
  'This server has no vision model, so this call is free: look at the image and send `observations`.';
const REMEDY =
  'The operator sets up a vision model with VISION_PROVIDER and VISION_MODEL (and VISION_API_KEY, or VISION_BASE_URL for a local one).';
