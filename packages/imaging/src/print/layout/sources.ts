import { awaitDecoding, openPicture } from '../../codecs/open_picture.ts';
import { noSuchPage } from '../../decoders/bounds.ts';
import { SVG_DPI } from '../../decoders/limits.ts';
import type { DecodedPicture, DecoderResources, OpenDocument } from '../../decoders/types.ts';
import { EngineError } from '../../errors/engine_error.ts';
import { foreignFormatOf } from '../../identify/foreign_format.ts';
import { refuseFurtherPage } from '../../intake/choose_page.ts';
import { type PrepareOptions, tiffOf } from '../../intake/prepare_picture.ts';
import type { Size } from '../../pixels/plane.ts';
import type { Box } from '../../preflight/content/matrix.ts';
import { MM_PER_POINT } from '../../preflight/content/matrix.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import type { PressColors } from '../../preflight/convert/press_colors.ts';
import type { ReadFont } from '../../typography/open_fonts.ts';
import { type LiveArt, NotVector } from '../vector/live_art.ts';
import { openPages, type PagesOfPdf } from '../vector/page_art.ts';
import { svgArt } from '../vector/vector_sheet.ts';

/** What a source looks like as pixels. */
export interface Drawn {
  /** That libvips reads, with opacity where there is one. */
  readonly bytes: Uint8Array;
  /** Pixels of all that is drawn. */
  readonly size: Size;
  /** All that is drawn, from the lower left corner of the art, in units of it. */
  readonly shown: Box;
}

/** A picture, a drawing or a page of a PDF that becomes a piece. */
export interface Source {
  /** For messages: `image`, `page 3`. */
  readonly name: string;
  /** Of the art after trimming: points of a drawing or page, pixels of a picture. */
  readonly size: Size;
  /** Absent for pictures, which are as large as they are printed. */
  readonly sizeMm?: Size;
  /** With text and vectors live, as a part of the file that is made; else why not, in words that follow "as ". Undefined for pictures. */
  live?(): Promise<LiveArt | string>;
  /**
   * @param pixels about how many the art has a side; a picture has its own
   * @param isClear whether paper of a page is left out, so that only what it paints is opaque
   */
  draw(pixels: Size, isClear?: boolean): Promise<Drawn>;
}

export interface SourceResources extends DecoderResources {
  /** Fonts for text whose font is not in the file. */
  readonly readFont: ReadFont;
  /** A file as libvips reads it, and how many pages it has. */
  prepare(
    bytes: Uint8Array,
    options?: PrepareOptions,
  ): Promise<{ readonly bytes: Uint8Array; readonly of: number }>;
}

interface Opening {
  readonly made: NewDocument;
  /** For drawings: neutral colours in black ink alone. */
  readonly colors: PressColors;
  readonly resources: SourceResources;
  readonly pagesMax: number;
  /** Of a PDF or TIFF, from 1; absent: all of a PDF, the first of a TIFF. */
  readonly pages?: readonly number[] | undefined;
}

/** A file whose pages are laid out. */
export interface OpenedFile {
  readonly sources: readonly Source[];
  /** The page each source is, from 1, and how many the file has. */
  readonly pages: { readonly used: readonly number[]; readonly of: number };
}

/**
 * Opens a file; every page of a PDF is a source, or those that are asked for.
 * @throws EngineError, unsuitable_image for a page that the file does not have
 */
export async function openSources(bytes: Uint8Array, name: string, opening: Opening): Promise<OpenedFile> {
  const format = foreignFormatOf(bytes);
  if (format === 'pdf') return pdfSources(bytes, name, opening);
  const { pages = [1] } = opening;
  if (format === 'svg') {
    for (const page of pages) refuseFurtherPage(page, format);
    const source = await svgSource(bytes, name, opening);
    return { sources: pages.map(() => source), pages: { used: pages, of: 1 } };
  }
  const sources: Source[] = [];
  let of = 1;
  for (const page of pages) {
    const prepared = await opening.resources.prepare(bytes, { page: opening.pages && page });
    of = prepared.of;
    sources.push(await pictureSource(prepared.bytes, of === 1 || !opening.pages ? name : `page ${page}`));
  }
  return { sources, pages: { used: pages, of } };
}

async function pictureSource(bytes: Uint8Array, name: string): Promise<Source> {
  const { autoOrient: size } = await awaitDecoding(openPicture(bytes).metadata());
  const whole = { left: 0, bottom: 0, right: size.width, top: size.height };
  return { name, size, draw: async () => ({ bytes, size, shown: whole }) };
}

async function svgSource(
  bytes: Uint8Array,
  name: string,
  { made, colors, resources }: Opening,
): Promise<Source> {
  const art = await svgArt(bytes, colors, resources, made).catch((error: unknown) => {
    if (error instanceof NotVector) return error.message;
    throw error;
  });
  const draw = async (pixels: Size | undefined): Promise<Drawn> => {
    const { bytes: drawn } = await resources.prepare(bytes, { drawnFor: pixels });
    const { width, height } = await awaitDecoding(openPicture(drawn).metadata());
    return { bytes: drawn, size: { width, height }, shown };
  };
  const size = typeof art === 'string' ? pointsOf((await draw(undefined)).size) : art;
  const { width, height } = size;
  const shown = { left: 0, bottom: 0, right: width, top: height };
  return { name, size: { width, height }, sizeMm: mmOf(size), live: async () => art, draw };
}

/** An SVG is drawn at 96 pixels an inch. */
const pointsOf = ({ width, height }: Size): Size => ({
  width: (width * 72) / SVG_DPI,
  height: (height * 72) / SVG_DPI,
});

async function pdfSources(bytes: Uint8Array, name: string, opening: Opening): Promise<OpenedFile> {
  const pages = pagesOf(bytes, opening);
  const { pages: of } = await openForDrawing(bytes, opening.resources);
  const used = opening.pages ?? Array.from({ length: of }, (_, index) => index + 1);
  const beyond = used.find((page) => page > of);
  if (beyond !== undefined) throw noSuchPage(beyond, of);
  if (used.length > opening.pagesMax)
    throw new EngineError(
      'unsuitable_image',
      `The PDF has ${of} pages. At most ${opening.pagesMax} are laid out: name them in pages, such as "1-${opening.pagesMax}", or send it in parts.`,
    );
  const drawing = drawerOf(bytes, opening.resources);
  const sources: Source[] = [];
  for (const page of used)
    sources.push(
      await pageSource({ name: of === 1 ? name : `page ${page}`, index: page - 1, pages, drawing }),
    );
  return { sources, pages: { used, of } };
}

/** The pages as vectors, or why there are none. */
function pagesOf(bytes: Uint8Array, { made, colors, resources }: Opening): PagesOfPdf | string {
  try {
    return openPages(bytes, { colors, readFont: resources.readFont }, made);
  } catch (error) {
    if (error instanceof NotVector) return error.message;
    throw error;
  }
}

const openForDrawing = async (
  bytes: Uint8Array,
  resources: DecoderResources,
  options: { readonly dpi?: number; readonly isClear?: boolean } = {},
): Promise<OpenDocument> => (await import('../../decoders/pdf.ts')).openPdf(bytes, { ...options, resources });

/** Resolutions a page may be drawn at. */
const DPI = { min: 10, max: 1200, size: 36 };

type DrawPage = (index: number, dpi: number, isClear: boolean) => Promise<DecodedPicture>;

/** Draws pages; the file is opened once for pages that are drawn alike, one after the other. */
function drawerOf(bytes: Uint8Array, resources: DecoderResources): DrawPage {
  let kept: { readonly key: string; readonly document: Promise<OpenDocument> } | undefined;
  return async (index, dpi, isClear) => {
    const key = `${dpi} ${isClear}`;
    if (kept?.key !== key) kept = { key, document: openForDrawing(bytes, resources, { dpi, isClear }) };
    return (await kept.document).picture(index + 1);
  };
}

async function pageSource({
  name,
  index,
  pages,
  drawing,
}: {
  name: string;
  index: number;
  pages: PagesOfPdf | string;
  drawing: DrawPage;
}): Promise<Source> {
  const drawAt = (dpi: number, isClear = false) => drawing(index, dpi, isClear);
  const known = typeof pages === 'object' && index < pages.sizes.length ? pages : undefined;
  const size = known ? known.sizes[index]! : sizeAt(DPI.size, await drawAt(DPI.size));
  const shown = known?.shown(index) ?? { left: 0, bottom: 0, right: size.width, top: size.height };
  return {
    name,
    size,
    sizeMm: mmOf(size),
    async live() {
      if (!known) return typeof pages === 'string' ? pages : 'its pages cannot be read';
      return known.art(index).catch((error: unknown) => {
        if (error instanceof NotVector) return error.message;
        throw error;
      });
    },
    async draw(pixels, isClear) {
      const wanted = Math.ceil((72 * pixels.width) / size.width);
      const picture = await drawAt(Math.min(DPI.max, Math.max(DPI.min, wanted)), isClear);
      return { bytes: tiffOf(picture), size: { width: picture.width, height: picture.height }, shown };
    },
  };
}

const sizeAt = (dpi: number, { width, height }: Size): Size => ({
  width: (72 * width) / dpi,
  height: (72 * height) / dpi,
});

const mmOf = ({ width, height }: Size): Size => ({
  width: width * MM_PER_POINT,
  height: height * MM_PER_POINT,
});
