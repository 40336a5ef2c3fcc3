import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import { createKnownWorks, readKnownWorks } from '../provenance/hashes/known_works.ts';
import type { Services } from '../services.ts';
import { createEnrichment } from './create_enrichment.ts';
import { openLanguageModel, visionSettings } from './open_model.ts';
import { recogniseIn } from './recognise.ts';
import { withRepeats } from './repeats.ts';
import type { LookingEyes } from './types.ts';
import type { VisionBudget } from './vision_budget/types.ts';
import type { VisionModel } from './vision_model.ts';

interface Parts extends Pick<Services, 'pixels' | 'artworks' | 'models' | 'subjects'> {
  readonly budget: VisionBudget;
  readonly database: Database;
  readonly logger: BaseLogger;
}

/** Who writes metadata: the analyst, the vision model of the settings, and the list of works known by their looks. */
export async function openEnrichment(
  config: Config,
  { database, pixels, models, subjects, artworks, budget, logger }: Parts,
): Promise<Services['enrichment']> {
  const model = await openVision(config, logger, budget);
  const recognise = recogniseIn(createKnownWorks(readKnownWorks()), artworks);
  const eyes = async (): Promise<LookingEyes> => {
    // A pair of encoders looks once it has been measured how often it is right (decision 96).
    const { embedder: _, ...looking } = await models.eyes();
    const naming = await subjects.naming();
    return naming ? { ...looking, embedder: naming } : looking;
  };
  const isUncalibrated = async () => (await subjects.state()).kind === 'uncalibrated';
  return withRepeats(createEnrichment({ pixels, eyes, isUncalibrated, model, recognise }), database);
}

/**
 * The vision model of the settings; none where there is none. Provider libraries are loaded only when one is named.
 * @throws Error naming the setting that is missing or too small
 */
export async function openVision(
  config: Config,
  logger: BaseLogger,
  budget?: VisionBudget,
): Promise<VisionModel | undefined> {
  const vision = visionSettings(config);
  if (vision === undefined) return undefined;
  const { provider, name } = vision;
  const { createVisionModel, mostOfRequest } = await import('./vision_model.ts');
  const bounds = {
    outputTokensMax: config.VISION_OUTPUT_TOKENS_MAX,
    inputPrice: config.VISION_INPUT_USD,
    outputPrice: config.VISION_OUTPUT_USD,
  };
  requireRoom(config, mostOfRequest(bounds));
  return createVisionModel({
    ...bounds,
    model: await openLanguageModel(config, provider, name),
    name,
    timeoutMs: config.VISION_TIMEOUT_MS,
    budget,
    logger,
  });
}

/** A day's budget has to hold one request. */
function requireRoom(config: Config, most: { readonly tokens: number; readonly usd: number }): void {
  const { VISION_USD_A_DAY: usd, VISION_TOKENS_A_DAY: tokens } = config;
  if ((usd ?? Infinity) < most.usd)
    throw new Error(`VISION_USD_A_DAY is less than one request may cost (${most.usd}): ${RAISE}`);
  if ((tokens ?? Infinity) < most.tokens)
    throw new Error(`VISION_TOKENS_A_DAY is less than one request may take (${most.tokens}): ${RAISE}`);
}

const RAISE = 'raise it, or lower VISION_OUTPUT_TOKENS_MAX.';
