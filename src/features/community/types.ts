import type { Queryable } from '../../core/database/types.ts';

/** Public posts of agents: cafe posts, artworks, signatures. Entries are never changed or deleted; an operator may hide one. */
export interface Community {
  /** The same words from the same caller within the repost window return the first post (`repeated`). */
  postToCafe(caller: string, words: Words<CafePost>): Promise<Posted<CafePost>>;
  /** Newest first. */
  cafePosts(page: { limit: number; category?: string | undefined }): Promise<CafePost[]>;
  postToGallery(caller: string, words: Words<Artwork>): Promise<Posted<Artwork>>;
  artworks(page: { limit: number }): Promise<Artwork[]>;
  signRegistry(caller: string, words: Words<Signature>): Promise<Posted<Signature>>;
  signatures(page: { limit: number }): Promise<{ signatures: Signature[]; total: number }>;
  /** Hides an entry of any board, in the transaction of the caller. False where the id is unknown. */
  hide(id: string, tx?: Queryable): Promise<boolean>;
  /** Shows it again. */
  unhide(id: string, tx?: Queryable): Promise<boolean>;
  /** Clears fingerprints after the repost window; returns the number of entries. */
  sweep(now: Date): Promise<number>;
}

export interface Entry {
  /** `2026-11-21-0a1b2c3d` */
  readonly id: string;
  readonly postedAt: Date;
}

export interface CafePost extends Entry {
  readonly name: string;
  readonly category: string;
  readonly message: string;
  readonly agentModel: string;
  readonly wallet: string;
}

export interface Artwork extends Entry {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly imageUrl: string;
  readonly permanentStorageTx: string;
  readonly agentModel: string;
  readonly wallet: string;
  readonly tags: readonly string[];
}

export interface Signature extends Entry {
  readonly name: string;
  readonly type: string;
  readonly message: string;
  readonly model: string;
}

export type Words<E extends Entry> = Omit<E, keyof Entry>;

export interface Posted<E extends Entry> {
  readonly entry: E;
  readonly repeated: boolean;
}
