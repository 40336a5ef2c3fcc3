import { sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { sealCose, stampedStructure } from '@atelier/imaging/provenance/c2pa/cose.ts';
import { manifestsIn } from '@atelier/imaging/provenance/c2pa/jumbf.ts';
import { manifestStoreIn } from '@atelier/imaging/provenance/c2pa/manifest_store.ts';
import type { PreparedManifest } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import { noTimeStamp } from '@atelier/imaging/provenance/timestamp/result.ts';
import type { Pixels } from '../../../core/workers/types.ts';
import type { StampedMessage, TimeStamps } from '../timestamps/types.ts';
import type { ManifestCertificate } from './certificate.ts';
import type { Manifests, SignedManifest } from './types.ts';

interface Parts {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly certificate: ManifestCertificate | undefined;
  /** Certificates as PEM that signers have to lead to; absent: trust is not judged. */
  readonly trustAnchors?: string | undefined;
  readonly generator: { readonly name: string; readonly version: string };
  readonly timeStamps: Pick<TimeStamps, 'stamp' | 'trust'>;
  readonly clock?: () => Date;
}

export function createManifests(deps: Parts): Manifests {
  const { pixels, certificate, trustAnchors, generator, timeStamps, clock = () => new Date() } = deps;
  return {
    read: (bytes, control) => {
      const stamps = { trust: timeStamps.trust, now: clock().getTime() };
      return pixels.run('read_manifest', { bytes, trustAnchors, stamps }, control);
    },
    ownIn,
    ...(certificate && {
      async sign(picture, control) {
        const { chain: certificates, algorithm } = certificate;
        const request = { ...picture, generator, certificates, algorithm };
        const prepared = await pixels.run('prepare_manifest', request, control);
        return signManifest(prepared, certificate, (message) => timeStamps.stamp(message, control.signal));
      },
    }),
  };
}

function ownIn(signed: Uint8Array): { id: string; store: Uint8Array } | undefined {
  const store = manifestStoreIn(signed);
  const id = store && manifestsIn(store)?.at(-1)?.id;
  return store && id !== undefined ? { id, store } : undefined;
}

async function signManifest(
  prepared: PreparedManifest,
  { key, algorithm }: ManifestCertificate,
  stamp: (message: Uint8Array) => Promise<StampedMessage>,
): Promise<SignedManifest> {
  const { toSign, headers, places } = prepared;
  const digest = algorithm === 'es256' ? 'sha256' : null;
  const signature = sign(digest, toSign, { key, dsaEncoding: 'ieee-p1363' });
  const { token, result } = await stamp(stampedStructure(headers, signature, 2));
  const length = places.reduce((sum, { from, to }) => sum + to - from, 0);
  const stamped = sealCose({ headers, signature, token }, length);
  const timeStamp =
    stamped || !token
      ? result
      : noTimeStamp('The time stamp is larger than the room that the manifest has for it.');
  const sealed = stamped ?? sealCose({ headers, signature }, length);
  if (!sealed)
    throw new Error('the certificates of C2PA_CERTIFICATE are larger than a manifest has room for');
  return { bytes: writeSignature(prepared, sealed), timeStamp };
}

function writeSignature({ bytes, places, checksum }: PreparedManifest, sealed: Buffer): Uint8Array {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let done = 0;
  for (const { from, to } of places) {
    file.set(sealed.subarray(done, done + to - from), from);
    done += to - from;
  }
  if (checksum) file.writeUInt32BE(crc32(file.subarray(checksum.from, checksum.to)), checksum.to);
  return file;
}
