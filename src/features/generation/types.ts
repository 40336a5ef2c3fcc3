import type { AtelierError } from '../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../core/workers/types.ts';
import type { Spender } from '../enrichment/vision_budget/vision_budget.ts';
import type { Aspect } from './limits.ts';

/** Image model of a provider, as configured by the operator. */
export interface Generation {
  readonly model: ImageModelName;
  /**
   * Generates one image. Reserves its price in the daily budget and settles the actual cost.
   * @throws AtelierError prompt_declined, upstream_failed, model_unavailable, image_budget_spent, busy, whose
   * messages never quote the request
   */
  make(request: ImageRequest, call: GenerationCall): Promise<SourceImage>;
  /** The budget error that `make` would throw now; undefined if there is none. */
  refusal(by: Spender): Promise<AtelierError | undefined>;
}

export interface ImageModelName {
  /** As the provider spells it. */
  readonly name: string;
  /** Display name: "OpenAI". */
  readonly provider: string;
}

export interface ImageRequest {
  /** What to show, or what to change. */
  readonly prompt: string;
  readonly aspect?: Aspect | undefined;
  /** The same seed gives a similar image, if the model supports seeds. */
  readonly seed?: number | undefined;
  /** PNG of the image to change. */
  readonly image?: Uint8Array | undefined;
}

export interface GenerationCall extends Spender {
  readonly signal: AbortSignal;
  /** Time limit of the call, in ms. */
  readonly deadlineMs: number;
}
