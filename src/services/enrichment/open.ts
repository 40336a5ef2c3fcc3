import type { BaseLogger } from 'pino';
import type { Config } from '../../config.ts';
import type { Database } from '../../database/contract.ts';
import type { Services } from '../contract.ts';
import { createKnownWorks, readKnownWorks } from '../hashes/known_works.ts';
import type { Eyes } from '../models/contract.ts';
import { createEnrichment } from './create_enrichment.ts';
import { openLanguageModel } from './open_model.ts';
import { recogniseIn } from './recognise.ts';
import { withRepeats } from './repeats.ts';
import type { VisionModel } from './vision_model.ts';

interface Parts extends Pick<Services, 'pixels' | 'artworks' | 'models'> {
  readonly database: Database;
  readonly logger: BaseLogger;
}

/** Who writes metadata: the analyst, the vision model of the settings, and the list of works known by their looks. */
export async function openEnrichment(
  config: Config,
  { database, pixels, models, artworks, logger }: Parts,
): Promise<Services['enrichment']> {
  const model = await openVision(config, logger);
  const recognise = recogniseIn(createKnownWorks(readKnownWorks()), artworks);
  const eyes = async (): Promise<Eyes> => {
    // By itself a pair of encoders names nothing, and its vectors of three thousand terms take minutes.
    const { embedder: _, ...looking } = await models.eyes();
    return looking;
  };
  return withRepeats(createEnrichment({ pixels, eyes, model, recognise }), database);
}

/**
 * The vision model of the settings; none where there is none. Provider libraries are loaded only when one is named.
 * @throws Error naming the setting that is missing
 */
export async function openVision(config: Config, logger: BaseLogger): Promise<VisionModel | undefined> {
  const { VISION_PROVIDER: provider, VISION_MODEL: modelName } = config;
  if (provider === undefined) return undefined;
  if (!modelName) throw new Error('VISION_PROVIDER needs VISION_MODEL, the name of the model.');
  const { createVisionModel } = await import('./vision_model.ts');
  return createVisionModel({
    model: await openLanguageModel(config, provider, modelName),
    name: modelName,
    timeoutMs: config.VISION_TIMEOUT_MS,
    outputTokensMax: config.VISION_OUTPUT_TOKENS_MAX,
    inputPrice: config.VISION_INPUT_USD,
    outputPrice: config.VISION_OUTPUT_USD,
    logger,
  });
}
