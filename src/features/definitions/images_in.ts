import type { SourceImage } from '../../core/workers/types.ts';

/** Text of an image inside a list or object of the input, until `pipeline/` has replaced it by the image. */
export class ImageText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** JSON has no byte arrays: an object that a client sent is never taken for an image. */
export const isSourceImage = (value: unknown): value is SourceImage =>
  typeof value === 'object' &&
  value !== null &&
  'bytes' in value &&
  value.bytes instanceof Uint8Array &&
  'width' in value &&
  'height' in value;

/** An image in an input, loaded or as text. */
export interface PlacedImage {
  /** Where it is: `image`, `layers.0.image`. */
  readonly name: string;
  /** The loaded image, or text that stands for one. */
  readonly image: unknown;
}

/**
 * Images of a validated input: those of its image fields, and those inside its lists and objects. Absent ones are left out.
 * @param fields names of its image fields
 */
export function imagesIn(fields: readonly string[], input: Readonly<Record<string, unknown>>): PlacedImage[] {
  const found: PlacedImage[] = [];
  for (const [name, value] of Object.entries(input)) {
    if (!fields.includes(name)) collect(value, name, found);
    else if (value !== undefined) found.push({ name, image: value });
  }
  return found;
}

/** Recursive: JSON_DEPTH_MAX bounds the nesting of every input. */
function collect(value: unknown, name: string, found: PlacedImage[]): void {
  if (value instanceof ImageText) found.push({ name, image: value.text });
  else if (isSourceImage(value)) found.push({ name, image: value });
  else for (const [key, member] of membersOf(value)) collect(member, `${name}.${key}`, found);
}

/** A copy of the input with images at the names that `imagesIn` gave them. */
export function withImages(
  input: Readonly<Record<string, unknown>>,
  images: ReadonlyMap<string, SourceImage>,
): Record<string, unknown> {
  if (images.size === 0) return { ...input };
  const replace = (value: unknown, name: string): unknown => {
    const image = images.get(name);
    if (image) return image;
    if (Array.isArray(value)) return value.map((member, at) => replace(member, `${name}.${at}`));
    if (!isPlain(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, replace(member, `${name}.${key}`)]),
    );
  };
  return Object.fromEntries(Object.entries(input).map(([name, value]) => [name, replace(value, name)]));
}

const membersOf = (value: unknown): [string, unknown][] =>
  Array.isArray(value) || isPlain(value) ? Object.entries(value) : [];

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
