import type { Rgba } from '../color/css_color.ts';
import type { Stage } from './stages.ts';

/** Composites the image over a colour in encoded sRGB, as browsers and editors do. */
export function underColor(color: Rgba): Stage {
  const [red, green, blue, alpha] = color;
  const row = (pixels: Float32Array): void => {
    for (let at = 0; at < pixels.length; at += 4) {
      const over = pixels[at + 3]!;
      if (over >= 1) continue;
      const under = (1 - over) * alpha;
      const whole = over + under || 1;
      pixels[at] = (over * pixels[at]! + under * red) / whole;
      pixels[at + 1] = (over * pixels[at + 1]! + under * green) / whole;
      pixels[at + 2] = (over * pixels[at + 2]! + under * blue) / whole;
      pixels[at + 3] = over + under;
    }
  };
  return alpha >= 1 ? { alpha: 'removes', row, ground: color } : { row };
}
