import type { Size } from '../pixels/plane.ts';
import { innerSize, turnedSize } from './geometry.ts';
import { type Length, resolveLength } from './lengths.ts';
import { CANVAS_PIXELS_MAX, DEEP_PIXELS_MAX, LENGTH_DPI_DEFAULT } from './limits.ts';
import type { Operation, OperationOf } from './operations.ts';

export interface CanvasEstimate {
  /** Largest intermediate canvas, px. */
  readonly largest: number;
  /** Final canvas, px. */
  readonly last: number;
  /** CPU seconds of all operations, without decoding and encoding. */
  readonly seconds: number;
}

/** CPU seconds per megapixel of the canvas, measured on 12 megapixels: docs/decisions/0023-image-editor.md. */
const SECONDS: Readonly<Record<Operation['op'], number>> = {
  crop: 0.01,
  trim: 0.03,
  rotate: 0.3,
  straighten: 0.4,
  flip: 0.02,
  resize: 0.06,
  perspective: 0.9,
  pad: 0.02,
  border: 0.02,
  round: 0.04,
  shadow: 0.15,
  background: 0.05,
  adjust: 0.06,
  curve: 0.04,
  tone: 0.08,
  lut: 0.15,
  opacity: 0.03,
  flatten: 0.03,
  sharpen: 0.15,
  denoise: 0.7,
  blur: 0.15,
  pixelate: 0.05,
  redact: 0.03,
  overlay: 0.08,
  mask: 0.08,
  ai_label: 0.05,
  text: 0.06,
  shape: 0.06,
  qr: 0.04,
};

/** Estimates the cost of operations from the size of the image alone; content-dependent operations are assumed to detect nothing. */
export function estimateCanvas(picture: Size, operations: readonly Operation[]): CanvasEstimate {
  let size: Size = picture;
  let largest = picture.width * picture.height;
  let seconds = 0;
  for (const operation of operations) {
    const next = sizeAfter(size, operation);
    const pixels = Math.min(CANVAS_PIXELS_MAX, Math.max(size.width * size.height, next.width * next.height));
    largest = Math.max(largest, pixels);
    seconds += (SECONDS[operation.op] * pixels) / 1e6;
    size = next;
  }
  return { largest, last: Math.min(CANVAS_PIXELS_MAX, size.width * size.height), seconds };
}

/** Memory of a canvas with this many pixels, before and after an operation, in units of four bytes. */
export const heldByCanvas = (pixels: number): number => pixels * (pixels <= DEEP_PIXELS_MAX ? 4 : 2.2);

function sizeAfter(size: Size, operation: Operation): Size {
  try {
    switch (operation.op) {
      case 'rotate':
        return operation.expand ? turnedSize(size, operation.degrees) : size;
      case 'straighten':
        return innerSize(size, 0);
      case 'resize':
        return resized(size, operation);
      case 'pad':
        return padded(size, operation);
      case 'border': {
        const width = operation.inside ? 0 : length(operation.width, Math.min(size.width, size.height));
        return { width: size.width + 2 * width, height: size.height + 2 * width };
      }
      case 'crop':
        return {
          width: Math.min(
            size.width,
            length(operation.width ?? operation.box?.width, size.width) || size.width,
          ),
          height: Math.min(
            size.height,
            length(operation.height ?? operation.box?.height, size.height) || size.height,
          ),
        };
      default:
        return size;
    }
  } catch {
    // An invalid length is rejected when the operation runs.
    return size;
  }
}

const length = (sent: Length | undefined, whole: number): number =>
  sent === undefined ? 0 : Math.max(0, resolveLength(sent, { whole, dpi: LENGTH_DPI_DEFAULT }));

function resized(size: Size, { width, height, scale, fit }: OperationOf<'resize'>): Size {
  const across = width === undefined ? undefined : length(width, size.width) / size.width;
  const down = height === undefined ? undefined : length(height, size.height) / size.height;
  const factors = [across, down].filter((factor) => factor !== undefined);
  const largest = factors.length > 0 ? Math.max(...factors) : (scale ?? 1);
  const least = factors.length > 0 ? Math.min(...factors) : (scale ?? 1);
  const factor = fit === 'inside' || fit === 'contain' ? least : largest;
  return fit === 'fill' && across !== undefined && down !== undefined
    ? { width: size.width * across, height: size.height * down }
    : { width: size.width * factor, height: size.height * factor };
}

const padded = (size: Size, { left, right, top, bottom, width, height }: OperationOf<'pad'>): Size => ({
  width: Math.max(
    length(width, size.width),
    size.width + length(left, size.width) + length(right, size.width),
  ),
  height: Math.max(
    length(height, size.height),
    size.height + length(top, size.height) + length(bottom, size.height),
  ),
});
