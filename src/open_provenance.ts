import type { BaseLogger } from 'pino';
import type { Database } from './database/contract.ts';
import { createHashes } from './services/hashes/hashes.ts';
import { createKnownWorks, readKnownWorks } from './services/hashes/known_works.ts';
import { createMarks } from './services/marks/marks.ts';
import { createProvenance } from './services/provenance/provenance.ts';
import { createC2paWitness } from './services/provenance/witnesses/c2pa.ts';
import { createFileWitness } from './services/provenance/witnesses/file.ts';
import { createHashWitness } from './services/provenance/witnesses/hash.ts';
import { createMetadataWitness } from './services/provenance/witnesses/metadata.ts';
import { createWatermarkWitness } from './services/provenance/witnesses/watermark.ts';
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
