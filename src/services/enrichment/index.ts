import type { Given } from '../../engines/analyst/write/given.ts';
import type {
  Evidence,
  PremiumMetadata,
  SoulWhisper,
  StandardMetadata,
} from '../../engines/analyst/write/write_metadata.ts';
import type { PixelControl } from '../../workers/index.ts';
import type { SourceImage } from '../images/index.ts';

/** Writes the metadata of a picture: measured by the built-in analyst, and read by a vision model where one is set up. */
export interface Enrichment {
  /** Whether a vision model is set up. */
  readonly hasModel: boolean;
  /** Names who would answer and by which edition of the instructions: a new one gives new answers. */
  edition(engine: EngineChoice): string;
  /**
   * @throws AtelierError as the analyst does for the picture; model_unavailable, upstream_failed, timed_out of the model.
   * The analyst never stands in for a model that failed.
   */
  enrich(request: EnrichRequest, control: Omit<PixelControl, 'pixels'>): Promise<Enriched>;
}

/** `built_in` leaves the model out. */
export type EngineChoice = 'default' | 'built_in';

export interface EnrichRequest {
  readonly image: SourceImage;
  readonly tier: 'standard' | 'premium';
  readonly engine: EngineChoice;
  readonly given: Given;
  readonly soulWhisper?: SoulWhisper;
}

export interface Enriched {
  readonly metadata: StandardMetadata | PremiumMetadata;
  readonly evidence: Evidence;
  /** Facts in the sections, beside the fields above them. */
  readonly factsCount: number;
  readonly engine: { readonly name: string; readonly version: string };
  /** Of the model; absent where none was asked. */
  readonly usage?: Usage;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** By the prices in the settings; absent where there are none. */
  readonly cost_usd?: number;
}

export type { Given } from '../../engines/analyst/write/given.ts';
export { createEnrichment } from './create_enrichment.ts';
export type { VisionModel } from './vision_model.ts';
