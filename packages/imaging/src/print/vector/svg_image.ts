import { deflateSync } from 'node:zlib';
import { sharp } from '../../codecs/sharp.ts';
import type { XmlElement } from '../../metadata/xmp/parse_xml.ts';
import type { Matrix } from '../../preflight/content/matrix.ts';
import { differences, IMAGE_PIXELS_MAX } from '../../preflight/convert/convert_image.ts';
import { imageEntries } from '../../preflight/convert/image_entries.ts';
import type { NewDocument } from '../../preflight/convert/new_document.ts';
import type { PressColors } from '../../preflight/convert/press_colors.ts';
import { RGB } from '../../preflight/pdf/color_space.ts';
import { PdfStream, type PdfValue, type Reference } from '../../preflight/pdf/values.ts';
import { RasterisationRequired } from './live_art.ts';
import { attribute } from './svg_drawing.ts';

interface ImageObject {
  readonly reference: Reference;
  readonly width: number;
  readonly height: number;
}

/** Converts an image embedded in an SVG to inks, with all its pixels. @throws RasterisationRequired */
export async function imageObject(
  element: XmlElement,
  { colors, made }: { colors: PressColors; made: NewDocument },
): Promise<ImageObject> {
  const href = attribute(element, 'href') ?? '';
  const data = /^data:image\/(?:png|jpe?g|gif|webp);base64,(.*)$/s.exec(href)?.[1];
  if (data === undefined) throw new RasterisationRequired('an embedded image is not PNG, JPEG, GIF or WebP');
  const { data: rgba, info } = await sharp(Buffer.from(data, 'base64'), {
    limitInputPixels: IMAGE_PIXELS_MAX,
  })
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
    .catch(() => {
      throw new RasterisationRequired('an embedded image cannot be read');
    });
  const { width, height } = info;
  const [rgb, alpha] = [new Uint8Array(3 * width * height), new Uint8Array(width * height)];
  for (let pixel = 0; pixel < alpha.length; pixel += 1) {
    rgb.set(rgba.subarray(4 * pixel, 4 * pixel + 3), 3 * pixel);
    alpha[pixel] = rgba[4 * pixel + 3]!;
  }
  const isOpaque = alpha.every((value) => value === 255);
  const mask = isOpaque
    ? undefined
    : made.add(new PdfStream(imageEntries(info, 'DeviceGray'), deflateSync(alpha)));
  const predictor = new Map<string, PdfValue>([
    ['Predictor', 2],
    ['Colors', 4],
    ['Columns', width],
  ]);
  const own = new Map<string, PdfValue>([
    ...imageEntries(info, 'DeviceCMYK'),
    ['DecodeParms', predictor],
    ...(mask ? [['SMask', mask] as const] : []),
  ]);
  const raw = deflateSync(differences(colors.inksOfPixels(RGB, rgb), width));
  return { reference: made.add(new PdfStream(own, raw)), width, height };
}

/** From the unit square of an image, first row at the top, to its position in the SVG. @throws RasterisationRequired */
export function imageMatrix(element: XmlElement, image: Pick<ImageObject, 'width' | 'height'>): Matrix {
  const number = (name: string, otherwise: number) => Number(attribute(element, name) ?? otherwise);
  const [x, y] = [number('x', 0), number('y', 0)];
  const [width, height] = [number('width', image.width), number('height', image.height)];
  const how = attribute(element, 'preserveAspectRatio') ?? 'xMidYMid meet';
  if (how.includes('slice') || /M(?:in|ax)/.test(how))
    throw new RasterisationRequired('an embedded image is cropped');
  const scale = Math.min(width / image.width, height / image.height);
  const [across, down] = how.startsWith('none')
    ? [width, height]
    : [image.width * scale, image.height * scale];
  const [left, top] = [x + (width - across) / 2, y + (height - down) / 2];
  return [across, 0, 0, -down, left, top + down];
}
