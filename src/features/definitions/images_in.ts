import type { SourceImage } from '../../core/workers/types.ts';

/** Text of an image inside a list or object of the input, until `pipeline/` has replaced it by the image. */
export class ImageText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Whether a value is a loaded image. JSON has no byte arrays, so an object from a client never is. */
export const isSourceImage = (value: unknown): value is SourceImage =>
  typeof value === 'object' &&
  value !== null &&
  'bytes' in value &&
  value.bytes instanceof Uint8Array &&
  'width' in value &&
  'height' in value;

/** An image in an input, loaded or as text. */
export interface PlacedImage {
  /** Path in the input: `image`, `layers.0.image`. */
  readonly name: string;
  /** The loaded image, or its text. */
  readonly image: unknown;
}

/**
 * Images of a validated input: those of its image fields, and those inside its lists and objects. Absent ones are omitted.
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

/** A copy of the input with images at the paths returned by `imagesIn`. */
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

/** Members that describe an image. */
const ABOUT = new Set(
  [
    'type',
    'mime_type',
    'mimetype',
    'media_type',
    'content_type',
    'encoding',
    'detail',
    'name',
    'filename',
  ].map(plain),
);
/** Members that contain an image in model APIs. */
const HOLDS = new Set(
  [
    'url',
    'uri',
    'image_url',
    'data',
    'base64',
    'b64',
    'b64_json',
    'source',
    'image',
    'handle',
    'result',
    'path',
  ].map(plain),
);
const DEPTH_MAX = 3;

/**
 * The image in an input value: a list of one, `{url}`, `{type: "image_url", image_url: {url}}`, `{type: "image", data, mimeType}` and
 * similar forms. Undefined where there is none or the value is ambiguous.
 */
export function pictureIn(sent: unknown, depth = 0): string | undefined {
  if (typeof sent === 'string') return depth > 0 ? sent : undefined;
  if (typeof sent !== 'object' || sent === null || depth === DEPTH_MAX) return undefined;
  if (Array.isArray(sent)) return sent.length === 1 ? pictureIn(sent[0], depth + 1) : undefined;
  const members = Object.entries(sent).filter(([name]) => !ABOUT.has(plain(name)));
  const [[name, value] = ['', undefined]] = members;
  return members.length === 1 && HOLDS.has(plain(name)) ? pictureIn(value, depth + 1) : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}

/** Longer texts are base64. */
const HANDLE_LENGTH_MAX = 300;

/**
 * The handle in an image field, for the parameters of a suggested call; undefined for base64.
 * @param image field of the input, which is text until the image is loaded
 */
export const handleIn = (image: unknown): string | undefined =>
  typeof image === 'string' && image.length <= HANDLE_LENGTH_MAX && HANDLE.test(image) ? image : undefined;

const HANDLE = /^(https?:\/\/|(upload|result|asset|artwork):)/;
