import { createHash, createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { ARWEAVE_KEY_BITS } from '@atelier/imaging/permanent/arweave/data_item.ts';
import {
  archiveRecord,
  carSections,
  cidText,
  parseCid,
  unixfsBlocks,
} from '@atelier/imaging/permanent/car/car.ts';
import type { BaseLogger } from 'pino';
import type { Config } from '../../config/config.ts';
import { FETCH_REDIRECTS_MAX, FETCH_TIMEOUT_MS, UPLOAD_BYTES_MAX } from '../../config/limits.ts';
import type { Database } from '../../core/database/types.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { fetchPublic } from '../../core/outbound_http/fetch_public.ts';
import { ANY_NETWORK, type Reach } from '../../core/outbound_http/reach.ts';
import type { Blobs } from '../../core/storage/blobs/blobs.ts';
import { createArweaveStore } from './arweave/arweave_store.ts';
import { withMetadata } from './metadata_form.ts';
import * as store from './store.ts';
import type { Archive, ArweaveReader } from './types.ts';

interface ArchiveDeps {
  readonly database: Database;
  readonly blobs: Blobs;
  readonly publicUrl: string;
  readonly now?: () => Date;
}

/**
 * Creates the built-in archive. The record is a database row, the file a blob, which is stored before a row
 * references it.
 */
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

/** Computes all blocks of the file before the first is sent, so the whole file is held in memory. */
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

/**
 * Creates the permanent store: the built-in archive, or Arweave if a key is configured.
 * @throws Error if the key is invalid
 */
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

/**
 * Reads the key of an Arweave wallet.
 * @param path of an exported key file (JSON Web Key)
 * @throws Error that describes the problem without quoting the file
 */
export function arweaveKey(path: string): KeyObject {
  const key = parseKey(path);
  const { modulusLength, publicExponent } = key?.asymmetricKeyDetails ?? {};
  if (key && modulusLength === ARWEAVE_KEY_BITS && publicExponent === 65_537n) return key;
  throw new Error(
    `ARWEAVE_KEY_FILE: ${path} does not contain the key of an Arweave wallet: a private RSA key of ${ARWEAVE_KEY_BITS} bits as JSON Web Key.`,
  );
}

function parseKey(path: string): KeyObject | undefined {
  const text = readFileSync(path, 'utf8');
  try {
    return createPrivateKey({ key: JSON.parse(text), format: 'jwk' });
  } catch {
    return undefined;
  }
}

interface ArweaveReaderDeps {
  readonly database: Database;
  readonly gatewayUrl: string;
  /** Allowed redirect targets of a public gateway. */
  readonly reach: Reach;
}

const ID = /^[\w-]{43}$/;

/**
 * Reads items back through a gateway, only files that this service stored, and verifies their hash. So the
 * service is not an open proxy.
 */
export function createArweaveReader({ database, gatewayUrl, reach }: ArweaveReaderDeps): ArweaveReader {
  // A gateway over http is in the operator's own network: it is trusted, its redirects are not.
  const isOwn = new URL(gatewayUrl).protocol === 'http:';
  const way = isOwn ? { reach: ANY_NETWORK, redirectsMax: 0 } : { reach, redirectsMax: FETCH_REDIRECTS_MAX };
  return {
    async open(id, signal) {
      const row = ID.test(id) ? await store.select(database, 'arweave', id) : undefined;
      if (!row) return undefined;
      const isRecord = row.cid === id;
      const { bytes } = await fetchPublic(way.reach, `${gatewayUrl}/${id}`, {
        field: 'ARWEAVE_GATEWAY_URL',
        maxBytes: UPLOAD_BYTES_MAX,
        timeoutMs: FETCH_TIMEOUT_MS,
        redirectsMax: way.redirectsMax,
        signal,
      }).catch((error: unknown) => {
        throw signal.aborted ? error : notThere(id, error);
      });
      if (sha256(bytes) !== (isRecord ? sha256(Buffer.from(row.record)) : row.sha256)) throw notThere(id);
      return { bytes, contentType: isRecord ? 'application/json' : row.content_type };
    },
  };
}

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const notThere = (id: string, cause?: unknown): AtelierError =>
  new AtelierError(
    'upstream_failed',
    `The Arweave gateway of this server does not have ar://${id} yet. New files can take several minutes to appear; try again later, or use another gateway.`,
    { cause },
  );
