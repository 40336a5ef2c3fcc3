import { codingOf, isHeldWhole } from '@atelier/imaging/encoders/coding.ts';
import type { OutputFormat } from '@atelier/imaging/encoders/formats.ts';
import { PIXELS_OF_A_WHOLE_PIXEL } from '@atelier/imaging/encoders/limits.ts';

interface Saving {
  readonly format: OutputFormat;
  readonly lossless?: boolean | undefined;
  readonly max_bytes?: number | undefined;
}

/** Additional peak pixels of saving: of the encoder, and of an image that is written several times. */
export function pixelsOfSaving(pixels: number, { format, lossless, max_bytes: bytesMax }: Saving): number {
  const isWhole = isHeldWhole({ format, ...codingOf(format, { isLossless: lossless }) });
  return (bytesMax === undefined ? 0 : pixels) + (isWhole ? PIXELS_OF_A_WHOLE_PIXEL * pixels : 0);
}
