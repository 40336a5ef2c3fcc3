import { createHash, type Hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SignedRequest } from '../../features/wallets/ownership/types.ts';

/** A request that is being read, and what of it a signature can cover once it is. */
export interface SignedBody {
  onBytes(chunk: Uint8Array): void;
  /** Call it when the body was read to its end. */
  finish(): SignedRequest;
}

/** ERC-8128 selects by the tag, and both forms of its keyid name the chain like this. Others' signatures are not ours to judge. */
const NAMES_A_WALLET = /erc8128|eip155:/;

/**
 * Undefined where the request does not claim a signature by a wallet. Digests are computed while the body comes in, as far as
 * Content-Digest names them, so that a large body is neither read nor walked through twice.
 */
export function signedBody(incoming: IncomingMessage | undefined, request: Request): SignedBody | undefined {
  const header = (name: string) => request.headers.get(name) ?? undefined;
  if (!NAMES_A_WALLET.test(header('signature-input') ?? '')) return undefined;
  const hashes = hashesFor(header('content-digest') ?? '');
  let sizeBytes = 0;
  return {
    onBytes(chunk) {
      sizeBytes += chunk.byteLength;
      for (const [, hash] of hashes) hash.update(chunk);
    },
    finish: () => ({
      method: request.method,
      target: targetOf(incoming, request),
      header,
      body: {
        sizeBytes,
        digests: Object.fromEntries(hashes.map(([name, hash]) => [name, hash.digest()])),
      },
    }),
  };
}

function hashesFor(contentDigest: string): ['sha-256' | 'sha-512', Hash][] {
  const known = [
    ['sha-256', 'sha256'],
    ['sha-512', 'sha512'],
  ] as const;
  return known
    .filter(([name]) => contentDigest.includes(name))
    .map(([name, algorithm]) => [name, createHash(algorithm)]);
}

/** As sent in the request line: parsing a URL may normalise it. */
function targetOf(incoming: IncomingMessage | undefined, request: Request): string {
  if (incoming?.url?.startsWith('/')) return incoming.url;
  return request.url.slice(new URL(request.url).origin.length);
}
