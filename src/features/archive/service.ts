import { carSections } from '@atelier/imaging/permanent/car/car.ts';
import { cidText, parseCid } from '@atelier/imaging/permanent/car/cid.ts';
import { archiveRecord } from '@atelier/imaging/permanent/car/record.ts';
import { unixfsBlocks } from '@atelier/imaging/permanent/car/unixfs.ts';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import type { Database } from '../../core/database/types.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';
import type { Blobs } from '../../core/storage/blobs/types.ts';
import { arweaveKey } from './arweave/arweave_key.ts';
import { createArweaveReader } from './arweave/arweave_reader.ts';
import { createArweaveStore } from './arweave/arweave_store.ts';
import { withMetadata } from './metadata_form.ts';
import * as store from './store.ts';
import type { Archive } from './types.ts';

interface ArchiveDeps {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly publicUrl: string;
  readonly now?: () => Date;
}

/** The record is a row, the file a blob: its bytes are stored before a row references them. */
export function createArchive({ database, blobs, publicUrl, now = () => new Date() }: ArchiveDeps): Archive {
  const urlOf = (cid: string) => `${publicUrl}/ipfs/${cid}`;
  return {
    name: 'archive',
    async put({ bytes, contentType, metadata, hold }) {
      const sha256 = await blobs.put(bytes);
      const { record, content } = withMetadata(() => archiveRecord(bytes, { contentType, sha256, metadata }));
      const [cid, contentCid] = [cidText(record.cid), cidText(content)];
      const wasKept = await store.insert(database, {
        cid,
        record: Buffer.from(record.bytes).toString(),
        content_cid: contentCid,
        sha256,
        size_bytes: bytes.length,
        content_type: contentType,
        at: now(),
        hold,
        store: 'archive',
      });
      return {
        tx: cid,
        provenanceUri: urlOf(cid),
        url: urlOf(contentCid),
        sha256,
        sizeBytes: bytes.length,
        wasKept,
      };
    },
    async open(cid) {
      const row = await findEntry(database, cid);
      if (!row) return undefined;
      if (row.cid === cid) return { record: row.record };
      return { blob: await blobs.open(row.sha256), sha256: row.sha256, contentType: row.content_type };
    },
    async exportCar(cid) {
      const row = await findEntry(database, cid);
      return row && (() => carPieces(blobs, row, cid));
    },
  };
}

const findEntry = async (database: Database, cid: string): Promise<store.EntryRow | undefined> =>
  parseCid(cid) && store.select(database, 'archive', cid);

/** All blocks of the file must be known before the first is sent, so their memory is acquired in advance. */
async function* carPieces(blobs: Pick<Blobs, 'get'>, row: store.EntryRow, cid: string) {
  const blocks = unixfsBlocks(await blobs.get(row.sha256));
  const root = parseCid(cid)!;
  const record = { cid: root, bytes: Buffer.from(row.record) };
  yield* carSections(root, row.cid === cid ? [record, ...blocks] : blocks);
}

interface Parts {
  readonly database: Database;
  readonly publicUrl: string;
  readonly blobs: Blobs;
  /** Allowed targets for URLs of clients. */
  readonly reach: Reach;
  readonly logger: BaseLogger;
}

/** Creates the permanent store: the built-in archive, or Arweave where a key is configured. @throws Error about the key */
export function openArchive(config: Config, { database, publicUrl, blobs, reach, logger }: Parts) {
  const archive = createArchive({ database, blobs, publicUrl });
  const { ARWEAVE_KEY_FILE: keyFile, ARWEAVE_UPLOAD_URL: uploadUrl, ARWEAVE_GATEWAY_URL: gateway } = config;
  const gatewayUrl = gateway.replace(/\/+$/, '');
  const arweave = createArweaveReader({ database, gatewayUrl, reach });
  if (!keyFile) return { archive, arweave, permanentStore: archive };
  const key = arweaveKey(keyFile);
  return {
    archive,
    arweave,
    permanentStore: createArweaveStore({ database, uploadUrl, gatewayUrl, key, logger }),
  };
}
