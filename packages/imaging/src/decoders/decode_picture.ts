import type { DecodedFormat, DecodedPicture, DecodeOptions, Decoder, OpenDocument } from './types.ts';

/** A decoder is loaded when the first file needs it, in a process for images. */
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
 * Decodes a picture of a format that sharp does not read.
 * @param format what the bytes are, by their own first bytes
 * @throws EngineError as the decoder does
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
 * Opens a file of such a format to decode several of its pictures.
 * @param pages as its structure has them; a PDF is counted by its decoder
 * @throws EngineError as the decoder does
 */
export async function openDocument(
  format: DecodedFormat,
  bytes: Uint8Array,
  { pages, ...options }: Omit<DecodeOptions, 'page'> & { readonly pages: number },
): Promise<OpenDocument> {
  if (format === 'pdf') return (await import('./pdf.ts')).openPdf(bytes, options);
  return { pages, picture: (page) => decodePicture(format, bytes, { ...options, page }) };
}
