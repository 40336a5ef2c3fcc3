import type { XmlElement } from '../metadata/xmp/parse_xml.ts';
import { xmpElement } from '../metadata/xmp/write_xmp.ts';

/** Adds XMP in a `metadata` element (XMP part 3, 2.5; SVG 1.1, 21). Without properties the drawing is unchanged. */
export function withMetadata(svg: string, properties: readonly XmlElement[]): string {
  if (properties.length === 0) return svg;
  const end = svg.indexOf('>') + 1;
  return `${svg.slice(0, end)}\n<metadata>${xmpElement(properties)}</metadata>${svg.slice(end)}`;
}
