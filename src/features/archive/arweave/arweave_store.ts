import { createHash, type KeyObject } from 'node:crypto';
import { dataItem } from '@atelier/imaging/permanent/arweave/data_item.ts';
import { recordText } from '@atelier/imaging/permanent/car/car.ts';
import type { BaseLogger } from 'pino';
import type { Database } from '../../../core/database/types.ts';
import { withMetadata } from '../metadata_form.ts';
import * as store from '../store.ts';
import type { PermanentStore } from '../types.ts';
import { uploadItem } from './upload_item.ts';

interface ArweaveStoreDeps {
  readonly database: Database;
  /** Upload URL of the bundler for signed data items. */
  readonly uploadUrl: string;
  readonly gatewayUrl: string;
  /** RSA of 4096 bits; the account that pays the bundler. */
  readonly key: KeyObject;
  readonly logger: Pick<BaseLogger, 'warn'>;
  readonly now?: () => Date;
}

const APP = { name: 'App-Name', value: 'Atelier' };
const RECORD_TYPE = 'application/json';

/**
 * Stores files on Arweave as two data items: the file and a record that references it. Both are uploaded
 * before the row is written, so a failed upload leaves neither a row nor a charge. An upload is permanent
 * even if the call is not charged; a retry produces the same two items.
 */
export function createArweaveStore({
  database,
  uploadUrl,
  gatewayUrl,
  key,
  logger,
  now = () => new Date(),
}: ArweaveStoreDeps): PermanentStore {
  return {
    name: 'arweave',
    async put({ bytes, contentType, metadata, hold, signal }) {
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const content = dataItem(bytes, [{ name: 'Content-Type', value: contentType }, APP], key);
      const about = { contentType, sha256, metadata, sizeBytes: bytes.length };
      const record = withMetadata(() => recordText('arweave', `ar://${content.id}`, about));
      const tags = [{ name: 'Content-Type', value: RECORD_TYPE }, APP];
      const named = dataItem(Buffer.from(record), tags, key);
      const known = await store.select(database, 'arweave', named.id);
      if (!known?.is_paid) {
        await uploadItem(content, { url: uploadUrl, signal, logger });
        await uploadItem(named, { url: uploadUrl, signal, logger });
      }
      const wasKept = await store.insert(database, {
        cid: named.id,
        record,
        content_cid: content.id,
        sha256,
        size_bytes: bytes.length,
        content_type: contentType,
        at: now(),
        hold,
        store: 'arweave',
      });
      return {
        tx: named.id,
        provenanceUri: `${gatewayUrl}/${named.id}`,
        url: `${gatewayUrl}/${content.id}`,
        sha256,
        sizeBytes: bytes.length,
        wasKept,
      };
    },
  };
}
