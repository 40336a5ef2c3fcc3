import { type Length, resolveLength } from '@atelier/imaging/editor/lengths.ts';
import { z } from 'zod';

/** Maximum pixels of a preview. */
export const PREVIEW_PIXELS_MAX = 1_000_000;
/** Side of the crop that a preview of a paid tool shows of its result, in px. */
export const PREVIEW_CROP_PX = 512;
/** Encoder quality of a preview. */
export const PREVIEW_QUALITY = 82;

/** Settings of `preview: true`, which runs a tool on a reduced copy of its image. */
export interface PreviewPlan<Input> {
  /**
   * Absent: the whole image, reduced to PREVIEW_PIXELS_MAX. Otherwise the middle of the image at full size with sides of `detailPx`,
   * for a tool whose effect disappears when the image is reduced.
   */
  readonly detailPx?: (input: Input) => number;
  /** Pixels of the result at full size, where they do not depend on an image. */
  readonly canvasPixels?: (input: Input) => number;
  /**
   * The input for the reduced image: lengths in px times `scale`, and a format that all browsers support.
   * @param scale side of the reduced image to that of the image, at most 1
   * @param whole the input with its original images, for lengths on another image
   */
  readonly scaled: (input: Input, scale: number, whole: Input) => Input;
}

const LENGTHS = new WeakSet<object>();

/** Marks the schema of a length (px, or text with a unit) for `scaleLengths`. */
export function asLength<Schema extends z.ZodType>(schema: Schema): Schema {
  LENGTHS.add(schema);
  return schema;
}

export const isLengthSchema = (schema: object): boolean => LENGTHS.has(schema);

/**
 * Multiplies the lengths of a parsed value by `scale`; percentages stay unchanged.
 * @param schema schema of the value
 * @param by `dpi` converts lengths in mm
 */
export function scaleLengths<T>(schema: z.ZodType, value: T, by: { scale: number; dpi: number }): T {
  return scaleValue(schema, value, by) as T;
}

function scaleValue(schema: unknown, value: unknown, by: { scale: number; dpi: number }): unknown {
  if (value === undefined || value === null || typeof schema !== 'object' || schema === null) return value;
  if (LENGTHS.has(schema)) return scaleLength(value, by);
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return scaleValue(schema.unwrap(), value, by);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return value.map((member) => scaleValue(schema.element, member, by));
  if (schema instanceof z.ZodUnion) {
    const fitting = schema.options.find((option) => isLike(option, value));
    return fitting ? scaleValue(fitting, value, by) : value;
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, scaleValue(schema.shape[name], member, by)]),
  );
}

/** Whether a value, already validated, matches the type of a union option. */
const isLike = (option: unknown, value: unknown): boolean =>
  (option instanceof z.ZodArray && Array.isArray(value)) ||
  (option instanceof z.ZodObject && typeof value === 'object' && !Array.isArray(value));

function scaleLength(value: unknown, { scale, dpi }: { scale: number; dpi: number }): unknown {
  const length = value as Length;
  if (typeof length === 'string' && length.includes('%')) return length;
  return resolveLength(length, { whole: 0, dpi }) * scale;
}

interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Scales a box in px, with sides of at least 1 px. */
export const scaleBox = ({ left, top, width, height }: PixelBox, scale: number): PixelBox => ({
  left: left * scale,
  top: top * scale,
  width: Math.max(1, width * scale),
  height: Math.max(1, height * scale),
});
