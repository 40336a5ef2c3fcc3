import { openRasters } from './open_rasters.ts';
import { halvePlanes, planesOf } from './planes.ts';

/** L*, over two pixels: smaller changes are flat, and a line is darker than both sides by at least this. */
const CALM = 0.7;
const LINE = 12;
const LINE_PX = 3;
/** Minimum shares for a drawing. No photograph with as many dark lines was as flat. */
const CALM_SHARE_MIN = 0.42;
const LINE_SHARE_MIN = 0.05;

/**
 * Whether an image is a drawing: dark lines on a nearly uniform ground, as in comics, engravings and diagrams. Brush paintings and images that
 * consist entirely of lines are not distinguished from photographs.
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function isDrawing(bytes: Uint8Array): Promise<boolean> {
  const { whole } = await openRasters(bytes);
  const { lightness, width, height } = halvePlanes(planesOf(whole.data, whole.width, whole.height));
  let [calm, lines] = [0, 0];
  for (let y = LINE_PX; y < height - LINE_PX; y++)
    for (let x = LINE_PX; x < width - LINE_PX; x++) {
      const at = y * width + x;
      const level = lightness[at]!;
      const slope = Math.hypot(
        lightness[at + 1]! - lightness[at - 1]!,
        lightness[at + width]! - lightness[at - width]!,
      );
      if (slope < 2 * CALM) calm++;
      const depthBetween = (one: number, other: number) =>
        Math.min(lightness[at + one]!, lightness[at + other]!) - level;
      const across = depthBetween(-LINE_PX, LINE_PX);
      const down = depthBetween(-LINE_PX * width, LINE_PX * width);
      if (Math.max(across, down) > LINE) lines++;
    }
  const area = Math.max(1, (width - 2 * LINE_PX) * (height - 2 * LINE_PX));
  return calm >= CALM_SHARE_MIN * area && lines >= LINE_SHARE_MIN * area;
}
