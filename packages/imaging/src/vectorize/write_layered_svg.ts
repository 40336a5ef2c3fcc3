import type { Physical, Sheet, SheetSize } from './sheet_size.ts';
import { pathData } from './write_svg.ts';

/** Width of a line that machines take for one to cut, in millimetres. */
export const HAIRLINE_MM = 0.01;

/**
 * A drawing in millimetres with a group for each layer, which Inkscape shows as layers by name. A line is a path of its own
 * without a fill, in the order of the tool; all areas of a layer are one.
 */
export function writeLayeredSvg(
  sheets: readonly Sheet[],
  { widthMm, heightMm, steps }: SheetSize,
  { kerfMm }: Pick<Physical, 'kerfMm'>,
): string {
  const written = (length: number): number => Math.round(length * steps) / steps;
  // Half a kerf lies round the outermost part.
  const [edge, width, height] = [-kerfMm / 2, widthMm + kerfMm, heightMm + kerfMm].map(written);
  const groups = sheets.map(({ color, outlines, drawn }, index) => {
    const data = outlines.map((outline) => pathData(outline, steps));
    const paths = (drawn === 'lines' ? data : [data.join('')]).map((d) => `<path d="${d}"/>\n`).join('');
    const paint =
      drawn === 'lines' ? `fill="none" stroke="${color}" stroke-width="${HAIRLINE_MM}"` : `fill="${color}"`;
    return `<g id="layer-${index + 1}" inkscape:groupmode="layer" inkscape:label="${color}" ${paint}>\n${paths}</g>\n`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape" width="${width}mm" height="${height}mm" viewBox="${edge} ${edge} ${width} ${height}">\n${groups.join('')}</svg>\n`;
}
