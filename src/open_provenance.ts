import type { BaseLogger } from 'pino';
import type { Database } from './database/index.ts';
import { createHashes, createKnownWorks, readKnownWorks } from './services/hashes/index.ts';
import { createMarks } from './services/marks/index.ts';
import {
  createC2paWitness,
  createFileWitness,
  createHashWitness,
  createMetadataWitness,
  createProvenance,
  createWatermarkWitness,
} from './services/provenance/index.ts';
import type { Services } from './services/services.ts';

interface Parts extends Pick<Services, 'pixels' | 'soulmarks' | 'manifests'> {
  readonly database: Database;
  /** For built parts of the index of hashes. */
  readonly folder: string;
  readonly log: Pick<BaseLogger, 'error'>;
}

/** What is registered of pictures, and the witnesses that are asked where one comes from. */
export function openProvenance({
  database,
  folder,
  log,
  pixels,
  soulmarks,
  manifests,
}: Parts): Pick<Services, 'marks' | 'hashes' | 'provenance'> {
  const marks = createMarks(database);
  const hashes = createHashes(database, { folder });
  hashes.warm().catch((error) => log.error({ err: error }, 'the index of hashes was not loaded'));
  const works = createKnownWorks(readKnownWorks());
  const provenance = createProvenance([
    createHashWitness({ hashes, works }),
    createWatermarkWitness({ pixels, marks, hashes }),
    createMetadataWitness({ pixels, soulmarks }),
    createC2paWitness(manifests),
    createFileWitness(hashes),
  ]);
  return { marks, hashes, provenance };
}
