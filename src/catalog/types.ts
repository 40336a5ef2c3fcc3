import type { AnyTool } from '../features/definitions/tool.ts';
import type { PaymentWays } from './payment_ways.ts';

/** The catalogue as a service, for tools about tools: injected, so that the list does not import itself. */
export interface CatalogueIndex {
  readonly tools: readonly AnyTool[];
  /** Payment methods besides credits. */
  readonly ways: PaymentWays;
  find(name: string): AnyTool | undefined;
  /** Names similar to a misspelt one, best first. */
  similar(name: string): string[];
}
