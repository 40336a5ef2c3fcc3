import type { Facts } from '@atelier/imaging/analysis/write/facts.ts';
import type { Given } from '@atelier/imaging/analysis/write/given.ts';
import type {
  Evidence,
  PremiumMetadata,
  SoulWhisper,
  StandardMetadata,
} from '@atelier/imaging/analysis/write/write_metadata.ts';
import type { ContentHint } from '@atelier/imaging/vision/seen.ts';
import type { PixelControl, SourceImage } from '../../core/workers/types.ts';
import type { ArtworkRecord } from '../artworks/records/record.ts';
import type { Eyes } from '../models/types.ts';
import type { NamingEmbedder } from './subjects/types.ts';
import type { Spender } from './vision_budget/types.ts';

/** Writes the metadata of a picture: measured by the built-in analyst, and read by a vision model where one is set up. */
export interface Enrichment {
  /** Whether a vision model is set up. */
  readonly hasModel: boolean;
  /** The networks that look here. */
  eyes(): Promise<LookingEyes>;
  /** Whether an encoder pair is installed that names no subjects only because its precision has not been measured. */
  isUncalibrated(): Promise<boolean>;
  /** Why the model would not be asked for this caller just now, in words for them; undefined where it would, or is not needed. */
  modelRefusal(engine: EngineChoice, by: Spender): Promise<string | undefined>;
  /** Names who would answer and by which edition of the instructions: a new one gives new answers. */
  edition(engine: EngineChoice): Promise<string>;
  /**
   * @throws AtelierError as the analyst does for the picture; model_unavailable, upstream_failed, timed_out,
   * vision_budget_spent of the model.
   * The analyst never stands in for a model that failed.
   */
  enrich(request: EnrichRequest, control: Omit<PixelControl, 'pixels'>): Promise<Enriched>;
  /**
   * The full analysis of a work of the dataset: its picture measured, its record taken over, read by the model where there
   * is one. @throws AtelierError as `enrich`
   */
  analyseWork(
    work: { readonly record: ArtworkRecord; readonly image: SourceImage },
    control: Omit<PixelControl, 'pixels'>,
  ): Promise<AnalysedWork>;
  /** Names a request by everything its answer depends on. */
  keyOf(request: EnrichRequest): Promise<string>;
  /** When this wallet was given, for its credits, the answer to the same call, if that may be had again for nothing. */
  answeredBefore(request: EnrichRequest, wallet: string): Promise<Date | undefined>;
  /** Forgets what is too old to be given again. */
  sweep(now: Date): Promise<number>;
}

/** Networks that look; a pair of encoders is among them only where it may name subjects. */
export interface LookingEyes extends Omit<Eyes, 'embedder'> {
  readonly embedder?: NamingEmbedder;
}

/** `built_in` leaves models and networks out. */
export type EngineChoice = 'default' | 'built_in';

export interface EnrichRequest {
  readonly image: SourceImage;
  readonly tier: 'standard' | 'premium';
  readonly engine: EngineChoice;
  readonly given: Given;
  readonly soulWhisper?: SoulWhisper;
  /** Who gets the answer again for nothing, once this hold has been posted; without a hold, what was paid for before. */
  readonly payer?: { readonly wallet: string; readonly hold?: string };
}

export interface Enriched {
  readonly metadata: StandardMetadata | PremiumMetadata;
  readonly evidence: Evidence;
  /** Facts in the sections, beside the fields above them. */
  readonly factsCount: number;
  readonly engine: { readonly name: string; readonly version: string };
  /** The tokens the model has used; absent where none was asked. */
  readonly usage?: Usage;
  /** Things and scenes networks have named in the picture. */
  readonly subjectsCount: number;
  /** Where a network takes it that some readers may not want to see this. */
  readonly contentHint?: ContentHint;
  /** The work of the dataset it shows, by its looks. */
  readonly recognised?: {
    readonly id: string;
    readonly title: string /** Who says what its record says. */;
    readonly source?: string;
  };
  /** When the same call was first answered, where this is its answer again. */
  readonly repeats?: Date;
}

export interface AnalysedWork
  extends Pick<Enriched, 'engine' | 'usage' | 'factsCount' | 'subjectsCount' | 'contentHint'> {
  readonly sections: Facts;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** By the prices in the settings; absent where there are none. */
  readonly cost_usd?: number;
}
