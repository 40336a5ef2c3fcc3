import { drawQr, planQr, type QrRequest } from '../../drawing/draw_qr.ts';
import { drawShape } from '../../drawing/draw_shape.ts';
import type { DrawnLayer } from '../../drawing/layer.ts';
import { whyUnreadable } from '../../drawing/read_qr.ts';
import type { DeepRaster } from '../../pixels/raster.ts';
import type { Part } from '../../resample/resample.ts';
import { drawText } from '../../typography/draw_text.ts';
import type { Canvas } from '../canvas.ts';
import { parseColor } from '../colors.ts';
import type { Perform } from '../context.ts';
import { clipBox, type Length, placeBy, resolveBox, resolveLength, sharesOf, wholeBox } from '../lengths.ts';
import { decodeLight } from '../light_tables.ts';
import type { DrawnShadow, OperationOf } from '../operations.ts';
import { invalidOperation } from '../refuse.ts';
import { copyPart } from '../rows.ts';
import { layerStage, tilesOf } from './layer.ts';

async function lay(canvas: Canvas, { raster, left, top }: DrawnLayer): Promise<void> {
  if (!raster) return;
  const place = { left, top, width: raster.width, height: raster.height };
  await canvas.addStage(layerStage(raster, [place], { opacity: 1, blend: 'normal' }));
}

const asBox = ({ left, top, width, height }: Part) => ({ x: left, y: top, width, height });
const asPart = ({ x, y, width, height }: ReturnType<typeof asBox>): Part => ({
  left: x,
  top: y,
  width,
  height,
});

/** Resolves lengths relative to the shorter side of the canvas. */
const lengthsOn =
  (canvas: Canvas, dpi: number) =>
  (length: Length): number =>
    resolveLength(length, { whole: Math.min(canvas.width, canvas.height), dpi });

const shadowOf = (shadow: DrawnShadow | undefined, px: (length: Length) => number) =>
  shadow && {
    x: px(shadow.x),
    y: px(shadow.y),
    blur: Math.max(0, px(shadow.blur)),
    color: parseColor(shadow.color),
  };

export const text: Perform<OperationOf<'text'>> = async (canvas, operation, { dpi, textResources }) => {
  if (!textResources) throw invalidOperation('Text is not available here.');
  const px = lengthsOn(canvas, dpi);
  const { stroke, shadow, background, gravity, size } = operation;
  const place = textPlace(canvas, operation, dpi);
  const [across, down] = sharesOf(gravity);
  const isFitted = operation.fit || (size === undefined && operation.box !== undefined);
  const wished = isFitted ? undefined : px(size ?? '6%');
  const color =
    operation.color ?? (background ? contrastTo(background.color) : await contrastOn(canvas, place));
  const drawn = await drawText(
    {
      text: operation.text,
      box: asBox(place),
      font: operation.font,
      weight: operation.weight,
      leading: operation.leading,
      tracking: operation.tracking,
      direction: operation.direction,
      language: operation.language,
      rotate: operation.rotate,
      opacity: operation.opacity,
      size: wished,
      fit: operation.fit !== false,
      isCaption: operation.box === undefined,
      align: operation.align ?? (across === 0 ? 'left' : across === 1 ? 'right' : 'center'),
      valign: operation.valign ?? (down === 0 ? 'top' : down === 1 ? 'bottom' : 'middle'),
      color: parseColor(color),
      stroke: stroke && { color: parseColor(stroke.color), width: px(stroke.width) },
      shadow: shadowOf(shadow, px),
      background: background && {
        color: parseColor(background.color),
        padding: px(background.padding),
        radius: px(background.radius),
      },
    },
    canvas,
    textResources,
  );
  const tiles = operation.tile ? await layTiles(canvas, drawn, Math.max(1, px(operation.margin))) : 0;
  if (!operation.tile) await lay(canvas, drawn);
  const { facts } = drawn;
  const reasons = [
    ...(tiles > 0 ? [`repeated ${tiles} times`] : []),
    `${facts.lines.length} ${facts.lines.length === 1 ? 'line' : 'lines'} of ${Math.round(facts.size * 10) / 10} px in ${facts.fonts.join(', ')}`,
    ...(operation.color === undefined ? [`${color} for contrast`] : []),
    ...(facts.replacedFont === undefined ? [] : [`the font ${facts.replacedFont} is not installed`]),
    ...(facts.missingGlyphs.length > 0 ? [`no font has ${facts.missingGlyphs.join(' ')}`] : []),
    ...(wished !== undefined && facts.size < wished - 0.01
      ? [`reduced from ${Math.round(wished * 10) / 10} px to fit`]
      : []),
    ...(facts.overflows ? ['it is larger than its box'] : []),
  ];
  return { settled: { ...operation, color }, boxes: [asPart(facts.box)], reason: reasons.join('; ') };
};

/** Tiles a drawing over the canvas. @returns the number of tiles */
async function layTiles(canvas: Canvas, { raster, left, top }: DrawnLayer, gap: number): Promise<number> {
  if (!raster) return 0;
  const box = { left, top, width: raster.width, height: raster.height };
  const places = tilesOf(box, canvas, Math.round(gap));
  await canvas.addStage(layerStage(raster, places, { opacity: 1, blend: 'normal' }));
  return places.length;
}

/** The box of a text: as sent, else the canvas without the margin, or of the given width. */
function textPlace(canvas: Canvas, { box, gravity, margin, width }: OperationOf<'text'>, dpi: number): Part {
  if (box) {
    const part = resolveBox(box, canvas, dpi);
    if (part.width >= 1 && part.height >= 1) return part;
    throw invalidOperation('The box of a text needs at least 1 × 1 px.');
  }
  const edge = Math.max(0, lengthsOn(canvas, dpi)(margin));
  const whole = Math.max(1, canvas.width - 2 * edge);
  const across =
    width === undefined ? whole : Math.max(1, resolveLength(width, { whole: canvas.width, dpi }));
  const size = { width: Math.min(whole, across), height: Math.max(1, canvas.height - 2 * edge) };
  return placeBy(gravity, size, canvas, edge);
}

/** Black or white, whichever has more contrast with a colour. */
const contrastTo = (color: string): string => {
  const [red, green, blue] = parseColor(color);
  return nameOf(0.2126 * decodeLight(red) + 0.7152 * decodeLight(green) + 0.0722 * decodeLight(blue));
};

/** WCAG: at a luminance of 0.179, black and white have equal contrast. */
const nameOf = (light: number): string => (light > 0.179 ? 'black' : 'white');

async function contrastOn(canvas: Canvas, place: Part): Promise<string> {
  return nameOf(meanLight(await canvas.pixels(), wholeBox(clipBox(place, canvas))));
}

/** Sampled pixels per axis. */
const SAMPLES = 64;

/** Mean luminance of a part, on white. */
function meanLight({ data, width, channels }: DeepRaster, part: Part): number {
  if (part.width < 1 || part.height < 1) return 1;
  const whole = data instanceof Uint8Array ? 255 : 65_535;
  const [stepX, stepY] = [Math.ceil(part.width / SAMPLES), Math.ceil(part.height / SAMPLES)];
  let [sum, count] = [0, 0];
  for (let y = part.top; y < part.top + part.height; y += stepY)
    for (let x = part.left; x < part.left + part.width; x += stepX, count += 1) {
      const at = (y * width + x) * channels;
      const light = (channel: number): number => decodeLight(data[at + channel]! / whole);
      const alpha = channels === 4 ? data[at + 3]! / whole : 1;
      sum += alpha * (0.2126 * light(0) + 0.7152 * light(1) + 0.0722 * light(2)) + 1 - alpha;
    }
  return sum / count;
}

export const shape: Perform<OperationOf<'shape'>> = async (canvas, operation, { dpi }) => {
  const px = lengthsOn(canvas, dpi);
  const { type, box, points, fill, stroke, shadow } = operation;
  const isLine = type === 'line' || type === 'arrow';
  const width = px(operation.width);
  const hasStroke = stroke !== undefined || isLine;
  const part = box && resolveBox(box, canvas, dpi);
  if (!part && !points && operation.path === undefined)
    throw invalidOperation(
      `A shape "${type}" needs ${isLine || type === 'polygon' ? 'points' : type === 'path' ? 'path' : 'box'}.`,
      {
        type,
        ...(isLine
          ? {
              points: [
                ['10%', '10%'],
                ['90%', '90%'],
              ],
            }
          : { box: { x: '25%', y: '25%', width: '50%', height: '50%' } }),
      },
    );
  const drawn = drawShape(
    {
      type,
      path: operation.path,
      rotate: operation.rotate,
      opacity: operation.opacity,
      box: part && asBox(part),
      points: points?.map(
        ([x, y]) =>
          [
            resolveLength(x, { whole: canvas.width, dpi }),
            resolveLength(y, { whole: canvas.height, dpi }),
          ] as const,
      ),
      radius: px(operation.radius),
      fill: fill === undefined ? undefined : parseColor(fill),
      stroke: hasStroke && width > 0 ? { color: parseColor(stroke ?? fill ?? 'black'), width } : undefined,
      shadow: shadowOf(shadow, px),
    },
    canvas,
  );
  await lay(canvas, drawn);
  const { raster, left, top } = drawn;
  return {
    settled: operation,
    boxes: raster ? [{ left, top, width: raster.width, height: raster.height }] : [],
  };
};

export const qr: Perform<OperationOf<'qr'>> = async (canvas, operation, { dpi, textResources }) => {
  if (!textResources) throw invalidOperation('QR codes are not available here.');
  const shorter = Math.min(canvas.width, canvas.height);
  const box = operation.box && resolveBox(operation.box, canvas, dpi);
  const side = Math.round(
    box ? Math.min(box.width, box.height) : resolveLength(operation.width, { whole: shorter, dpi }),
  );
  const margin = Math.round(resolveLength(operation.margin, { whole: shorter, dpi }));
  const place = box
    ? wholeBox({ ...box, width: side, height: side })
    : placeBy(operation.gravity, { width: side, height: side }, canvas, margin);
  const wish: QrRequest = {
    text: operation.text,
    x: place.left,
    y: place.top,
    width: side,
    level: operation.level,
    quietZone: operation.quiet_zone,
    color: parseColor(operation.color),
    background: parseColor(operation.background),
  };
  const plan = planQr(wish);
  const drawn = drawQr(wish, plan);
  await lay(canvas, drawn);
  const seen = clipBox(asPart(drawn.facts.box), canvas);
  if (seen.width === 0 || seen.height === 0)
    throw invalidOperation(
      `The QR code is outside the image, which is ${canvas.width} × ${canvas.height} px.`,
    );
  const shown = copyPart(await canvas.pixels(), seen);
  const why = await whyUnreadable(shown, { text: operation.text, plan }, textResources);
  if (why !== undefined) {
    const { op: _, ...sent } = operation;
    const plain = { color: 'black', background: 'white', quiet_zone: 4 };
    throw invalidOperation(`The QR code cannot be read back ${why}`, { ...sent, ...plain });
  }
  const { version, modules, modulePx, warnings } = drawn.facts;
  const reason = [`version ${version}, ${modules} modules of ${modulePx} px, read back`, ...warnings].join(
    '. ',
  );
  return { settled: operation, boxes: [asPart(drawn.facts.box)], reason };
};
