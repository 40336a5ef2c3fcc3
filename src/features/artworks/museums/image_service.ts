import { array, object, pixels } from './clean.ts';
import type { Asked } from './importer.ts';

/** What a IIIF image service says of itself (Image API 2 and 3, info.json). */
export interface ImageService {
  readonly width: number;
  readonly height: number;
  /** Gives no picture wider than this; undefined: as wide as it is. */
  readonly widthMax: number | undefined;
}

/** @throws MuseumAway; Error where it is no such service */
export async function readImageService(get: Asked['get'], url: string): Promise<ImageService> {
  const info = await get(`${url}/info.json`);
  const [width, height] = [pixels(info.width), pixels(info.height)];
  if (width === null || height === null) throw new Error('its picture server names no size');
  // The third version says it of the service, the second in one of its profiles.
  const limits = [info, ...array(info.profile).map(object)].map(({ maxWidth }) => pixels(maxWidth));
  return { width, height, widthMax: limits.find((limit) => limit !== null) ?? undefined };
}
