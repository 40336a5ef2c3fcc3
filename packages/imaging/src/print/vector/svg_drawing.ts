import { SVG_DPI } from '../../decoders/limits.ts';
import { openResvg, plainSvgColors, readSvgText, refuseEmbeddedImages } from '../../decoders/svg.ts';
import type { DecoderResources } from '../../decoders/types.ts';
import { EngineError } from '../../errors/engine_error.ts';
import { XML_DEPTH_MAX, XML_ELEMENTS_MAX } from '../../metadata/limits.ts';
import { parseXml, type XmlElement, XmlProblem } from '../../metadata/xmp/parse_xml.ts';
import { markSpots, type SpotColor } from './spots.ts';

/** Maximum characters of path data in a drawing printed as vectors. */
const PATH_CHARACTERS_MAX = 8 * 1024 * 1024;
/** Maximum characters of the simplified drawing, in which reused elements are repeated. */
const TEXT_CHARACTERS_MAX = 32 * 1024 * 1024;

/** A simplified SVG of paths, groups and images. Styles, text, shapes and references are resolved. */
export interface SvgDrawing {
  readonly root: XmlElement;
  readonly width: number;
  readonly height: number;
  readonly spots: ReadonlyMap<string, SpotColor>;
  readonly byId: ReadonlyMap<string, XmlElement>;
}

/** Content that is rejected, with the reason and the remedy. */
const REJECTED: readonly (readonly [RegExp, string])[] = [
  [/<(?:\w+:)?script[\s>/]/i, 'it has a script. Remove it'],
  [/\son[a-z]{3,30}\s*=\s*["']/i, 'it has event handlers, which are scripts. Remove them'],
  [/<(?:\w+:)?foreignObject[\s>/]/i, 'it contains HTML (foreignObject). Convert that to SVG text or paths'],
  [
    /<(?:\w+:)?(?:image|feImage)\b[^>]*?href\s*=\s*["']\s*(?!data:|#)[^"'\s]/i,
    'it links to an image outside the file. Embed the image',
  ],
  [
    /<(?:\w+:)?use\b[^>]*?href\s*=\s*["']\s*(?!#)[^"'\s]/i,
    'it references elements of another file. Copy them into this file',
  ],
];

/**
 * Reads an SVG for print and simplifies it with usvg to paths, groups, gradients, clips and images. Text becomes
 * outlines.
 * @throws EngineError unsuitable_image, undecodable_image, image_too_large
 */
export async function readSvgDrawing(
  bytes: Uint8Array,
  resources: Pick<DecoderResources, 'readModule' | 'readFonts'>,
): Promise<SvgDrawing> {
  const text = readSvgText(bytes);
  const refused = REJECTED.find(([pattern]) => pattern.test(text));
  if (refused)
    throw new EngineError('unsuitable_image', `The SVG cannot be printed: ${refused[1]}, and send it again.`);
  refuseEmbeddedImages(text);
  const { text: marked, spots } = markSpots(plainSvgColors(text).text);
  const { Resvg } = await openResvg(resources);
  const plain = simplify(Resvg, marked, resources);
  if (plain.length > TEXT_CHARACTERS_MAX) throw tooComplex();
  let characters = 0;
  for (const [, data] of plain.matchAll(/ d="([^"]*)"/g)) characters += data!.length;
  if (characters > PATH_CHARACTERS_MAX) throw tooComplex();
  const root = parseSvg(plain);
  const byId = new Map<string, XmlElement>();
  const visit = (element: XmlElement): void => {
    const id = attribute(element, 'id');
    if (id !== undefined && !byId.has(id)) byId.set(id, element);
    for (const child of element.children) visit(child);
  };
  visit(root);
  const [width, height] = [Number(attribute(root, 'width')), Number(attribute(root, 'height'))];
  return { root, width, height, spots, byId };
}

export const attribute = ({ attributes }: XmlElement, name: string): string | undefined =>
  attributes.find((one) => one.name === name)?.value;

function simplify(
  Resvg: Awaited<ReturnType<typeof openResvg>>['Resvg'],
  text: string,
  resources: Pick<DecoderResources, 'readFonts'>,
): string {
  try {
    const drawing = new Resvg(text, { dpi: SVG_DPI, font: { fontBuffers: [...resources.readFonts()] } });
    try {
      return drawing.toString();
    } finally {
      drawing.free();
    }
  } catch {
    throw new EngineError('undecodable_image', 'The SVG is damaged or nested too deeply. Export it again.');
  }
}

function parseSvg(text: string): XmlElement {
  try {
    return parseXml(text);
  } catch (error) {
    if (error instanceof XmlProblem) throw tooComplex();
    throw error;
  }
}

const tooComplex = () =>
  new EngineError(
    'unsuitable_image',
    `The SVG is too complex to be printed as vectors: the limits are ${XML_ELEMENTS_MAX} elements, ${XML_DEPTH_MAX} levels and ${PATH_CHARACTERS_MAX / 1024 ** 2} MiB of path data. Simplify it, or send output_format "tiff", which rasterises it.`,
  );
