import type { VisualDescriptor } from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import type { Database } from '../../../core/database/types.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { createPictureNotes, type PictureNotes } from '../images/picture_notes.ts';
import { LOOKS_WAITING_BYTES_MAX } from '../limits.ts';
import { createLookIndex, type LookIndex, type ShippedLook } from './look_index.ts';
import { isMeasured, writeLook } from './look_store.ts';

/** What works look like: measured when their pictures pass through, and searched. */
export interface Looks extends LookIndex, PictureNotes {
  /** @throws AtelierError of the picture (undecodable_image, unsuitable_image, …), busy, timed_out */
  measure(bytes: Uint8Array, signal: AbortSignal): Promise<VisualDescriptor>;
  /** Measures a picture of a work and keeps the result. @throws AtelierError as `measure` */
  keep(id: string, source: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
}

interface LooksDeps {
  readonly database: Database;
  readonly pixels: Pick<Pixels, 'run'>;
  /** Looks known from the beginning. */
  readonly shipped: readonly ShippedLook[];
}

export function createLooks({ database, pixels, shipped }: LooksDeps): Looks {
  const index = createLookIndex(database, shipped);

  const measure: Looks['measure'] = (bytes, signal) => {
    const { width, height } = pictureHeader(bytes);
    return pixels.run('look', { bytes }, { pixels: width * height, signal });
  };
  const keep: Looks['keep'] = async (id, source, bytes, signal) => {
    const look = await measure(bytes, signal);
    await writeLook(database, { id, source, look, now: new Date() });
  };
  const measureOnce = async (id: string, source: string, bytes: Uint8Array) => {
    if (await isMeasured(database, id, source)) return;
    await keep(id, source, bytes, new AbortController().signal);
  };
  return { ...index, measure, keep, ...createPictureNotes(LOOKS_WAITING_BYTES_MAX, measureOnce) };
}
