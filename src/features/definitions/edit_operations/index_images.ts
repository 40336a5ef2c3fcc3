import type { Operation } from '@atelier/imaging/editor/operations.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { isSourceImage } from '../images_in.ts';
import type { SentOperation } from './operation_fields.ts';

export interface IndexedOperations {
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
