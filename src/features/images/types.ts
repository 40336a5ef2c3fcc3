import type { SourceImage } from '../../core/workers/types.ts';
import type { Expected } from '../assets/uploads/uploads.ts';

/** Client of a handle, and cancellation. */
export interface Sender {
  readonly wallet?: string;
  readonly signal: AbortSignal;
  /** Expected properties of the bytes, which `open` checks. */
  readonly expected?: Expected;
}

/** Loads images from the values of image fields. */
export interface Images {
  /**
   * Loads an image.
   * @param text base64, data: URL, or handle (`https:`, `upload:`, `asset:`, `artwork:`, `result:`); long ASCII text may be
   *   passed as bytes, to avoid a long string
   * @param field name of the field, for the error message
   * @throws AtelierError invalid_input, unsupported_image, undecodable_image (also if truncated), image_too_large,
   * image_not_found, upstream_failed, bytes_differ
   */
  open(text: string | Buffer, field: string, caller: Sender): Promise<SourceImage>;
  /** The same for raw bytes. @throws AtelierError unsupported_image, undecodable_image, image_too_large */
  ofBytes(bytes: Uint8Array, field: string): SourceImage;
  /** Sanitised file name of a handle or URL; undefined where it has none. */
  nameOf(text: string): string | undefined;
  /** The bytes of the same forms, of any type. @throws AtelierError also payload_too_large above `maxBytes` */
  read(text: string, field: string, caller: Sender, maxBytes: number): Promise<Uint8Array>;
  /** The actual type of bytes declared as an image: a media type, or a description. Undefined where it matches the declaration. */
  otherThan(mediaType: string, bytes: Uint8Array): { mediaType: string } | { words: string } | undefined;
}
