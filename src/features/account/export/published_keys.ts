import { z } from 'zod';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import type { PublicKey } from '../../../core/keys/signer.ts';
import { fetchPublic } from '../../../core/outbound_http/fetch_public.ts';
import type { Reach } from '../../../core/outbound_http/reach.ts';
import { KEYS_BYTES_MAX, KEYS_FETCH_TIMEOUT_MS } from './limits.ts';

const keySet = z.object({
  keys: z.array(z.object({ kid: z.string(), x: z.string(), revoked: z.unknown().optional() })).max(1000),
});

/**
 * The keys another server says it signs with, those it has revoked marked.
 * @param server its address, as an archive names it: any stranger's word
 * @throws Error where it does not answer them, in time and of a bounded size
 */
export async function publishedKeys(
  reach: Reach,
  server: string,
  signal: AbortSignal,
): Promise<readonly (PublicKey & { readonly revoked?: unknown })[]> {
  const { bytes } = await fetchPublic(reach, `${server.replace(/\/$/, '')}/.well-known/jwks.json`, {
    ...{ field: 'archive', maxBytes: KEYS_BYTES_MAX, timeoutMs: KEYS_FETCH_TIMEOUT_MS },
    ...{ redirectsMax: 0, signal },
  });
  return keySet.parse(parseBoundedJson(bytes)).keys;
}
