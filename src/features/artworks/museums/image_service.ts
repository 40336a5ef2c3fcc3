import { array, object, pixels } from './clean.ts';
import type { Asked } from './importer.ts';

/** Properties of a IIIF image service (Image API 2 and 3, info.json). */
export interface ImageService {
  readonly width: number;
  readonly height: number;
  /** Maximum width of images it serves; undefined: unlimited. */
  readonly widthMax: number | undefined;
}

/** @throws MuseumAway; Error if the response is not that of an image service */
export async function readImageService(get: Asked['get'], url: string): Promise<ImageService> {
  const info = await get(`${url}/info.json`);
  const [width, height] = [pixels(info.width), pixels(info.height)];
  if (width === null || height === null) throw new Error('its image server states no size');
  // Version 3 states it in the service, version 2 in one of its profiles.
  const limits = [info, ...array(info.profile).map(object)].map(({ maxWidth }) => pixels(maxWidth));
  return { width, height, widthMax: limits.find((limit) => limit !== null) ?? undefined };
}
