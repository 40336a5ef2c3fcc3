import { FORMAT_TRAITS, type OutputFormat } from './formats.ts';

/** How the pixels of a file are coded. */
export interface Coding {
  /** 1 to 100, for lossy encoding. */
  readonly quality: number;
  readonly isLossless: boolean;
}

/** Encoding parameters, with defaults for what the client did not set. */
export function codingOf(
  format: OutputFormat,
  wanted: { readonly quality?: number | undefined; readonly isLossless?: boolean | undefined },
): Coding {
  const { coding, quality } = FORMAT_TRAITS[format];
  const isLossless =
    coding === 'lossless' || (coding === 'both' && (wanted.isLossless ?? quality === undefined));
  return { quality: wanted.quality ?? quality ?? 100, isLossless };
}

/** Whether the encoder holds the whole image at many bytes per pixel. */
export const isHeldWhole = ({
  format,
  isLossless,
}: Pick<Coding, 'isLossless'> & { readonly format: OutputFormat }): boolean =>
  format === 'avif' || (format === 'webp' && isLossless);
