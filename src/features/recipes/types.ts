/** Saved recipes, and cached results of their steps. */
export interface Recipes {
  /**
   * Saves a recipe; the same steps of the same wallet are one recipe. @throws AtelierError invalid_input at the limit of the wallet
   * or the server
   */
  save(recipe: Pick<SavedRecipe, 'wallet' | 'title' | 'steps'>): Promise<SavedRecipe>;
  /** Undefined for an unknown or malformed id. */
  find(id: string): Promise<SavedRecipe | undefined>;
  /** Newest first. */
  list(wallet: string): Promise<SavedRecipe[]>;
  /** False where the wallet has no such recipe. */
  remove(wallet: string, id: string): Promise<boolean>;
  /** The cached result of the same step for this wallet, if it is paid or was made under `hold`. */
  answered(place: KeptPlace): Promise<KeptStep | undefined>;
  /** Caches a result for as long as its files exist. Skips long results, and wallets at their limit. */
  keepAnswer(step: KeptPlace & { answer: string }): Promise<void>;
  /** Deletes expired results; returns their number. */
  sweep(now: Date): Promise<number>;
}

/** Steps as sent, with default names filled in. */
export type SavedSteps = readonly {
  readonly tool: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly save_as: string;
}[];

export interface SavedRecipe {
  /** rcp_ and 32 hex digits. */
  readonly id: string;
  readonly wallet: string;
  readonly title: string;
  readonly steps: SavedSteps;
  /** SHA-256 of the steps. */
  readonly sha256: string;
  readonly createdAt: Date;
}

export interface KeptPlace {
  readonly wallet: string;
  /** sha256 of tool, parameters and images. */
  readonly key: string;
  /** The hold of the current call, or of the call that made the result. */
  readonly hold?: string | undefined;
}

export interface KeptStep {
  /** Response as JSON. */
  readonly answer: string;
  /** Made under the hold of the current call, which is not posted yet. */
  readonly isUnpaid: boolean;
}
