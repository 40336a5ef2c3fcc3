import type { Likeness, SeenBlocks } from '@atelier/imaging/watermark/likeness.ts';

/**
 * Watermark payloads by short id, which survives heavier editing than a long text, and the image each watermark was made for, which reveals
 * a watermark copied into another image.
 */
export interface Marks {
  /**
   * Keeps a payload and answers its id: 12 hex digits, the same for the same payload of the same wallet in the same picture.
   * @param picture sha256 of the picture that is to be marked; absent: of any
   */
  register(payload: string, wallet?: string, picture?: string): Promise<string>;
  /** Signs which picture a mark was made for, keeps that, and answers it as compact JWS. */
  bind(id: string, binding: NewBinding): Promise<string>;
  /** What the binding of a mark says about a picture the mark was read from. */
  judge(reading: MarkReading): Promise<MarkJudgement>;
  /** Until when a mark that is registered now is found; undefined: for good. */
  until(wallet: string | undefined): Date | undefined;
  /** Forgets marks without a wallet whose time is over; answers how many. */
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
  /** Of the marked picture, as hash_pixels says. */
  readonly pixelsSha256: string;
  readonly likeness: Likeness;
  /** What else the statement says of the mark: what was measured when it was made. */
  readonly measured: Readonly<Record<string, unknown>>;
}

export interface MarkReading {
  readonly id: string | undefined;
  /** As it was read from the picture; absent where only the id was. */
  readonly payload: string | undefined;
  readonly seen: SeenBlocks | undefined;
  /** Asked only where the answer depends on it. */
  pixelsSha256(): Promise<string>;
}

/**
 * `bound`: made for this picture; `part`: the picture it was made for is only a part of what is shown, or of it only a part is left as it
 * was; `moved`: made for another picture; `other_payload`: the id belongs to another text; `unclear`: too little is seen to tell;
 * `plain`: nothing is kept that would bind it.
 */
export type Standing = 'bound' | 'part' | 'moved' | 'other_payload' | 'unclear' | 'plain';

export interface MarkJudgement {
  readonly standing: Standing;
  /** The same for a person. */
  readonly sentence: string;
  /** The wallet that proved itself and signed. */
  readonly signer?: string;
  readonly signedAt?: Date;
  /** Share of what is seen that looks as it was marked, 0 to 1. */
  readonly share?: number;
  /** Not one sample differs from what was marked. */
  readonly isExact: boolean;
  /** The statement, as compact JWS. */
  readonly jws?: string;
}
