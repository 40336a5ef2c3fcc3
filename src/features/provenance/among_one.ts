import { HASH_DISTANCE_MAX } from '../../config/limits.ts';
import { distanceOf } from './chance.ts';
import type { Registration } from './hashes/types.ts';
import { createProvenance } from './provenance.ts';
import type { Provenance } from './types.ts';
import { createHashWitness } from './witnesses/hash.ts';

/** The search for copies, over an index of this registration alone. */
export const amongOne = (registration: Registration & { readonly windows: Uint8Array }): Provenance =>
  createProvenance([
    createHashWitness({
      hashes: {
        near: async (hashes) =>
          hashes
            .map((hash, turn) => ({ registration, turn, distance: distanceOf(hash, registration.pdq) }))
            .filter(({ distance }) => distance <= HASH_DISTANCE_MAX)
            .toSorted((one, other) => one.distance - other.distance)
            .slice(0, 1),
        sharing: async () => [],
        load: async () => ({ pictures: 1, windows: registration.windows.length / 32, memoryBytes: 0 }),
      },
      works: { near: () => [], sharing: () => [], windows: 0 },
    }),
  ]);
