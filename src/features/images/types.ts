import type { SourceImage } from '../../core/workers/types.ts';
import type { Expected } from '../assets/uploads/expected.ts';

/** Who sent a handle, and when to stop waiting for what it names. */
export interface Sender {
  readonly wallet?: string;
  readonly signal: AbortSignal;
  /** What the sender says the bytes of a picture are; looked at by `open`. */
  readonly expected?: Expected;
}

/** Turns what a caller sent in an image field into a picture. */
export interface Images {
  /**
   * @param text base64, data: URL, or handle (`https:`, `upload:`, `asset:`, `artwork:`, `result:`); long ASCII text may be
   *   given as its bytes, which saves making a string of it
   * @param field name of the field, for the error message
   * @throws AtelierError invalid_input, unsupported_image, undecodable_image (also where it broke off on its way), image_too_large,
   * image_not_found, upstream_failed, bytes_differ
   */
  open(text: string | Buffer, field: string, caller: Sender): Promise<SourceImage>;
  /** The same of bytes that came as they are. @throws AtelierError unsupported_image, undecodable_image, image_too_large */
  ofBytes(bytes: Uint8Array, field: string): SourceImage;
  /** What the client calls the file behind a handle or URL, as a name every system takes; undefined where it has none. */
  nameOf(text: string): string | undefined;
  /** The bytes behind the same forms, whatever they are. @throws AtelierError also payload_too_large above `maxBytes` */
  read(text: string, field: string, caller: Sender, maxBytes: number): Promise<Uint8Array>;
  /** What bytes are that are said to be a picture and are another or none: a media type, or words. Undefined where nothing speaks against it. */
  otherThan(mediaType: string, bytes: Uint8Array): { mediaType: string } | { words: string } | undefined;
}
