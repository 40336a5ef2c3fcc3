import { createPrivateKey, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { sealCose, stampedStructure } from '@atelier/imaging/provenance/c2pa/cose.ts';
import { manifestsIn } from '@atelier/imaging/provenance/c2pa/jumbf.ts';
import { manifestStoreIn } from '@atelier/imaging/provenance/c2pa/manifest_store.ts';
import type { ManifestRequest, PreparedManifest } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import type { ManifestReading } from '@atelier/imaging/provenance/c2pa/read_manifest.ts';
import { noTimeStamp, type TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import type { Config } from '../../../config/config.ts';
import type { PixelControl, Pixels } from '../../../core/workers/types.ts';
import type { StampedMessage, TimeStamps } from '../timestamps/timestamps.ts';

interface ManifestCertificate {
  /** DER, starting with the signer's certificate. */
  readonly chain: readonly Uint8Array[];
  readonly key: KeyObject;
  readonly algorithm: 'es256' | 'ed25519';
}

/**
 * Signing certificate and key of C2PA manifests; undefined if neither is set.
 * @param certificates PEM, starting with the signer's, followed by its issuers
 * @param key PKCS#8 as PEM
 * @throws Error that names the setting to change
 */
export function manifestCertificate(
  certificates: string | undefined,
  key: string | undefined,
): ManifestCertificate | undefined {
  if (certificates === undefined && key === undefined) return undefined;
  if (certificates === undefined || key === undefined) {
    throw new Error('Set both C2PA_CERTIFICATE and C2PA_KEY, or neither.');
  }
  const chain = [...certificates.matchAll(PEM)].map(([, body]) => Buffer.from(stripPem(body!), 'base64'));
  const privateKey = keyIn(key);
  const algorithm = privateKey && algorithmOf(privateKey);
  if (!privateKey || !algorithm) {
    throw new Error('C2PA_KEY does not contain a P-256 or Ed25519 private key as PEM (PKCS#8).');
  }
  if (!fits(chain[0], privateKey)) {
    throw new Error('C2PA_CERTIFICATE does not begin with the certificate of C2PA_KEY as PEM.');
  }
  return { chain, key: privateKey, algorithm };
}

const PEM = /-----BEGIN CERTIFICATE-----([^-]+)-----END CERTIFICATE-----/g;
/** Environment variables may have lost their line breaks, or contain them as \n. */
const stripPem = (text: string): string => text.replace(/-----[A-Z ]+-----/g, '').replace(/\\n|\s/g, '');

function keyIn(text: string): KeyObject | undefined {
  try {
    return createPrivateKey({ key: Buffer.from(stripPem(text), 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    return undefined;
  }
}

function algorithmOf({ asymmetricKeyType: type, asymmetricKeyDetails: details }: KeyObject) {
  if (type === 'ed25519') return 'ed25519';
  return type === 'ec' && details?.namedCurve === 'prime256v1' ? 'es256' : undefined;
}

function fits(certificate: Uint8Array | undefined, key: KeyObject): boolean {
  try {
    return certificate !== undefined && new X509Certificate(certificate).checkPrivateKey(key);
  } catch {
    return false;
  }
}

/**
 * Creates the C2PA manifest service with the configured certificate.
 * @throws Error naming what is wrong with it
 */
export const openManifests = (
  config: Config,
  { pixels, timeStamps, version }: { pixels: Pixels; timeStamps: TimeStamps; version: string },
): Manifests =>
  createManifests({
    pixels,
    timeStamps,
    certificate: manifestCertificateOf(config),
    trustAnchors: trustAnchorsOf(config),
    generator: { name: 'atelier', version },
  });

/**
 * The configured certificate and key; undefined if none is set.
 * @throws Error naming what is wrong with them
 */
export const manifestCertificateOf = ({ C2PA_CERTIFICATE, C2PA_KEY }: Config) =>
  manifestCertificate(C2PA_CERTIFICATE, C2PA_KEY);

/**
 * Certificates of C2PA_TRUST_LIST as PEM; undefined if it is not set.
 * @throws Error naming what is wrong with the file
 */
export function trustAnchorsOf({
  C2PA_TRUST_LIST: path,
}: Pick<Config, 'C2PA_TRUST_LIST'>): string | undefined {
  if (path === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`C2PA_TRUST_LIST cannot be read: ${path} (${(error as NodeJS.ErrnoException).code}).`);
  }
  const size = Buffer.byteLength(text);
  if (size > TRUST_LIST_BYTES_MAX)
    throw new Error(`C2PA_TRUST_LIST has ${size} bytes. The limit is ${TRUST_LIST_BYTES_MAX}.`);
  const certificates = text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g);
  if (!certificates) throw new Error(`C2PA_TRUST_LIST contains no PEM certificate: ${path}.`);
  return certificates.join('\n');
}

/**
 * The list of the C2PA conformance programme has under 100 kB. It is sent to a process with every manifest
 * that is read.
 */
const TRUST_LIST_BYTES_MAX = 1_000_000;

interface ManifestsDeps {
  readonly pixels: Pick<Pixels, 'run'>;
  readonly certificate: ManifestCertificate | undefined;
  /** PEM certificates to which signers must chain; absent: trust is not checked. */
  readonly trustAnchors?: string | undefined;
  readonly generator: { readonly name: string; readonly version: string };
  readonly timeStamps: Pick<TimeStamps, 'stamp' | 'trust'>;
  readonly clock?: () => Date;
}

export function createManifests(deps: ManifestsDeps): Manifests {
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
      : noTimeStamp('The time stamp is larger than the space reserved for it in the manifest.');
  const sealed = stamped ?? sealCose({ headers, signature }, length);
  if (!sealed) throw new Error('the certificates of C2PA_CERTIFICATE are too large for a manifest');
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

/** C2PA manifests in images. */
export interface Manifests {
  /**
   * Reads and verifies the manifest of an image; undefined without one.
   * @throws AtelierError of the pixel engine
   */
  read(bytes: Uint8Array, control: PixelControl): Promise<ManifestReading | undefined>;
  /**
   * The store in an image that `sign` returned, and the label of its active manifest. Does not verify it, so
   * use it only for images signed here. Undefined if the file contains a second manifest.
   */
  ownIn(signed: Uint8Array): { readonly id: string; readonly store: Uint8Array } | undefined;
  /**
   * Adds a signed manifest to an image, with a time stamp if an authority responds in time. Absent if no
   * certificate is set.
   * @throws AtelierError of the pixel engine
   */
  readonly sign?: (picture: SignedPicture, control: PixelControl) => Promise<SignedManifest>;
}

interface SignedManifest {
  /** The image with its manifest. */
  readonly bytes: Uint8Array;
  /** Time stamp of the signature, or why there is none. */
  readonly timeStamp: TimeStampResult;
}

interface SignedPicture
  extends Pick<
    ManifestRequest,
    'training' | 'origin' | 'label' | 'isMarked' | 'beforeType' | 'actions' | 'components'
  > {
  readonly bytes: Uint8Array;
  /** The image as it was sent; absent for a composition of `components`. */
  readonly before?: Uint8Array;
  /** image/png, image/jpeg, image/webp, image/tiff */
  readonly type: string;
  readonly title: string;
  readonly dataMining?: string;
}
