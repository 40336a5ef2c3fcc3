import type { DecodedFormat, DecodedPicture, DecodeOptions, Decoder, OpenDocument } from './types.ts';

/** Decoders, loaded in the image process when a file first needs them. */
const DECODERS: Readonly<Record<DecodedFormat, () => Promise<Decoder>>> = {
  heic: async () => (await import('./heic.ts')).decodeHeic,
  avif: async () => (await import('./avif_sequence.ts')).decodeAvifSequence,
  bmp: async () => (await import('./bmp.ts')).decodeBmp,
  ico: async () => (await import('./ico.ts')).decodeIco,
  psd: async () => (await import('./psd.ts')).decodePsd,
  svg: async () => (await import('./svg.ts')).decodeSvg,
  pdf: async () => (await import('./pdf.ts')).decodePdf,
  jxl: async () => (await import('./jxl.ts')).decodeJxl,
  raw: async () => (await import('./raw.ts')).decodeRaw,
  tiff: async () => (await import('./tiff.ts')).decodeTiff,
};

/**
 * Decodes an image in a format that sharp does not read.
 * @param format detected from the bytes
 * @throws EngineError like the decoder
 */
export async function decodePicture(
  format: DecodedFormat,
  bytes: Uint8Array,
  options: DecodeOptions,
): Promise<DecodedPicture> {
  const decode = await DECODERS[format]();
  return decode(bytes, options);
}

/**
 * Opens a file in such a format to decode several of its images.
 * @param pages counted from its structure; for a PDF, its decoder counts them
 * @throws EngineError like the decoder
 */
export async function openDocument(
  format: DecodedFormat,
  bytes: Uint8Array,
  { pages, ...options }: Omit<DecodeOptions, 'page'> & { readonly pages: number },
): Promise<OpenDocument> {
  if (format === 'pdf') return (await import('./pdf.ts')).openPdf(bytes, options);
  return { pages, picture: (page) => decodePicture(format, bytes, { ...options, page }) };
}
