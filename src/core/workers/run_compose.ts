import {
  type ComposedPicture,
  type CompositionRequest,
  composePicture,
} from '@atelier/imaging/composer/compose_picture.ts';
import { readLayer } from './read_layer.ts';
import { TEXT_RESOURCES } from './text_resources.ts';

/** Draws a document with what a process has for it: images of any format, fonts. */
export const runCompose = (request: CompositionRequest): Promise<ComposedPicture> =>
  composePicture(request, { ...TEXT_RESOURCES, readImage: readLayer });
