import type { AnyTool } from '../../definitions/tool.ts';

/** A rule lowers prices for some calls; where several fit a call, the lowest price counts. */
export interface PriceRule {
  readonly name: string;
  /** Of the list price, 0 to 100. */
  readonly percent: number;
  /** Undefined: everybody. */
  readonly tier?: string | undefined;
  /** Undefined: every tool. */
  readonly tools?: readonly string[] | undefined;
  /** From how many calls or whole credits of the wallet in the calendar month on. */
  readonly volume?: { readonly unit: VolumeUnit; readonly min: number } | undefined;
  readonly startsAt?: Date | undefined;
  readonly endsAt?: Date | undefined;
  /** Hours of the day in UTC; from 22 until 6 passes midnight. */
  readonly hours?: { readonly from: number; readonly until: number } | undefined;
}

export type VolumeUnit = 'calls' | 'credits';

/** A rule as it is kept. */
export interface KeptRule extends PriceRule {
  readonly madeAt: Date;
  /** Undefined: in force. */
  readonly removedAt?: Date | undefined;
}

/** What a wallet has been charged for in a calendar month. */
export interface Volume {
  readonly calls: number;
  readonly credits: number;
}

/** A percentage of the list price, and the rule it follows from. */
export interface Reduction {
  readonly percent: number;
  readonly rule?: string | undefined;
}

export interface Asker {
  readonly wallet: string | undefined;
  /** Default: QUOTE_HOLDS_MS. */
  readonly quotedMs?: number | undefined;
}

/** What calls cost under the rules of the operator. */
export interface Prices {
  /** The list with the prices that everybody pays now; the same array until these change. */
  forEverybody(tools: readonly AnyTool[]): readonly AnyTool[];
  /** The list with the prices of a wallet. */
  forWallet(tools: readonly AnyTool[], wallet: string | undefined): Promise<readonly AnyTool[]>;
  /**
   * Reductions for a call, the lowest first: what holds now, and what has held since the price may have been quoted.
   */
  reductions(tool: string, asker: Asker): Promise<readonly [Reduction, ...Reduction[]]>;
  /** Share of a call in the fair queue, 1 to 10: that of its key (`key_…`), else of its wallet, else of the tier of that. */
  weightOf(wallet: string | undefined, key?: string | undefined): Promise<number>;
  /** Rules in force, as last read; the same array until they change. */
  rules(): readonly PriceRule[];
  /** Reads the rules again. */
  reload(): Promise<void>;
}

/** Tiers of wallets and weights, as operators set them. */
export interface DeskTerms {
  readonly tiers: readonly { readonly wallet: string; readonly tier: string; readonly changedAt: Date }[];
  readonly weights: readonly { readonly who: string; readonly weight: number }[];
}
