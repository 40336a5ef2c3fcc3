import { init, type WrappedPdfiumModule } from '@embedpdf/pdfium';
import type { OutlineCommand } from '../typography/font.ts';
import type { DecoderResources } from './types.ts';
import { compileModule, emscriptenHooks, withoutProcessListeners } from './webassembly_modules.ts';

type Pdfium = WrappedPdfiumModule & {
  readonly pdfium: { readonly HEAPU8: Uint8Array; readonly HEAPF32: Float32Array };
};

/** Values of PDFium's fpdf_edit.h. */
const SEGMENT = { line: 0, bezier: 1, move: 2 } as const;
const FONT_SIZE = 1;
const SEGMENTS_MAX = 20_000;

/** The glyphs of one font. */
export interface GlyphOutlines {
  /** Of a character of its ToUnicode map, in em, y upwards. @returns undefined where the font has none, and for spaces */
  outline(character: number): readonly OutlineCommand[] | undefined;
}

/**
 * Reads glyphs of embedded fonts of any kind: TrueType, Type 1, CFF, and composite ones.
 * @returns opens a PDF whose first page begins with text in the font; undefined where the font cannot be read
 */
export async function openGlyphReader(
  resources: Pick<DecoderResources, 'readModule'>,
): Promise<(file: Uint8Array) => GlyphOutlines | undefined> {
  const module = compileModule('@embedpdf/pdfium', 'PDF', resources);
  const library = await withoutProcessListeners(
    () => init(emscriptenHooks(module) as object) as Promise<Pdfium>,
  );
  library.PDFiumExt_Init();
  let isTrapped = false;
  // After a trap of the module nothing that it says counts.
  const untrapped = <T>(work: () => T): T | undefined => {
    if (isTrapped) return undefined;
    try {
      return work();
    } catch {
      isTrapped = true;
      return undefined;
    }
  };
  return (file) => {
    const font = untrapped(() => fontOf(library, file)) ?? 0;
    if (font === 0) return undefined;
    return { outline: (character) => untrapped(() => outlineOf(library, font, character)) };
  };
}

function fontOf(library: Pdfium, file: Uint8Array): number {
  const { wasmExports } = library.pdfium as unknown as { wasmExports: { malloc(bytes: number): number } };
  const place = wasmExports.malloc(file.length);
  library.pdfium.HEAPU8.set(file, place);
  const document = library.FPDF_LoadMemDocument(place, file.length, '');
  const page = document === 0 ? 0 : library.FPDF_LoadPage(document, 0);
  const text = page === 0 ? 0 : library.FPDFPage_GetObject(page, 0);
  const font = text === 0 ? 0 : library.FPDFTextObj_GetFont(text);
  // PDFium puts a font of its own in place of one that it cannot read.
  return font !== 0 && library.FPDFFont_GetIsEmbedded(font) === 1 ? font : 0;
}

function outlineOf(library: Pdfium, font: number, character: number): OutlineCommand[] | undefined {
  const path = library.FPDFFont_GetGlyphPath(font, character, FONT_SIZE);
  if (path === 0) return undefined;
  const count = library.FPDFGlyphPath_CountGlyphSegments(path);
  return count < 0 || count > SEGMENTS_MAX ? undefined : commandsOf(library, path, count);
}

function commandsOf(library: Pdfium, path: number, count: number): OutlineCommand[] {
  const { wasmExports } = library.pdfium as unknown as {
    wasmExports: { malloc(bytes: number): number; free(place: number): void };
  };
  const place = wasmExports.malloc(8);
  const commands: OutlineCommand[] = [];
  let curve: number[] = [];
  for (let at = 0; at < count; at += 1) {
    const segment = library.FPDFGlyphPath_GetGlyphPathSegment(path, at);
    library.FPDFPathSegment_GetPoint(segment, place, place + 4);
    const { HEAPF32 } = library.pdfium;
    const point = [HEAPF32[place >> 2]!, HEAPF32[(place >> 2) + 1]!];
    const type = library.FPDFPathSegment_GetType(segment);
    if (type === SEGMENT.bezier) {
      curve = [...curve, ...point];
      if (curve.length === 6) {
        commands.push({ type: 'C', values: curve });
        curve = [];
      }
    } else commands.push({ type: type === SEGMENT.move ? 'M' : 'L', values: point });
    if (library.FPDFPathSegment_GetClose(segment)) commands.push({ type: 'Z', values: [] });
  }
  wasmExports.free(place);
  return commands;
}
