import { createHash } from 'node:crypto';
import { FETCH_REDIRECTS_MAX, FETCH_TIMEOUT_MS, UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import type { Database } from '../../../core/database/types.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { fetchPublic } from '../../../core/outbound_http/fetch_public.ts';
import { ANY_NETWORK, type Reach } from '../../../core/outbound_http/reach.ts';
import * as store from '../store.ts';
import type { ArweaveReader } from '../types.ts';

interface ArweaveReaderDeps {
  readonly database: Database;
  readonly gatewayUrl: string;
  /** Allowed redirect targets of a public gateway. */
  readonly reach: Reach;
}

const ID = /^[\w-]{43}$/;

/** Reads back only files that this service stored, and verifies their hash: the gateway is not an open proxy. */
export function createArweaveReader({ database, gatewayUrl, reach }: ArweaveReaderDeps): ArweaveReader {
  // A gateway over http is in the operator's own network: it is trusted, but its redirects are not.
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
