/** Recipes somebody has saved, and what their steps have answered. */
export interface Recipes {
  /** The same steps of the same wallet are one recipe. @throws AtelierError invalid_input where a wallet or the server has enough */
  save(recipe: Pick<SavedRecipe, 'wallet' | 'title' | 'steps'>): Promise<SavedRecipe>;
  /** Undefined for an id that is unknown or no id at all. */
  find(id: string): Promise<SavedRecipe | undefined>;
  /** Newest first. */
  list(wallet: string): Promise<SavedRecipe[]>;
  /** False where the wallet has no such recipe. */
  remove(wallet: string, id: string): Promise<boolean>;
  /** What this wallet was answered to the same step before, where that was paid for or is to be paid under `hold`. */
  answered(place: KeptPlace): Promise<KeptStep | undefined>;
  /** Keeps an answer for as long as its files are there; does nothing where it is too long, or the wallet has too many. */
  keepAnswer(step: KeptPlace & { answer: string }): Promise<void>;
  /** Forgets answers whose time is over; returns how many. */
  sweep(now: Date): Promise<number>;
}

/** Steps as they were sent, with every name given. */
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
  /** Of the steps. */
  readonly sha256: string;
  readonly createdAt: Date;
}

export interface KeptPlace {
  readonly wallet: string;
  /** sha256 of tool, parameters and pictures. */
  readonly key: string;
  /** The hold of the call that asks, or under which the answer was made. */
  readonly hold?: string | undefined;
}

export interface KeptStep {
  /** JSON. */
  readonly answer: string;
  /** Made under the hold of the call that asks, which has not been posted yet. */
  readonly isUnpaid: boolean;
}
