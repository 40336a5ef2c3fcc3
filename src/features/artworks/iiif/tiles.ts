import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Reserve } from '../../../core/request_scope/types.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import { createPictureCache } from '../images/picture_cache.ts';
import {
  IIIF_TILES_AT_ONCE,
  IIIF_TILES_BYTES_MAX,
  IIIF_TILES_WAITING_MAX,
  IIIF_WAITING_MAX,
} from '../limits.ts';
import type { Rendering } from './image_request.ts';
import type { Pyramid } from './pyramids.ts';
import { type Asker, turnsByAddress } from './turns_by_address.ts';

interface Parts {
  readonly folder: string;
  readonly reserve: Reserve | undefined;
  readonly pixels: Pick<Pixels, 'run'>;
}

/** Parts of pictures, those made before at once. However many ask for one at a time, it is made once. */
export function createTiles({ folder, reserve, pixels }: Parts) {
  const cache = createPictureCache(folder, IIIF_TILES_BYTES_MAX, reserve);
  const running = new Map<string, Promise<Uint8Array>>();
  let isGrown = true;
  const turns = turnsByAddress({
    atOnce: IIIF_TILES_AT_ONCE,
    waitingMax: IIIF_TILES_WAITING_MAX,
    waitingMaxOfAll: IIIF_WAITING_MAX,
  });

  async function tile(pyramid: Pyramid, rendering: Rendering, asker: Asker): Promise<Uint8Array> {
    const { canonical: _, ...made } = rendering;
    const key = JSON.stringify([pyramid.sha256, pyramid.width, made]);
    const kept = await cache.get(key);
    if (kept) return kept;
    const under = running.get(key);
    if (under) return under;
    const making = turns(asker, () => render(pyramid, made, asker))
      .then(async (bytes) => {
        await cache.put(key, bytes);
        isGrown = true;
        return bytes;
      })
      .finally(() => running.delete(key));
    running.set(key, making);
    return making;
  }

  function render({ path }: Pyramid, made: Omit<Rendering, 'canonical'>, asker: Asker): Promise<Uint8Array> {
    return pixels.run(
      'render_region',
      { path, ...made },
      {
        pixels: pixelsOf(made),
        // One caller that leaves does not take it from the others.
        signal: new AbortController().signal,
        address: asker.address,
        callerKey: asker.callerKey,
      },
    );
  }

  return {
    tile,
    /** Looks through the folder only where something has come since. */
    async sweep(): Promise<number> {
      if (!isGrown) return 0;
      isGrown = false;
      return cache.sweep();
    },
  };
}

/** The size that is read has at most twice the sides of what is made; then what is made, and once more where it is turned. */
const pixelsOf = ({ region, size }: Pick<Rendering, 'region' | 'size'>): number =>
  Math.min(region.width * region.height, 4 * size.width * size.height) + 2 * size.width * size.height;

/** Whether the file a part was to be cut from is no longer what it should be. */
export const isBrokenFile = (error: unknown): boolean =>
  error instanceof AtelierError && ['internal_error', 'undecodable_image'].includes(error.code);
