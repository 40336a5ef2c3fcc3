import type { AnyTool } from '../../definitions/tool.ts';

/** A rule that lowers prices for some calls. Where several apply, the lowest price counts. */
export interface PriceRule {
  readonly name: string;
  /** Percent of the list price, 0 to 100. */
  readonly percent: number;
  /** Undefined: all wallets. */
  readonly tier?: string | undefined;
  /** Undefined: all tools. */
  readonly tools?: readonly string[] | undefined;
  /** Minimum calls or whole credits of the wallet in the calendar month. */
  readonly volume?: { readonly unit: VolumeUnit; readonly min: number } | undefined;
  readonly startsAt?: Date | undefined;
  readonly endsAt?: Date | undefined;
  /** Hours of the day in UTC; 22 until 6 passes midnight. */
  readonly hours?: { readonly from: number; readonly until: number } | undefined;
}

export type VolumeUnit = 'calls' | 'credits';

/** A stored rule. */
export interface StoredRule extends PriceRule {
  readonly madeAt: Date;
  /** Undefined: active. */
  readonly removedAt?: Date | undefined;
}

/** Charges of a wallet in a calendar month. */
export interface Volume {
  readonly calls: number;
  readonly credits: number;
}

/** A percentage of the list price, and the rule that sets it. */
export interface Reduction {
  readonly percent: number;
  readonly rule?: string | undefined;
}

export interface Asker {
  readonly wallet: string | undefined;
  /** Default: QUOTE_HOLDS_MS. */
  readonly quotedMs?: number | undefined;
}

/** Prices of calls under the rules of the operator. */
export interface Prices {
  /** The tools with the current prices for calls without a wallet; the same array until a price changes. */
  forEverybody(tools: readonly AnyTool[]): readonly AnyTool[];
  /** The tools with the prices of a wallet. */
  forWallet(tools: readonly AnyTool[], wallet: string | undefined): Promise<readonly AnyTool[]>;
  /** Reductions for a call, lowest price first: those valid now, and those valid since the price may have been quoted. */
  reductions(tool: string, asker: Asker): Promise<readonly [Reduction, ...Reduction[]]>;
  /** Weight of a call in the fair queue, 1 to 10: that of its key (`key_…`), else of its wallet, else of the tier of the wallet. */
  weightOf(wallet: string | undefined, key?: string | undefined): Promise<number>;
  /** Active rules, as last read; the same array until they change. */
  rules(): readonly PriceRule[];
  /** Reads the rules again. */
  reload(): Promise<void>;
}

/** Tiers of wallets and queue weights, as set by operators. */
export interface PricingTerms {
  readonly tiers: readonly { readonly wallet: string; readonly tier: string; readonly changedAt: Date }[];
  readonly weights: readonly { readonly who: string; readonly weight: number }[];
}
