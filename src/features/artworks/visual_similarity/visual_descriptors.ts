import type { VisualDescriptor } from '@atelier/imaging/visual_descriptor/visual_descriptor.ts';
import type { Database } from '../../../core/database/types.ts';
import { pictureHeader } from '../../../core/workers/image_header.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { createImageQueue, type ImageQueue } from '../images/image_queue.ts';
import { LOOKS_WAITING_BYTES_MAX } from '../limits.ts';
import { type BundledDescriptor, createDescriptorIndex, type DescriptorIndex } from './descriptor_index.ts';
import { isMeasured, writeDescriptor } from './descriptor_store.ts';

/** Visual descriptors of works: computed when their images are served, and searched. */
export interface VisualDescriptors extends DescriptorIndex, ImageQueue {
  /**
   * Computes the descriptor of an image.
   * @throws AtelierError of the image (undecodable_image, unsuitable_image, …), busy, timed_out
   */
  measure(bytes: Uint8Array, signal: AbortSignal): Promise<VisualDescriptor>;
  /**
   * Computes and stores the descriptor of a work's image.
   * @throws AtelierError as `measure`
   */
  keep(id: string, source: string, bytes: Uint8Array, signal: AbortSignal): Promise<void>;
}

interface LooksDeps {
  readonly database: Database;
  readonly pixels: Pick<Pixels, 'run'>;
  /** Descriptors that are part of the program. */
  readonly shipped: readonly BundledDescriptor[];
}

export function createVisualDescriptors({ database, pixels, shipped }: LooksDeps): VisualDescriptors {
  const index = createDescriptorIndex(database, shipped);

  const measure: VisualDescriptors['measure'] = (bytes, signal) => {
    const { width, height } = pictureHeader(bytes);
    return pixels.run('look', { bytes }, { pixels: width * height, signal });
  };
  const keep: VisualDescriptors['keep'] = async (id, source, bytes, signal) => {
    const look = await measure(bytes, signal);
    await writeDescriptor(database, { id, source, look, now: new Date() });
  };
  const measureOnce = async (id: string, source: string, bytes: Uint8Array) => {
    if (await isMeasured(database, id, source)) return;
    await keep(id, source, bytes, new AbortController().signal);
  };
  return { ...index, measure, keep, ...createImageQueue(LOOKS_WAITING_BYTES_MAX, measureOnce) };
}
