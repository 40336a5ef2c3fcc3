import { z } from 'zod';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { type AnyOperation, defineOperation } from '../definitions/operation.ts';
import { untrustedFile, untrustedHeaders, untrustedStoredFile } from '../definitions/untrusted_file.ts';
import type { Services } from '../services.ts';

/** Reads per caller and hour. Each is a request to the gateway. */
const ARWEAVE_READS_PER_HOUR = 300;

/** The content of a CID never changes. */
const FOR_EVER = 'public, max-age=31536000, immutable';
const CAR_TYPE = 'application/vnd.ipld.car';

const openArchived = defineOperation({
  name: 'open_archived',
  methods: ['GET'],
  path: '/ipfs/{cid}',
  tag: 'provenance',
  summary:
    'A record (JSON) or file stored with store_permanent, by its CID. format=car returns all blocks, to verify or import elsewhere.',
  input: z.object({
    cid: z.string().max(100).describe('Content identifier: version 1, sha2-256, base32.'),
    format: z.enum(['file', 'car']).default('file').describe('car: a content-addressable archive (CARv1).'),
  }),
  answer: { file: '*/*', description: 'The bytes, with their stored media type.' },

  async run({ cid, format }, { archive }: Pick<Services, 'archive'>) {
    const nothing = new AtelierError('record_not_found', `The archive has no entry ${cid.slice(0, 100)}.`);
    if (format === 'car') {
      const chunks = await archive.exportCar(cid);
      if (!chunks) throw nothing;
      return { chunks, ...untrustedHeaders(CAR_TYPE, FOR_EVER) };
    }
    const found = await archive.open(cid);
    if (!found) throw nothing;
    if ('record' in found) return untrustedFile(found.record, 'application/json', FOR_EVER);
    const { blob, sha256, contentType } = found;
    return untrustedStoredFile({ bytes: blob, version: cid, sha256, contentType }, FOR_EVER);
  },
});

const openOnArweave = defineOperation({
  name: 'open_on_arweave',
  methods: ['GET'],
  path: '/ar/{id}',
  tag: 'provenance',
  summary:
    'A record (JSON) or file that this server stored on Arweave with store_permanent, by its id; fetched from a gateway and verified against the stored hash.',
  input: z.object({ id: z.string().max(100).describe('Id of the data item: 43 characters of base64url.') }),
  answer: { file: '*/*', description: 'The bytes, with their stored media type.' },
  limit: { name: 'arweave-reads', calls: ARWEAVE_READS_PER_HOUR, perSeconds: 3600, failuresCount: true },

  async run({ id }, { arweave }: Pick<Services, 'arweave'>, { signal }) {
    const found = await arweave.open(id, signal);
    if (!found) {
      throw new AtelierError(
        'record_not_found',
        `This server has stored no item ${id.slice(0, 100)} on Arweave.`,
      );
    }
    return untrustedFile(found.bytes, found.contentType, FOR_EVER);
  },
});

export const archiveOperations: readonly AnyOperation[] = [openArchived, openOnArweave];
