/** Images registered by perceptual hash, and the search for copies of them. */
export interface Hashes {
  /**
   * Registers an image. The same file of the same wallet is registered once: later calls return the first
   * registration.
   */
  register(picture: NewRegistration): Promise<{ registration: Registration; isNew: boolean }>;
  /** Registers an image of a work in the dataset. Idempotent for the same file of the same work. */
  registerWork(picture: NewRegistration & { readonly workId: string }): Promise<void>;
  /** Paid registration of this exact file by a wallet. It can no longer be undone. */
  paidBy(wallet: string, sha256: string): Promise<Registration | undefined>;
  /** Registrations of this exact file, oldest first. */
  ofFile(sha256: string): Promise<Registration[]>;
  find(id: string): Promise<Registration | undefined>;
  /**
   * Registered images that look like this one, nearest first, and the oldest first at equal distance. Exact:
   * finds every registration within the radius.
   * @param hashes of the image in all rotations and reflections: 32 bytes each
   * @param radius in bits. Default: HASH_DISTANCE_MAX; a larger radius compares every code
   */
  near(hashes: readonly Uint8Array[], radius?: number): Promise<Near[]>;
  /**
   * Registered images that share windows with this one: found after a crop, a rotation by any angle, or
   * within a frame. Most shared windows first.
   * @param windows hashes, 32 bytes each, concatenated
   */
  sharing(windows: Uint8Array): Promise<Sharing[]>;
  /** Number of codes searched, and the memory they take. */
  load(): Promise<{ pictures: number; windows: number; memoryBytes: number }>;
  /** Loads the index, unless there are no registrations. Resolves when it is loaded. */
  warm(): Promise<void>;
  /** True while the index is loading after a start. Searches wait for it, so results are always complete. */
  readonly isLoading: boolean;
  close(): Promise<void>;
}

export interface NewRegistration {
  readonly wallet?: string | undefined;
  readonly sha256: string;
  readonly pdq: Uint8Array;
  readonly quality: number;
  readonly windows: Uint8Array;
  readonly preview: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly artist: string;
  readonly provenanceUri: string;
  /** Open hold that pays for it. Releasing the hold deletes the registration. */
  readonly hold?: string | undefined;
}

export interface Registration {
  /** `hash_` and 24 hex digits. */
  readonly id: string;
  readonly wallet: string | null;
  /** The work of the dataset that the image shows, if registered for one. */
  readonly workId: string | null;
  readonly sha256: string;
  readonly pdq: Uint8Array;
  readonly quality: number;
  /** WebP. */
  readonly preview: Uint8Array;
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly artist: string;
  /** URL of the permanent record; empty without one. */
  readonly provenanceUri: string;
  readonly createdAt: Date;
}

export interface Near {
  readonly registration: Registration;
  /** Hamming distance in bits. */
  readonly distance: number;
  /** Index of the nearest of the query hashes. */
  readonly turn: number;
}

export interface Sharing {
  readonly registration: Registration;
  /** Number of the registration's windows that were found. */
  readonly shared: number;
  /** Smallest distance between two windows. */
  readonly distance: number;
}
