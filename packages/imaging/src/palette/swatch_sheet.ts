import { sharp } from '../codecs/sharp.ts';
import { lumaOf } from '../pixels/luma.ts';
import { setLine } from '../typography/set_line.ts';
import type { Typeface } from '../typography/typeface.ts';
import type { Swatch } from './swatch.ts';

/** The faces of a sheet. */
export interface SheetType {
  readonly regular: Typeface;
  readonly bold: Typeface;
}

const WIDTH = 960;
const HEIGHT = 128;
const MARGIN = 36;
const NAME_PX = 34;
const DETAIL_PX = 26;
/** BT.601 luma above which text is black. */
const LIGHT_MIN = 140;

/** A sheet to look at: each colour a bar with its name, value and share in it. @returns a PNG */
export async function swatchSheet(colors: readonly Swatch[], type: SheetType): Promise<Uint8Array> {
  const data = Buffer.alloc(WIDTH * HEIGHT * colors.length * 3);
  for (const [index, { hex, rgb, percentage, name }] of colors.entries()) {
    const bar = data.subarray(index * WIDTH * HEIGHT * 3, (index + 1) * WIDTH * HEIGHT * 3);
    for (let at = 0; at < bar.length; at += 3) bar.set([rgb.r, rgb.g, rgb.b], at);
    const ink = lumaOf(rgb.r, rgb.g, rgb.b) > LIGHT_MIN ? 0 : 255;
    const share = setLine(shareText(percentage), type.bold, NAME_PX);
    const label = setLine(name.charAt(0).toUpperCase() + name.slice(1), type.bold, NAME_PX);
    const value = setLine(hex, type.regular, DETAIL_PX);
    lay(bar, label, { left: MARGIN, top: HEIGHT / 2 - label.height, ink });
    lay(bar, value, { left: MARGIN, top: HEIGHT / 2 + 4, ink });
    lay(bar, share, { left: WIDTH - MARGIN - share.width, top: (HEIGHT - share.height) / 2, ink });
  }
  return sharp(data, { raw: { width: WIDTH, height: HEIGHT * colors.length, channels: 3 } })
    .png()
    .toBuffer();
}

/** "23.4%", "60%", "under 0.1%". */
const shareText = (percentage: number): string =>
  percentage < 0.1 ? 'under 0.1%' : `${Number(percentage.toFixed(1))}%`;

interface Place {
  readonly left: number;
  readonly top: number;
  readonly ink: number;
}

/** Mixes ink over a bar as far as letters cover each pixel; what would not fit in its width is left out. */
function lay(bar: Uint8Array, text: ReturnType<typeof setLine>, { left, top, ink }: Place): void {
  const [x0, y0] = [Math.round(left), Math.round(top)];
  for (let y = 0; y < text.height; y += 1)
    for (let x = 0; x < Math.min(text.width, WIDTH - x0); x += 1) {
      const cover = text.data[y * text.width + x]! / 255;
      const at = 3 * ((y + y0) * WIDTH + x + x0);
      if (cover > 0)
        for (let channel = at; channel < at + 3; channel += 1)
          bar[channel] = Math.round(bar[channel]! + cover * (ink - bar[channel]!));
    }
}
