import type { Size } from '../pixels/plane.ts';
import { awaitDecoding, openPicture } from './open_picture.ts';

/** Sides of a picture after a camera's turn has been applied. @throws EngineError undecodable_image, unsupported_image, image_too_large */
export async function shownSize(bytes: Uint8Array): Promise<Size> {
  const { autoOrient } = await awaitDecoding(openPicture(bytes).metadata());
  return { width: autoOrient.width, height: autoOrient.height };
}
