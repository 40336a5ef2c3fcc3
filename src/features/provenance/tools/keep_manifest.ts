import { createHash } from 'node:crypto';
import type { TakenManifest } from '@atelier/imaging/provenance/c2pa/take_manifest.ts';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import type { StoredManifest } from '../stored_manifests/types.ts';

type Picture = Pick<SourceImage, 'bytes' | 'width' | 'height'>;

/** A manifest stored separately from its image. */
const keptManifest = z.object({
  manifest_id: z.string(),
  sha256: z.string().describe('Of the manifest store.'),
  size_bytes: z.int().min(1).max(Number.MAX_SAFE_INTEGER),
  url: z.string().describe('Public URL of the store, byte for byte.'),
});
export const storedManifestField = keptManifest.nullable();
export type StoredManifestAnswer = z.output<typeof keptManifest>;
export const storedManifestsField = z.array(keptManifest);

export const storedManifestAnswer = (
  { id, sha256, sizeBytes }: Pick<StoredManifest, 'id' | 'sha256' | 'sizeBytes'>,
  { publicUrl }: Services['site'],
): StoredManifestAnswer => ({
  manifest_id: id,
  sha256,
  size_bytes: sizeBytes,
  url: `${publicUrl}/api/c2pa/manifests/${encodeURIComponent(id)}?sha256=${sha256}`,
});

/**
 * Stores a manifest, bound to the registration of its image or the known work it matches, and to the
 * watermark in it, so that copies without metadata can be matched to it.
 * @throws AtelierError if it cannot be stored
 */
export async function keepManifest(
  { kept, boundTo, markId, madeFrom, isOurs }: Keeping,
  { storedManifests, site }: Pick<Services, 'storedManifests' | 'site'>,
  { wallet, hold }: CallContext,
): Promise<StoredManifestAnswer> {
  const known = { isOurs, boundTo: boundTo ?? undefined, markId, madeFrom };
  return storedManifestAnswer(await storedManifests.keep({ ...kept, ...known, wallet, hold }), site);
}

/** Ways by which a manifest is found. */
interface Bound {
  /** `hash_…`, or the id of a known work. */
  readonly boundTo: string | null;
  readonly markId: string | undefined;
  /** sha256 of the store of the source image. */
  readonly madeFrom?: string;
}

interface Keeping extends Bound {
  readonly kept: Kept;
  /** Signed by this server. */
  readonly isOurs: boolean;
}

/**
 * Stores the manifest of an image that this server has just signed. If that exceeds a limit, the manifest is
 * only in the file, and the client is warned.
 */
export async function keepOwnManifest(
  signed: Uint8Array,
  bound: Bound,
  services: Pick<Services, 'manifests' | 'storedManifests' | 'site'>,
  call: CallContext,
): Promise<StoredManifestAnswer | null> {
  const kept = services.manifests.ownIn(signed);
  if (!kept) {
    call.warn(
      'The manifest was not stored on this server and is only in the file: the file contains a second manifest.',
    );
    return null;
  }
  try {
    return await keepManifest({ ...bound, kept, isOurs: true }, services, call);
  } catch (error) {
    if (!(error instanceof AtelierError) || !NOT_KEPT.includes(error.code)) throw error;
    call.warn(`The manifest was not stored on this server and is only in the file: ${error.message}`);
    return null;
  }
}

const NOT_KEPT: readonly string[] = [
  'payload_too_large',
  'too_much_kept',
  'storage_full',
  'storage_quota_exceeded',
];

/** Id of the watermark in an image; undefined for most. */
export async function markIn(
  { bytes, width, height }: Picture,
  { pixels }: Pick<Services, 'pixels'>,
  call: CallContext,
): Promise<string | undefined> {
  return (await pixels.run('watermark_detect', { bytes }, { pixels: width * height, ...call })).id;
}

type Kept = NonNullable<TakenManifest['kept']>;

/**
 * Manifest of an image by any signer. It must be embedded, so that nothing is fetched, and valid for these
 * bytes, so that it cannot be attached to an image its signer has not seen.
 * @throws AtelierError unsuitable_image with the reason
 */
export async function manifestOf(
  { bytes, width, height }: Picture,
  { pixels }: Pick<Services, 'pixels'>,
  call: CallContext,
): Promise<Kept> {
  const taken = await pixels.run('take_manifest', { bytes }, { pixels: width * height, ...call });
  if (taken?.kept) return taken.kept;
  throw new AtelierError(
    'unsuitable_image',
    `keep_manifest is true, but ${whyNot(taken)} Send the file as its maker signed it, or omit keep_manifest. You were not charged.`,
  );
}

function whyNot(taken: TakenManifest | undefined): string {
  switch (taken?.reading.state) {
    case undefined:
      return 'the file has no C2PA manifest.';
    case 'remote':
      return 'the file only links to an external C2PA manifest; links in files are not fetched.';
    case 'unreadable':
      return 'its C2PA manifest is damaged.';
    case 'invalid':
      return 'its C2PA manifest is not valid for these bytes.';
    case 'valid':
      return 'its C2PA manifest cannot be extracted reliably: the file is not PNG, JPEG, WebP or TIFF, or contains several.';
  }
}

interface Signed {
  /** The image that was sent. */
  readonly image: SourceImage;
  /** The result, signed by this server. */
  readonly bytes: Uint8Array;
  /** Id of the watermark embedded in the result. */
  readonly markId?: string | undefined;
}

/**
 * Stores the manifest of a result if that of its source image is stored, with the same bindings, so that a
 * stripped copy leads to both. Only for the verified wallet that stored the source's manifest, and only if
 * that is valid for the bytes sent; null otherwise. Rationale: decision 34.
 */
export async function keepResultManifest(
  { image, bytes, markId }: Signed,
  services: Pick<Services, 'pixels' | 'manifests' | 'storedManifests' | 'site'>,
  call: CallContext,
): Promise<StoredManifestAnswer | null> {
  const { pixels, storedManifests } = services;
  if (!call.proof) return null;
  const control = { pixels: image.width * image.height, ...call };
  const sent = (await pixels.run('take_manifest', { bytes: image.bytes }, control))?.kept;
  const sha256 = sent && createHash('sha256').update(sent.store).digest('hex');
  const parent = sha256 && (await storedManifests.findOf(call.proof.wallet, sha256));
  if (!parent) return null;
  const bound = { boundTo: parent.boundTo, markId: markId ?? parent.markId ?? undefined };
  if (bound.boundTo === null && bound.markId === undefined) return null;
  return keepOwnManifest(bytes, { ...bound, madeFrom: parent.madeFrom ?? parent.sha256 }, services, call);
}
