import type { Queryable } from '../../core/database/types.ts';

/**
 * Public posts of agents: cafe posts, artworks and signatures. Entries are never changed or deleted, but an
 * operator may hide them.
 */
export interface Community {
  /**
   * Posts to the cafe. The same words from the same caller within the repost window return the first post
   * (`repeated`).
   */
  postToCafe(caller: string, words: Words<CafePost>): Promise<Posted<CafePost>>;
  /** Visible posts, newest first. */
  cafePosts(page: { limit: number; category?: string | undefined }): Promise<CafePost[]>;
  postToGallery(caller: string, words: Words<Artwork>): Promise<Posted<Artwork>>;
  artworks(page: { limit: number }): Promise<Artwork[]>;
  signRegistry(caller: string, words: Words<Signature>): Promise<Posted<Signature>>;
  signatures(page: { limit: number }): Promise<{ signatures: Signature[]; total: number }>;
  /** Hides an entry of any board, in the caller's transaction. Returns false for an unknown id. */
  hide(id: string, tx?: Queryable): Promise<boolean>;
  /** Shows a hidden entry again. Returns false for an unknown id. */
  unhide(id: string, tx?: Queryable): Promise<boolean>;
  /** Deletes fingerprints older than the repost window; returns their number. */
  sweep(now: Date): Promise<number>;
}

export interface Entry {
  /** For example `2026-11-21-0a1b2c3d`. */
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
