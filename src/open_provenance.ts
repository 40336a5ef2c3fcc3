import type { Database } from './database/index.ts';
import { createHashes, createKnownWorks } from './services/hashes/index.ts';
import { createFileWitness, createHashWitness, createProvenance } from './services/provenance/index.ts';
import type { Services } from './services/services.ts';

/** Registered pictures, and the witnesses that are asked where one comes from. */
export function openProvenance(database: Database): Pick<Services, 'hashes' | 'provenance'> {
  const hashes = createHashes(database);
  const works = createKnownWorks([]);
  return {
    hashes,
    provenance: createProvenance([createHashWitness({ hashes, works }), createFileWitness(hashes)]),
  };
}
