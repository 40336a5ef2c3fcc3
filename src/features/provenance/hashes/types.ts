/** Pictures registered by their perceptual hash, and the search for copies of them. */
export interface Hashes {
  /** The same file of the same wallet is registered once: later calls answer with the first registration. */
  register(picture: NewRegistration): Promise<{ registration: Registration; isNew: boolean }>;
  /** The same for a work of the dataset, by its keeper. The same file of the same work again changes nothing. */
  registerWork(picture: NewRegistration & { readonly workId: string }): Promise<void>;
  /** The registration of this very file by a wallet, once it is paid: then nothing undoes it. */
  paidBy(wallet: string, sha256: string): Promise<Registration | undefined>;
  /** Registrations of this very file, the oldest first. */
  ofFile(sha256: string): Promise<Registration[]>;
  find(id: string): Promise<Registration | undefined>;
  /**
   * Registered pictures that look like this one, the nearest first and of equally near ones the oldest. Exact: nothing within
   * the radius is missed.
   * @param hashes of the picture as it is, turned and mirrored: 32 bytes each
   * @param radius in bits. Absent: HASH_DISTANCE_MAX; beyond it every code is compared
   */
  near(hashes: readonly Uint8Array[], radius?: number): Promise<Near[]>;
  /**
   * Registered pictures that share windows with this one: found after a crop, a turn by any angle, or within a frame. Those
   * that share most come first.
   * @param windows hashes, 32 bytes each, one after the other
   */
  sharing(windows: Uint8Array): Promise<Sharing[]>;
  /** How many codes are searched, and the memory they take. */
  load(): Promise<{ pictures: number; windows: number; memoryBytes: number }>;
  /** Begins to load what is searched, if there is anything; done when it is loaded. */
  warm(): Promise<void>;
  /** Whether what is searched is still being loaded after a start. Searches wait for it, so their answers are whole. */
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
  /** The open hold that pays for it: when the credits are given back, the registration is undone. */
  readonly hold?: string | undefined;
}

export interface Registration {
  /** `hash_` and 24 hex digits. */
  readonly id: string;
  readonly wallet: string | null;
  /** The work of the dataset it shows, where its keeper has registered it. */
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
  /** Where the permanent record lies; empty where none was named. */
  readonly provenanceUri: string;
  readonly createdAt: Date;
}

export interface Near {
  readonly registration: Registration;
  /** Bits that differ. */
  readonly distance: number;
  /** Which of the hashes asked for is the near one. */
  readonly turn: number;
}

export interface Sharing {
  readonly registration: Registration;
  /** How many of the registration's windows were found. */
  readonly shared: number;
  /** The least distance of two windows. */
  readonly distance: number;
}
