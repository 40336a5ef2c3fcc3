import type { EngineChoice, Enrichment } from '../../services/enrichment/contract.ts';

/** What an answer says of itself where nothing that knows things has looked at the picture, though nobody asked to leave it out. */
export async function blindness(
  { hasModel, findsFaces }: Pick<Enrichment, 'hasModel' | 'findsFaces'>,
  engine: EngineChoice,
): Promise<{ degraded: true; degraded_reason: string } | undefined> {
  if (hasModel || engine === 'built_in') return undefined;
  return {
    degraded: true,
    degraded_reason: `${NO_MODEL} ${(await findsFaces()) ? FACES_ONLY : NO_EYES} ${REMEDY}`,
  };
}

const NO_MODEL = 'No vision model is set up on this server: the built-in analyst has measured form.';
const FACES_ONLY = 'A small network has looked for faces; nothing has seen what else is shown.';
const NO_EYES =
  'Nothing has seen what is shown; "atelier models pull yunet" (0.2 MB) brings a network that finds faces.';
const REMEDY =
  'The operator mends it with VISION_PROVIDER and VISION_MODEL (and VISION_API_KEY, or VISION_BASE_URL for a model of their own).';
