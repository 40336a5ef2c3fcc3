import type { Likeness, SeenBlocks } from '@atelier/imaging/watermark/likeness.ts';

/**
 * Watermark payloads by short id, which survives heavier editing than a long text, and the image each watermark was made for, which reveals
 * a watermark copied into another image.
 */
export interface Marks {
  /**
   * Stores a payload and returns its id: 12 hex digits, the same for the same payload of the same wallet in the same image.
   * @param picture sha256 of the image to be watermarked; absent: any image
   */
  register(payload: string, wallet?: string, picture?: string): Promise<string>;
  /** Signs and stores the image a watermark was made for. Returns the statement as compact JWS. */
  bind(id: string, binding: NewBinding): Promise<string>;
  /** Whether a watermark belongs to the image it was read from. */
  judge(reading: MarkReading): Promise<MarkJudgement>;
  /** Expiry of a watermark registered now; undefined if it does not expire. */
  until(wallet: string | undefined): Date | undefined;
  /** Deletes expired anonymous watermarks; returns their number. */
  sweep(now: Date): Promise<number>;
  find(id: string): Promise<Mark | undefined>;
}

export interface Mark {
  readonly id: string;
  readonly payload: string;
  readonly wallet?: string;
  readonly createdAt: Date;
}

export interface NewBinding {
  readonly payload: string;
  /** The verified signer. Absent: no signer is named. */
  readonly signer?: string;
  /** Hash of the watermarked image, as computed by hash_pixels. */
  readonly pixelsSha256: string;
  readonly likeness: Likeness;
  /** Further claims of the statement: the measurements made at embedding. */
  readonly measured: Readonly<Record<string, unknown>>;
}

export interface MarkReading {
  readonly id: string | undefined;
  /** Payload read from the image; absent where only the id was readable. */
  readonly payload: string | undefined;
  readonly seen: SeenBlocks | undefined;
  /** Called only if the result depends on it. */
  pixelsSha256(): Promise<string>;
}

/**
 * `bound`: made for this image. `part`: the original is only part of the image, or only part of it is unchanged. `moved`: made for another
 * image. `other_payload`: the id belongs to another text. `unclear`: too little evidence. `plain`: no binding is stored.
 */
export type Standing = 'bound' | 'part' | 'moved' | 'other_payload' | 'unclear' | 'plain';

export interface MarkJudgement {
  readonly standing: Standing;
  /** The standing as a sentence for people. */
  readonly sentence: string;
  /** The verified wallet that signed. */
  readonly signer?: string;
  readonly signedAt?: Date;
  /** Share of the visible area that is unchanged since embedding, 0 to 1. */
  readonly share?: number;
  /** Every sample equals the watermarked image. */
  readonly isExact: boolean;
  /** The statement, as compact JWS. */
  readonly jws?: string;
}
