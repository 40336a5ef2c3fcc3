import { OTHER_IMAGES_MAX } from '@atelier/imaging/editor/limits.ts';
import type { Operation } from '@atelier/imaging/editor/operations.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { isSourceImage } from '../images_in.ts';
import { scaleLengths } from '../preview.ts';
import type { CallContext } from '../tool.ts';
import { knownFields, OPERATION_FIELDS, type SentOperation } from './operation_fields.ts';

interface IndexedOperations {
  /** Operations for the engine, in which an image is named by the index of its operation. */
  readonly operations: readonly Operation[];
  readonly images: Readonly<Record<string, SourceImage>>;
}

/** Extracts the loaded images from operations. @param prefix of their names */
export function indexImages(sent: readonly SentOperation[], prefix = ''): IndexedOperations {
  const images: Record<string, SourceImage> = {};
  const operations = sent.map((operation, index): unknown => {
    const image: unknown = 'image' in operation ? operation.image : undefined;
    if (!isSourceImage(image)) return operation;
    const name = `${prefix}${index}`;
    images[name] = image;
    return { ...operation, image: name };
  });
  return { operations: operations as Operation[], images };
}

/**
 * Removes unknown fields from operations, with a warning for each.
 * @param path of the list in the input: `operations`
 * @throws AtelierError invalid_input for too many images, or a placeholder where none is supported
 */
export function requireKnown(
  sent: readonly SentOperation[],
  { path, warn }: { readonly path: string } & Pick<CallContext, 'warn'>,
): SentOperation[] {
  const images = sent.filter((operation) => 'image' in operation && operation.image !== undefined);
  if (images.length > OTHER_IMAGES_MAX)
    throw invalidField(
      path,
      `${path} names ${images.length} images. The limit is ${OTHER_IMAGES_MAX}. Edit in two calls.`,
    );
  return sent.map((operation, at) => {
    const { known, unknown } = knownFields(operation);
    if (unknown.length > 0) {
      const fields = Object.keys(OPERATION_FIELDS[operation.op].shape).filter((name) => name !== 'op');
      const names = unknown.slice(0, 5).map((name) => JSON.stringify(name.slice(0, 40)));
      warn(
        `${path}.${at}: ${names.join(', ')} was ignored. Fields of ${operation.op}: ${fields.join(', ')}.`,
      );
    }
    return known;
  });
}

/** Scales the lengths of an operation for an image whose sides are `scale` times as long. */
export function scaleOperation(operation: SentOperation, by: { scale: number; dpi: number }): SentOperation {
  const scaled = scaleLengths(OPERATION_FIELDS[operation.op], operation, by);
  return scaled.op === 'shape' && scaled.path !== undefined
    ? { ...scaled, path: scalePath(scaled.path, by.scale) }
    : scaled;
}

/** Numbers of an arc command in an SVG path: radii, an angle, two flags and a point. */
const ARC_NUMBERS = 7;
const ARC_LENGTHS: ReadonlySet<number> = new Set([0, 1, 5, 6]);

/** SVG path data with every coordinate times `scale`. Flags of arcs must be separated from the next number. */
export function scalePath(path: string, scale: number): string {
  return path.replace(/([a-z])([^a-z]*)/gi, (_, command: string, values: string) => {
    let at = 0;
    const isArc = command.toLowerCase() === 'a';
    const scaled = values.replace(/[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?/gi, (text) => {
      const isLength = !isArc || ARC_LENGTHS.has(at % ARC_NUMBERS);
      at += 1;
      return isLength ? ` ${Number(text) * scale} ` : ` ${text} `;
    });
    return `${command}${scaled}`;
  });
}
