import { createHash } from 'node:crypto';
import type { SourceImage } from '../../../core/workers/types.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { type KeptManifestAnswer, keepOwnManifest } from './keep_manifest.ts';

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
  services: Pick<Services, 'pixels' | 'manifests' | 'keptManifests' | 'site'>,
  call: CallContext,
): Promise<KeptManifestAnswer | null> {
  const { pixels, keptManifests } = services;
  if (!call.proof) return null;
  const control = { pixels: image.width * image.height, ...call };
  const sent = (await pixels.run('take_manifest', { bytes: image.bytes }, control))?.kept;
  const sha256 = sent && createHash('sha256').update(sent.store).digest('hex');
  const parent = sha256 && (await keptManifests.findOf(call.proof.wallet, sha256));
  if (!parent) return null;
  const bound = { boundTo: parent.boundTo, markId: markId ?? parent.markId ?? undefined };
  if (bound.boundTo === null && bound.markId === undefined) return null;
  return keepOwnManifest(bytes, { ...bound, madeFrom: parent.madeFrom ?? parent.sha256 }, services, call);
}
