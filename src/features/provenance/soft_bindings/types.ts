import type { PixelControl } from '../../../core/workers/types.ts';

/**
 * From what stays with a picture when its metadata is stripped back to its C2PA manifests: what it looks like, and the watermark
 * in it. Neither proves that a manifest vouches for the copy at hand; its own hashes and its signature do that.
 */
export interface SoftBindings {
  /** Names of what manifests are found by, first ours: the id of a watermark, and PDQ of the whole picture. */
  readonly algorithms: { readonly watermarks: readonly string[]; readonly fingerprints: readonly string[] };
  /**
   * Manifests bound to a value, the surest first: by an algorithm of ours, or by any other that a kept manifest declares.
   * @throws AtelierError invalid_input for a name that is none, or a value of ours that has another length
   */
  byValue(binding: SoftBinding): Promise<FoundManifest[]>;
  /**
   * Manifests of pictures this one is a copy of, the surest first.
   * @param asked `algorithm`: the only one to go by; `hint`: a value that is known of it already
   * @throws AtelierError as byValue and pixels do
   */
  byContent(
    picture: { readonly bytes: Uint8Array; readonly width: number; readonly height: number },
    asked: { readonly algorithm?: string; readonly hint?: SoftBinding },
    control: Omit<PixelControl, 'pixels'>,
  ): Promise<FoundManifest[]>;
}

export interface SoftBinding {
  readonly algorithm: string;
  /** Ours as base64: of a fingerprint 32 bytes, of a watermark the 6 bytes of its id. Those of others as text or base64. */
  readonly value: string;
  /** What the caller calls the value, for errors. Absent: `value`. */
  readonly field?: string;
}

export interface FoundManifest {
  /** Label of the active manifest. */
  readonly id: string;
  /** Of the store that is meant. */
  readonly sha256: string;
  /** From 0 to 100: share of equal bits of the hashes compared, in percent; 100 for a watermark. */
  readonly score: number;
}
