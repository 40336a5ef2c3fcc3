import { openPicture } from '../codecs/open_picture.ts';
import { decodeRaster } from '../codecs/read_raster.ts';
import type { Raster } from '../pixels/raster.ts';

/** A crop of an image in RGB, and its position. */
export interface Crop extends Raster {
  readonly left: number;
  readonly top: number;
}

/** Distance between candidate positions, in pixels. */
const STEP_PX = 8;

/**
 * The square crop with the most detail, where models differ most. Transparency is composited on grey.
 * @param sidePx side of the square; a smaller image is used whole
 * @throws EngineError undecodable_image, unsupported_image, image_too_large
 */
export async function detailCrop(bytes: Uint8Array, sidePx: number): Promise<Crop> {
  const picture = await decodeRaster(
    openPicture(bytes).flatten({ background: '#808080' }).toColourspace('srgb'),
  );
  const { channels } = picture;
  const [width, height] = [Math.min(sidePx, picture.width), Math.min(sidePx, picture.height)];
  const { left, top } = mostDetailedSquare(picture, width, height);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y += 1)
    for (let x = 0; x < width; x += 1) {
      const from = ((top + y) * picture.width + left + x) * channels;
      for (let color = 0; color < 3; color += 1)
        data[(y * width + x) * 3 + color] = picture.data[from + (channels >= 3 ? color : 0)]!;
    }
  return { left, top, width, height, channels: 3, data };
}

/** Sums horizontal and vertical differences over cells of STEP_PX, then over every square of cells. */
function mostDetailedSquare(picture: Raster, width: number, height: number) {
  const { data, channels } = picture;
  const [columns, rows] = [Math.ceil(picture.width / STEP_PX), Math.ceil(picture.height / STEP_PX)];
  const cells = new Float64Array(columns * rows);
  // Green only: it carries most of the luminance, and one channel takes a third of the time.
  const green = channels >= 3 ? 1 : 0;
  const at = (x: number, y: number) => data[(y * picture.width + x) * channels + green]!;
  for (let y = 0; y + 1 < picture.height; y += 1)
    for (let x = 0; x + 1 < picture.width; x += 1) {
      const cell = Math.floor(y / STEP_PX) * columns + Math.floor(x / STEP_PX);
      cells[cell]! += Math.abs(at(x + 1, y) - at(x, y)) + Math.abs(at(x, y + 1) - at(x, y));
    }
  const sums = summedAreaTable(cells, columns, rows);
  const [across, down] = [Math.ceil(width / STEP_PX), Math.ceil(height / STEP_PX)];
  let best = { sum: -1, left: 0, top: 0 };
  for (let row = 0; row + down <= rows; row += 1)
    for (let column = 0; column + across <= columns; column += 1) {
      const corner = (x: number, y: number) => sums[y * (columns + 1) + x]!;
      const sum =
        corner(column + across, row + down) -
        corner(column, row + down) -
        corner(column + across, row) +
        corner(column, row);
      if (sum > best.sum) best = { sum, left: column * STEP_PX, top: row * STEP_PX };
    }
  return {
    left: Math.min(best.left, picture.width - width),
    top: Math.min(best.top, picture.height - height),
  };
}

/** Summed-area table of the cells, so that any rectangle takes four look-ups. */
function summedAreaTable(cells: Float64Array, columns: number, rows: number): Float64Array {
  const sums = new Float64Array((columns + 1) * (rows + 1));
  for (let row = 0; row < rows; row += 1) {
    let line = 0;
    for (let column = 0; column < columns; column += 1) {
      line += cells[row * columns + column]!;
      sums[(row + 1) * (columns + 1) + column + 1] = sums[row * (columns + 1) + column + 1]! + line;
    }
  }
  return sums;
}
