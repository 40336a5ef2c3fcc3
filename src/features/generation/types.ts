import type { AtelierError } from '../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../core/workers/types.ts';
import type { Spender } from '../enrichment/vision_budget/vision_budget.ts';
import type { Aspect } from './limits.ts';

/** An image model of another server, as the operator configured it. */
export interface Generation {
  readonly model: ImageModelName;
  /**
   * Has one image made. Reserves its price in the daily budget, and settles what it cost.
   * @throws AtelierError prompt_declined, upstream_failed, model_unavailable, image_budget_spent, busy, whose messages quote nothing of the
   * request
   */
  make(request: ImageRequest, call: GenerationCall): Promise<SourceImage>;
  /** What `make` would throw now because of the budget; undefined where it would not. */
  refusal(by: Spender): Promise<AtelierError | undefined>;
}

export interface ImageModelName {
  /** As the provider writes it. */
  readonly name: string;
  /** For people: "OpenAI". */
  readonly provider: string;
}

export interface ImageRequest {
  /** What it shows, or what is to change. */
  readonly prompt: string;
  readonly aspect?: Aspect | undefined;
  /** The same number gives a similar image where the model knows seeds. */
  readonly seed?: number | undefined;
  /** PNG of the image to change. */
  readonly image?: Uint8Array | undefined;
}

export interface GenerationCall extends Spender {
  readonly signal: AbortSignal;
  /** The call ends after so long, in ms. */
  readonly deadlineMs: number;
}
