import type {
  Evidence,
  PremiumMetadata,
  SoulWhisper,
  StandardMetadata,
} from '@atelier/imaging/analysis/facts/answer_fields.ts';
import type { Facts } from '@atelier/imaging/analysis/facts/facts.ts';
import type { Given } from '@atelier/imaging/analysis/facts/given.ts';
import type { ContentHint } from '@atelier/imaging/vision/seen.ts';
import type { PixelControl, SourceImage } from '../../core/workers/types.ts';
import type { ArtworkRecord } from '../artworks/records/record.ts';
import type { VisionModels } from '../models/types.ts';
import type { Language } from './observations/language_words.ts';
import type { MeasuredSummary } from './observations/measured_summary.ts';
import type { Observations } from './observations/observation_fields.ts';
import type { Disagreement } from './observations/reconcile.ts';
import type { NamingEmbedder } from './subjects/types.ts';
import type { Spender } from './vision_budget/vision_budget.ts';

/**
 * Generates metadata for an image from measurements of the built-in engine, and from what the client has
 * observed or a configured vision model has read. Without either, only from measurements.
 */
export interface Enrichment {
  /**
   * Whether this server can describe images in this language: with a vision model, or with an installed
   * network, which writes English.
   */
  canDescribe(engine: EngineChoice, language: Language): Promise<boolean>;
  /**
   * Why the model would refuse this client now, as a message for the client; undefined if it would not, or is
   * not needed.
   */
  modelRefusal(engine: EngineChoice, by: Spender): Promise<string | undefined>;
  /** Identifies the engine and the version of its instructions. A new one invalidates cached responses. */
  edition(engine: EngineChoice): Promise<string>;
  /**
   * @throws AtelierError of the built-in engine for the image; model_unavailable, upstream_failed, timed_out, vision_budget_spent of the
   * model. The built-in engine never replaces a model that failed.
   */
  enrich(request: EnrichRequest, control: Omit<PixelControl, 'pixels'>): Promise<Enriched>;
  /**
   * Full analysis of a work in the dataset: measures its image, takes over its record, and adds a model's
   * reading if there is a model.
   * @throws AtelierError as `enrich`
   */
  analyseWork(
    work: { readonly record: ArtworkRecord; readonly image: SourceImage },
    control: Omit<PixelControl, 'pixels'>,
  ): Promise<AnalysedWork>;
  /** Cache key of a request: a hash of all inputs of its response. */
  keyOf(request: EnrichRequest): Promise<string>;
  /** When the wallet paid for a cached response to the same call. */
  answeredBefore(request: EnrichRequest, wallet: string): Promise<Date | undefined>;
  /** Deletes expired responses. */
  sweep(now: Date): Promise<number>;
}

/** Installed networks. Contains an encoder pair only if it may name subjects. */
export interface InstalledNetworks extends Omit<VisionModels, 'embedder'> {
  readonly embedder?: NamingEmbedder;
}

/** `built_in` uses neither models nor networks. */
export type EngineChoice = 'default' | 'built_in';

export interface EnrichRequest {
  readonly image: SourceImage;
  readonly tier: 'standard' | 'premium';
  readonly engine: EngineChoice;
  readonly given: Given;
  /** What the client sees in the image. With observations, no model is called. */
  readonly observations?: Observations;
  /** Language of the generated texts. */
  readonly language: Language;
  readonly soulWhisper?: SoulWhisper;
  /**
   * The wallet that may repeat the response free of charge once this hold has been posted; without a hold, responses it paid for before.
   */
  readonly payer?: { readonly wallet: string; readonly hold?: string };
}

export interface Enriched {
  readonly metadata: StandardMetadata | PremiumMetadata;
  readonly evidence: Evidence;
  /** Facts in the sections, without the fields above them. */
  readonly factsCount: number;
  readonly engine: { readonly name: string; readonly version: string };
  /** Tokens used by the model; absent if no model was asked. */
  readonly usage?: Usage;
  /** Summary of the measurements; present if there are neither observations nor a model's reading. */
  readonly measured?: MeasuredSummary;
  /** Observations that the pixels or the record contradict. */
  readonly disagreements?: readonly Disagreement[];
  /** What was removed from the observations, as sentences. */
  readonly notes?: readonly string[];
  /** None of the observations could be used, or the image is one even tone. */
  readonly isUnusable?: boolean;
  /** Present if a network rates the image as possibly sensitive. */
  readonly contentHint?: ContentHint;
  /** The work in the dataset with the same visual descriptor. */
  readonly recognised?: {
    readonly id: string;
    readonly title: string;
    /** Publisher of its record. */
    readonly source?: string;
  };
  /** Present for a cached response: when it was first returned. */
  readonly repeats?: Date;
}

export interface AnalysedWork extends Pick<Enriched, 'engine' | 'usage' | 'factsCount' | 'contentHint'> {
  readonly sections: Facts;
}

export interface Usage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  /** At the configured prices; absent without prices. */
  readonly cost_usd?: number;
}
