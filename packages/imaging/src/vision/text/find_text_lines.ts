import type { Session } from '../../onnx/session.ts';
import { connectedComponents } from '../../pixels/connected_components.ts';
import type { Plane, Size } from '../../pixels/plane.ts';
import { stretchedInput } from '../stretched_input.ts';
import {
  DETECTION_ENLARGEMENT_MAX,
  DETECTION_SIDE_PX_MAX,
  DETECTION_SIDE_PX_MIN,
  TEXT_LINES_MAX,
} from './limits.ts';
import { cornersOf, minAreaRectangle, type Rectangle, rectangleAlong } from './min_area_rectangle.ts';
import type { Point } from './text_line.ts';

/** Sides are rounded to multiples of this. */
const GRID_PX = 32;
/** Training mean and deviation. */
const NORM = { mean: [0.485, 0.456, 0.406], deviation: [0.229, 0.224, 0.225] } as const;
/** PaddleOCR's values of DB post-processing: threshold of a pixel, threshold of the mean of a region, and unclip ratio. */
const PIXEL_MIN = 0.3;
const REGION_MIN = 0.6;
const UNCLIP = 1.6;
/** Thinner regions are noise, in pixels of the plane. */
const THICKNESS_PX_MIN = 3;
/**
 * Criteria for parts of one line: ratio of their heights, offset of their centres across the line in heights, and difference of their directions in
 * radians.
 */
const JOINED_HEIGHT_RATIO = 1.4;
const JOINED_OFFSET = 0.25;
const JOINED_ANGLE = 0.15;
/** A region narrower than this times its height is read from top to bottom if it is that much higher than wide. */
const UPRIGHT_RATIO = 1.5;

/**
 * Detects lines of text with PP-OCR's detector (Liao et al., differentiable binarization): rectangles in pixels of `size`, `width` along the text,
 * the most probable `TEXT_LINES_MAX`.
 * @param size of the image as shown
 * @throws EngineError undecodable_image, image_too_large, unsupported_image
 */
export async function findTextLines(
  bytes: Uint8Array,
  size: Size,
  session: Pick<Session, 'run'>,
): Promise<Rectangle[]> {
  const { width, height } = detectionSize(size);
  const input = await stretchedInput(bytes, { width, height }, NORM);
  const [answer] = (await session.run(input, [1, 3, height, width])).values();
  const scale = { x: size.width / width, y: size.height / height };
  const found = regionsOf({ data: answer!.data, width, height })
    .toSorted((one, other) => other.mean - one.mean)
    .slice(0, TEXT_LINES_MAX)
    .map(({ outline }) => unclipped(minAreaRectangle(outline), scale));
  return joinLines(found);
}

/** Joins parts of one line: a wide gap between letters may split it in the middle of a word. */
function joinLines(found: readonly Rectangle[]): Rectangle[] {
  const lines: Rectangle[] = [];
  for (const part of found.toSorted((one, other) => one.center.x - other.center.x)) {
    const at = lines.findIndex((line) => isSameLine(line, part));
    if (at === -1) lines.push(part);
    else lines[at] = joined(lines[at]!, part);
  }
  return lines;
}

/** Whether two parts have similar height and direction, share a baseline, and overlap once grown. */
function isSameLine(one: Rectangle, other: Rectangle): boolean {
  const height = Math.min(one.height, other.height);
  if (Math.max(one.height, other.height) > JOINED_HEIGHT_RATIO * height) return false;
  if (Math.abs(one.angle - other.angle) > JOINED_ANGLE) return false;
  const [cos, sin] = [Math.cos(one.angle), Math.sin(one.angle)];
  const [x, y] = [other.center.x - one.center.x, other.center.y - one.center.y];
  const isOnLine = Math.abs(y * cos - x * sin) <= JOINED_OFFSET * height;
  return isOnLine && Math.abs(x * cos + y * sin) <= (one.width + other.width) / 2;
}

function joined(one: Rectangle, other: Rectangle): Rectangle {
  const corners = [...cornersOf(one), ...cornersOf(other)];
  return rectangleAlong(corners, one.width >= other.width ? one.angle : other.angle);
}

function detectionSize({ width, height }: Size): Size {
  const longest = Math.max(width, height);
  const side = Math.min(
    DETECTION_SIDE_PX_MAX,
    Math.max(longest, Math.min(DETECTION_SIDE_PX_MIN, DETECTION_ENLARGEMENT_MAX * longest)),
  );
  const round = (pixels: number) =>
    Math.max(GRID_PX, Math.round((pixels * side) / longest / GRID_PX) * GRID_PX);
  return { width: round(width), height: round(height) };
}

interface Region {
  /** Corners of the outermost pixels of each row. */
  readonly outline: readonly Point[];
  readonly mean: number;
}

function regionsOf({ data, width }: Plane): Region[] {
  const mask = Uint8Array.from(data, (value) => (value > PIXEL_MIN ? 1 : 0));
  const found: Region[] = [];
  for (const pixels of connectedComponents(mask, width)) {
    if (pixels.length < THICKNESS_PX_MIN ** 2) continue;
    let sum = 0;
    const rows = new Map<number, [number, number]>();
    for (const at of pixels) {
      sum += data[at]!;
      const x = at % width;
      const row = (at - x) / width;
      const span = rows.get(row);
      if (span) [span[0], span[1]] = [Math.min(span[0], x), Math.max(span[1], x + 1)];
      else rows.set(row, [x, x + 1]);
    }
    const mean = sum / pixels.length;
    if (mean < REGION_MIN) continue;
    const outline = [...rows].flatMap(([y, [left, right]]) =>
      [left, right].flatMap((x) => [
        { x, y },
        { x, y: y + 1 },
      ]),
    );
    found.push({ outline, mean });
  }
  return found;
}

/** The region grown to the size of the letters, in pixels of the image, its `width` along the text. */
function unclipped(region: Rectangle, scale: Point): Rectangle {
  const distance = (UNCLIP * region.width * region.height) / (2 * (region.width + region.height));
  return alongText({
    center: { x: region.center.x * scale.x, y: region.center.y * scale.y },
    // The sides of the plane are rounded, so the scales differ by a few percent at most.
    width:
      (region.width + 2 * distance) *
      Math.hypot(scale.x * Math.cos(region.angle), scale.y * Math.sin(region.angle)),
    height:
      (region.height + 2 * distance) *
      Math.hypot(scale.y * Math.cos(region.angle), scale.x * Math.sin(region.angle)),
    angle: region.angle,
  });
}

/** Text runs along the longer side, from left to right; upright text from top to bottom. */
function alongText(rectangle: Rectangle): Rectangle {
  const turned = upright(rectangle);
  return turned.height > UPRIGHT_RATIO * turned.width ? quarterTurn(turned) : turned;
}

/** The same rectangle with an angle within −π/4 to π/4. */
function upright(rectangle: Rectangle): Rectangle {
  const quarters = Math.round(rectangle.angle / (Math.PI / 2));
  const angle = rectangle.angle - (quarters * Math.PI) / 2;
  const { center, width, height } = rectangle;
  return quarters % 2 === 0
    ? { center, width, height, angle }
    : { center, width: height, height: width, angle };
}

const quarterTurn = ({ center, width, height, angle }: Rectangle): Rectangle => ({
  center,
  width: height,
  height: width,
  angle: angle + Math.PI / 2,
});
