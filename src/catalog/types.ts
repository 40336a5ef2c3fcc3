import type { AnyTool } from '../features/definitions/tool.ts';
import type { PaymentWays } from './payment_ways.ts';

/** The catalogue as a service, for tools about tools: they receive it, so the list never imports itself. */
export interface CatalogueIndex {
  readonly tools: readonly AnyTool[];
  /** What can be paid with beside credits. */
  readonly ways: PaymentWays;
  find(name: string): AnyTool | undefined;
  /** Names close to a misspelt one, best first. */
  similar(name: string): string[];
}
