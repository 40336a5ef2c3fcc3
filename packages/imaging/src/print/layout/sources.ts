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
import { type LiveArt, RasterisationRequired } from '../vector/live_art.ts';
import { openPages, type PdfPages } from '../vector/page_art.ts';
import { svgArt } from '../vector/vector_sheet.ts';

/** A source rendered as pixels. */
export interface RenderedSource {
  /** File that libvips reads, with alpha if the source has any. */
  readonly bytes: Uint8Array;
  /** Size of the rendering in pixels. */
  readonly size: Size;
  /** Rendered area from the lower left corner of the artwork, in its units. */
  readonly area: Box;
}

/** An image, a drawing or a PDF page that becomes a piece. */
export interface Source {
  /** Name in messages: `image`, `page 3`. */
  readonly name: string;
  /** Trim size: points of a drawing or page, pixels of an image. */
  readonly size: Size;
  /** Absent for images, whose size depends on the print. */
  readonly sizeMm?: Size;
  /**
   * Returns the artwork with live text and vectors, or the reason why it must be rasterised, as a clause. Undefined for
   * images.
   */
  live?(): Promise<LiveArt | string>;
  /**
   * Renders the source.
   * @param pixels approximate size; images keep their own
   * @param isClear omit the paper of a page, so that only painted areas are opaque
   */
  render(pixels: Size, isClear?: boolean): Promise<RenderedSource>;
}

export interface SourceResources extends DecoderResources {
  /** Substitutes for fonts that are not embedded. */
  readonly readFont: ReadFont;
  /** Converts a file for libvips and counts its pages. */
  prepare(
    bytes: Uint8Array,
    options?: PrepareOptions,
  ): Promise<{ readonly bytes: Uint8Array; readonly of: number }>;
}

interface OpenSourcesOptions {
  readonly made: NewDocument;
  /** For drawings: neutral colours become black only. */
  readonly colors: PressColors;
  readonly resources: SourceResources;
  readonly pagesMax: number;
  /** Pages of a PDF or TIFF, from 1. Default: all pages of a PDF, the first of a TIFF. */
  readonly pages?: readonly number[] | undefined;
}

/** An opened file whose pages are imposed. */
export interface OpenedFile {
  readonly sources: readonly Source[];
  /** Page of each source, from 1, and page count of the file. */
  readonly pages: { readonly used: readonly number[]; readonly of: number };
}

/**
 * Opens a file. Every page of a PDF, or every requested page, becomes a source.
 * @throws EngineError unsuitable_image if the file lacks a requested page
 */
export async function openSources(
  bytes: Uint8Array,
  name: string,
  opening: OpenSourcesOptions,
): Promise<OpenedFile> {
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
  return { name, size, render: async () => ({ bytes, size, area: whole }) };
}

async function svgSource(
  bytes: Uint8Array,
  name: string,
  { made, colors, resources }: OpenSourcesOptions,
): Promise<Source> {
  const art = await svgArt(bytes, colors, resources, made).catch((error: unknown) => {
    if (error instanceof RasterisationRequired) return error.message;
    throw error;
  });
  const render = async (pixels: Size | undefined): Promise<RenderedSource> => {
    const { bytes: drawn } = await resources.prepare(bytes, { drawnFor: pixels });
    const { width, height } = await awaitDecoding(openPicture(drawn).metadata());
    return { bytes: drawn, size: { width, height }, area };
  };
  const size = typeof art === 'string' ? pointsOf((await render(undefined)).size) : art;
  const { width, height } = size;
  const area = { left: 0, bottom: 0, right: width, top: height };
  return { name, size: { width, height }, sizeMm: mmOf(size), live: async () => art, render };
}

/** SVG is rendered at 96 pixels per inch. */
const pointsOf = ({ width, height }: Size): Size => ({
  width: (width * 72) / SVG_DPI,
  height: (height * 72) / SVG_DPI,
});

async function pdfSources(bytes: Uint8Array, name: string, opening: OpenSourcesOptions): Promise<OpenedFile> {
  const pages = pagesOf(bytes, opening);
  const { pages: of } = await openForRendering(bytes, opening.resources);
  const used = opening.pages ?? Array.from({ length: of }, (_, index) => index + 1);
  const beyond = used.find((page) => page > of);
  if (beyond !== undefined) throw noSuchPage(beyond, of);
  if (used.length > opening.pagesMax)
    throw new EngineError(
      'unsuitable_image',
      `The PDF has ${of} pages. At most ${opening.pagesMax} are supported: select them with pages, such as "1-${opening.pagesMax}", or split the file.`,
    );
  const drawing = createPageRenderer(bytes, opening.resources);
  const sources: Source[] = [];
  for (const page of used)
    sources.push(
      await pageSource({ name: of === 1 ? name : `page ${page}`, index: page - 1, pages, drawing }),
    );
  return { sources, pages: { used, of } };
}

/** Returns the pages as vectors, or the reason why they must be rasterised. */
function pagesOf(bytes: Uint8Array, { made, colors, resources }: OpenSourcesOptions): PdfPages | string {
  try {
    return openPages(bytes, { colors, readFont: resources.readFont }, made);
  } catch (error) {
    if (error instanceof RasterisationRequired) return error.message;
    throw error;
  }
}

const openForRendering = async (
  bytes: Uint8Array,
  resources: DecoderResources,
  options: { readonly dpi?: number; readonly isClear?: boolean } = {},
): Promise<OpenDocument> => (await import('../../decoders/pdf.ts')).openPdf(bytes, { ...options, resources });

/** Resolutions for rendering a page, in dpi. */
const DPI = { min: 10, max: 1200, size: 36 };

type RenderPage = (index: number, dpi: number, isClear: boolean) => Promise<DecodedPicture>;

/** Renders pages. Consecutive pages with equal settings share one opened file. */
function createPageRenderer(bytes: Uint8Array, resources: DecoderResources): RenderPage {
  let kept: { readonly key: string; readonly document: Promise<OpenDocument> } | undefined;
  return async (index, dpi, isClear) => {
    const key = `${dpi} ${isClear}`;
    if (kept?.key !== key) kept = { key, document: openForRendering(bytes, resources, { dpi, isClear }) };
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
  pages: PdfPages | string;
  drawing: RenderPage;
}): Promise<Source> {
  const drawAt = (dpi: number, isClear = false) => drawing(index, dpi, isClear);
  const known = typeof pages === 'object' && index < pages.sizes.length ? pages : undefined;
  const size = known ? known.sizes[index]! : sizeAt(DPI.size, await drawAt(DPI.size));
  const area = known?.shown(index) ?? { left: 0, bottom: 0, right: size.width, top: size.height };
  return {
    name,
    size,
    sizeMm: mmOf(size),
    async live() {
      if (!known) return typeof pages === 'string' ? pages : 'its pages cannot be read';
      return known.art(index).catch((error: unknown) => {
        if (error instanceof RasterisationRequired) return error.message;
        throw error;
      });
    },
    async render(pixels, isClear) {
      const wanted = Math.ceil((72 * pixels.width) / size.width);
      const picture = await drawAt(Math.min(DPI.max, Math.max(DPI.min, wanted)), isClear);
      return { bytes: tiffOf(picture), size: { width: picture.width, height: picture.height }, area };
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
