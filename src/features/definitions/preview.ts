import { type Length, resolveLength } from '@atelier/imaging/editor/lengths.ts';
import { z } from 'zod';

/** Pixels of a preview. */
export const PREVIEW_PIXELS_MAX = 1_000_000;
/** Side of what a preview of a paid tool shows of its result, px. */
export const PREVIEW_CROP_PX = 512;
/** Encoder quality of a preview. */
export const PREVIEW_QUALITY = 82;

/** How `preview: true` runs a tool on a reduced copy of its image. */
export interface PreviewPlan<Input> {
  /**
   * `reduced` (default): the whole image at no more than PREVIEW_PIXELS_MAX. `detail`: the middle of the image at full size,
   * `detailPx` a side, for a tool whose effect disappears when the image is reduced.
   */
  readonly detailPx?: (input: Input) => number;
  /** Pixels of the result at full size, where no image decides it. */
  readonly canvasPixels?: (input: Input) => number;
  /**
   * The input for the reduced image: lengths in px times `scale`, and a format that every browser shows.
   * @param scale side of the reduced image to that of the image, at most 1
   * @param whole the input with its images as they were sent, for lengths on another image
   */
  readonly scaled: (input: Input, scale: number, whole: Input) => Input;
}

const LENGTHS = new WeakSet<object>();

/** Marks the schema of a length: a number of px, or text with a unit. `scaleLengths` finds it inside of others. */
export function asLength<Schema extends z.ZodType>(schema: Schema): Schema {
  LENGTHS.add(schema);
  return schema;
}

export const isLengthSchema = (schema: object): boolean => LENGTHS.has(schema);

/**
 * A parsed value with each of its lengths times `scale`; percentages stay.
 * @param schema that the value was parsed with
 * @param dpi that lengths in mm count by
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

/** Whether an option of a union is of the kind of the value; its values were checked before. */
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

/** A box in px times `scale`, at least 1 px a side. */
export const scaleBox = ({ left, top, width, height }: PixelBox, scale: number): PixelBox => ({
  left: left * scale,
  top: top * scale,
  width: Math.max(1, width * scale),
  height: Math.max(1, height * scale),
});
