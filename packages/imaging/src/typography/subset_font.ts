import { compileModule } from '../decoders/webassembly_modules.ts';
import type { TextResources } from './draw_text.ts';
import { unwrapWoff } from './unwrap_woff.ts';

/** The used part of HarfBuzz's subsetter, a separate module. Source: hb-subset.h */
interface Subsetter {
  readonly memory: WebAssembly.Memory;
  _initialize(): void;
  malloc(bytes: number): number;
  hb_blob_create(data: number, length: number, mode: number, user: number, destroy: number): number;
  hb_blob_get_length(blob: number): number;
  hb_blob_get_data(blob: number, length: number): number;
  hb_face_create(blob: number, index: number): number;
  hb_face_reference_blob(face: number): number;
  hb_set_add(set: number, value: number): void;
  hb_subset_input_create_or_fail(): number;
  hb_subset_input_glyph_set(input: number): number;
  hb_subset_input_set_flags(input: number, flags: number): void;
  hb_subset_or_fail(face: number, input: number): number;
}

const MEMORY_MODE_WRITABLE = 2;
/** Glyphs keep their ids, so that the page content needs no translation. */
const RETAIN_GLYPH_IDS = 2;
const NO_LAYOUT_CLOSURE = 0x200;

/**
 * Subsets a TrueType file to some glyphs, which keep their ids.
 * @param path of the font, from `fontFiles`
 * @throws Error if the font cannot be read or subset
 */
export function subsetFont(path: string, glyphs: Iterable<number>, resources: TextResources): Uint8Array {
  const file = resources.readFont(path);
  if (!file) throw new Error(`the font ${path} is not installed`);
  const module = compileModule('harfbuzzjs', 'font subsets', resources);
  // One instance per font: its memory ends with it.
  const hb = new WebAssembly.Instance(module, {}).exports as unknown as Subsetter;
  hb._initialize();
  const sfnt = unwrapWoff(file);
  const data = hb.malloc(sfnt.length);
  new Uint8Array(hb.memory.buffer).set(sfnt, data);
  const face = hb.hb_face_create(hb.hb_blob_create(data, sfnt.length, MEMORY_MODE_WRITABLE, 0, 0), 0);
  const input = hb.hb_subset_input_create_or_fail();
  hb.hb_subset_input_set_flags(input, RETAIN_GLYPH_IDS | NO_LAYOUT_CLOSURE);
  const wanted = hb.hb_subset_input_glyph_set(input);
  for (const glyph of glyphs) hb.hb_set_add(wanted, glyph);
  const subset = hb.hb_subset_or_fail(face, input);
  if (subset === 0) throw new Error(`the font ${path} cannot be subset`);
  const blob = hb.hb_face_reference_blob(subset);
  const start = hb.hb_blob_get_data(blob, 0);
  return new Uint8Array(hb.memory.buffer).slice(start, start + hb.hb_blob_get_length(blob));
}
