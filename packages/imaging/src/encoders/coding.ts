import { FORMAT_TRAITS, type OutputFormat } from './formats.ts';

/** How the pixels of a file are coded. */
export interface Coding {
  /** 1 to 100, where something is lost. */
  readonly quality: number;
  readonly isLossless: boolean;
}

/** How a picture is coded where the client leaves something open. */
export function codingOf(
  format: OutputFormat,
  wanted: { readonly quality?: number | undefined; readonly isLossless?: boolean | undefined },
): Coding {
  const { coding, quality } = FORMAT_TRAITS[format];
  const isLossless =
    coding === 'lossless' || (coding === 'both' && (wanted.isLossless ?? quality === undefined));
  return { quality: wanted.quality ?? quality ?? 100, isLossless };
}

/** Whether the encoder holds the whole picture in many bytes a pixel. */
export const isHeldWhole = ({
  format,
  isLossless,
}: Pick<Coding, 'isLossless'> & { readonly format: OutputFormat }): boolean =>
  format === 'avif' || (format === 'webp' && isLossless);
