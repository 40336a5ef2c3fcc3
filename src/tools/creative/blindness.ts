import type { EngineChoice, Enrichment } from '../../services/enrichment/contract.ts';

/** What an answer says of itself where nothing that sees has looked at the picture, though nobody asked to leave it out. */
export function blindness(
  { hasModel }: Pick<Enrichment, 'hasModel'>,
  engine: EngineChoice,
): { degraded: true; degraded_reason: string } | undefined {
  if (hasModel || engine === 'built_in') return undefined;
  return { degraded: true, degraded_reason: NO_MODEL };
}

const NO_MODEL =
  'No vision model is set up on this server: the built-in analyst has measured form, and nothing has seen what is shown. The operator mends it with VISION_PROVIDER and VISION_MODEL (and VISION_API_KEY, or VISION_BASE_URL for a model of their own).';
