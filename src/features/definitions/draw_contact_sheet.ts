import type { Layer } from '@atelier/imaging/composer/layers.ts';
import type { Services } from '../services.ts';
import type { CallContext } from './tool.ts';
import { CONTACT_IMAGE_PX, CONTACT_SIDE_PX } from './tool_limits.ts';

/** One image of a contact sheet. */
export interface SheetTile {
  readonly number: number;
  /** Caption after the number. Absent: only the number. */
  readonly name?: string | undefined;
  /** Encoded, in any size; absent: `text` is drawn instead. */
  readonly image?: Uint8Array | undefined;
  readonly text: string;
}

interface Drawing {
  /** Decoded pixels of the largest image, by which the CPU budget of the drawing is computed. */
  readonly imagePixels: number;
  /** Text on a sheet without tiles. */
  readonly emptyText: string;
  readonly call: Pick<CallContext, 'address' | 'callerKey' | 'signal'>;
}

const GAP_PX = 8;
/** Caption height of the layout engine at this sheet size. */
const CAPTION_PX = 34;
/** Background of tiles. */
const BACKGROUND = '#ececec';
const INK = '#333333';
/** Characters of a caption, which is as wide as a column. */
const CAPTION_CHARACTERS = 16;
/** Background of a text that replaces an image. */
const PAPER = '#ffffff';

/**
 * Draws images with their number and name below each, in rows.
 * @returns a PNG with sides of at most `CONTACT_SIDE_PX`
 * @throws AtelierError busy, timed_out
 */
export async function drawContactSheet(
  pixels: Pick<Services['pixels'], 'run'>,
  tiles: readonly SheetTile[],
  { imagePixels, emptyText, call }: Drawing,
) {
  const columns = Math.max(1, Math.ceil(Math.sqrt(tiles.length)));
  const canvas = sheetSize(columns, Math.max(1, Math.ceil(tiles.length / columns)));
  return pixels.run(
    'compose',
    {
      canvas: { ...canvas, dpi: 96, background: BACKGROUND },
      layers: tiles.length > 0 ? tiles.map(layerOf) : [textLayer(emptyText)],
      layout: { type: 'grid', columns, gap: GAP_PX, captions: true },
      format: 'png',
      images: Object.fromEntries(tiles.flatMap(({ number, image }) => (image ? [[number, image]] : []))),
    },
    { pixels: 4 * canvas.width * canvas.height + imagePixels, ...call },
  );
}

function sheetSize(columns: number, rows: number): { width: number; height: number } {
  const room = (count: number) => (CONTACT_SIDE_PX - GAP_PX) / count - GAP_PX;
  const side = Math.floor(Math.min(CONTACT_IMAGE_PX, room(columns), room(rows) - CAPTION_PX));
  return {
    width: columns * (side + GAP_PX) + GAP_PX,
    height: rows * (side + CAPTION_PX + GAP_PX) + GAP_PX,
  };
}

function layerOf({ number, name: whole, image, text }: SheetTile): Layer {
  const name = whole === undefined ? `${number}` : `${number}  ${shortName(whole, CAPTION_CHARACTERS)}`;
  if (image) return { type: 'image', image: String(number), name };
  const paper = { type: 'shape', shape: 'rect', fill: PAPER } as const;
  return { type: 'group', name, layers: [paper, textLayer(text)] };
}

const textLayer = (text: string): Layer => ({
  type: 'text',
  text,
  size: text.length > 12 ? 15 : 24,
  fit: true,
  color: INK,
  align: 'center',
  valign: 'middle',
});

/** Shortens a name in the middle, because names of a series differ at their ends. */
export function shortName(name: string, charactersMax: number): string {
  const letters = [...name];
  if (letters.length <= charactersMax) return name;
  const end = Math.floor(charactersMax / 3);
  const [first, last] = [letters.slice(0, charactersMax - end - 1), letters.slice(-end)];
  return `${first.join('').trimEnd()}…${last.join('').trimStart()}`;
}
