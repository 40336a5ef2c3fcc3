import type { AnyTool } from '../features/definitions/tool.ts';
import type { PriceRule } from '../features/operator/prices/types.ts';
import type { PaymentWays } from './payment_ways.ts';

/** The catalogue as a service, for tools about tools: injected, so that the list does not import itself. */
export interface CatalogueIndex {
  /** With the public prices in force; a new array after each change. */
  readonly tools: readonly AnyTool[];
  /** Price rules in force; a new array after each change. */
  readonly priceRules: readonly PriceRule[];
  /**
   * Tools that the server cannot offer because settings or models are missing, with what its operator would
   * set.
   */
  readonly absent: readonly AbsentTool[];
  /** Payment methods besides credits. */
  readonly ways: PaymentWays;
  find(name: string): AnyTool | undefined;
  /** Names similar to a misspelt one, best first. */
  similar(name: string): string[];
}

export interface AbsentTool {
  readonly tool: AnyTool;
  /** A sentence: what this server cannot do, and which settings change that. */
  readonly why: string;
}
