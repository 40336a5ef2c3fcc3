import { join } from 'node:path';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import type { Signer } from '../../core/keys/signer.ts';
import type { Services } from '../services.ts';
import type { Webhooks } from '../webhooks/types.ts';
import { amongOne } from './among_one.ts';
import { createEvidence } from './evidence/evidence.ts';
import { createHashes } from './hashes/hashes.ts';
import { createKnownWorks, readKnownWorks } from './hashes/known_works.ts';
import { createMarks } from './marks/marks.ts';
import { createProvenance } from './provenance.ts';
import { tellRegistrant } from './tell_registrant.ts';
import { createC2paWitness } from './witnesses/c2pa.ts';
import { createFileWitness } from './witnesses/file.ts';
import { createHashWitness } from './witnesses/hash.ts';
import { createMetadataWitness } from './witnesses/metadata.ts';
import { createWatermarkWitness } from './witnesses/watermark.ts';

interface Parts
  extends Pick<Services, 'pixels' | 'soulmarks' | 'manifests' | 'receipts'>,
    Pick<Webhooks, 'tell'> {
  readonly database: Database;
  /** With the key of receipts. */
  readonly signer: Signer;
  readonly publicUrl: string;
  readonly logger: Pick<BaseLogger, 'error'>;
}

/** What is registered of pictures, and the witnesses that are asked where one comes from. */
export function openProvenance(
  config: Config,
  { database, logger, pixels, soulmarks, manifests, receipts, signer, publicUrl, tell }: Parts,
): Pick<Services, 'marks' | 'hashes' | 'provenance' | 'provenanceAmong' | 'evidence'> {
  const marks = createMarks({ database, signer, receipts, publicUrl });
  const hashes = createHashes(database, { folder: join(config.DATA_DIR, 'hashes') });
  hashes.warm().catch((error) => logger.error({ err: error }, 'the index of hashes was not loaded'));
  const works = createKnownWorks(readKnownWorks());
  const provenance = createProvenance(
    [
      createHashWitness({ hashes, works }),
      createWatermarkWitness({ pixels, marks, hashes }),
      createMetadataWitness({ pixels, soulmarks }),
      createC2paWitness(manifests),
      createFileWitness(hashes),
    ],
    tellRegistrant(tell),
  );
  const evidence = createEvidence({ pixels, manifests, soulmarks, marks });
  return { marks, hashes, provenance, provenanceAmong: amongOne, evidence };
}
