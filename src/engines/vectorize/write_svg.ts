import type { Shape } from './trace.ts';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** A drawing of nothing but paths; `size` is what it shows as, `traced` the pixels its coordinates count. */
export function writeSvg(shapes: readonly Shape[], size: Size, traced: Size): string {
  const paths = shapes.map(({ d, fill, x, y }) => {
    const place = x === 0 && y === 0 ? '' : ` transform="translate(${tidy(x)} ${tidy(y)})"`;
    return `<path fill="${fill}"${place} d="${d}"/>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${size.width}" height="${size.height}" viewBox="0 0 ${traced.width} ${traced.height}" preserveAspectRatio="none">\n${paths.join('')}</svg>\n`;
}

const tidy = (length: number): number => Math.round(100 * length) / 100;
