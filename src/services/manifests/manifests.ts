import { sign } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { manifestsIn } from '@atelier/engines/c2pa/jumbf.ts';
import { manifestStoreIn } from '@atelier/engines/c2pa/manifest_store.ts';
import type { PreparedManifest } from '@atelier/engines/c2pa/prepare_manifest.ts';
import type { Pixels } from '../../workers/contract.ts';
import type { ManifestCertificate } from './certificate.ts';
import type { Manifests } from './contract.ts';

interface Parts {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly certificate: ManifestCertificate | undefined;
  /** Certificates as PEM that signers have to lead to; absent: trust is not judged. */
  readonly trustAnchors?: string | undefined;
  readonly generator: { readonly name: string; readonly version: string };
}

export function createManifests({ pixels, certificate, trustAnchors, generator }: Parts): Manifests {
  return {
    read: (bytes, control) => pixels.run('read_manifest', { bytes, trustAnchors }, control),
    ownIn,
    ...(certificate && {
      async sign(picture, control) {
        const { chain: certificates, algorithm } = certificate;
        const request = { ...picture, generator, certificates, algorithm };
        return signManifest(await pixels.run('prepare_manifest', request, control), certificate);
      },
    }),
  };
}

function ownIn(signed: Uint8Array): { id: string; store: Uint8Array } | undefined {
  const store = manifestStoreIn(signed);
  const id = store && manifestsIn(store)?.at(-1)?.id;
  return store && id !== undefined ? { id, store } : undefined;
}

function signManifest(prepared: PreparedManifest, { key, algorithm }: ManifestCertificate): Uint8Array {
  const { bytes, toSign, signatureAt, checksum } = prepared;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const digest = algorithm === 'es256' ? 'sha256' : null;
  file.set(sign(digest, toSign, { key, dsaEncoding: 'ieee-p1363' }), signatureAt);
  if (checksum) file.writeUInt32BE(crc32(file.subarray(checksum.from, checksum.to)), checksum.to);
  return file;
}
