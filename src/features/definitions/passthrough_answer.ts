import type { CarriedMetadata, CarryWish } from '@atelier/imaging/metadata/passthrough/carried.ts';
import type { ManifestAction, ManifestComponent } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import type { TimeStampResult } from '@atelier/imaging/provenance/timestamp/result.ts';
import { z } from 'zod';
import { BASE64_COPIES } from '../../config/limits.ts';
import type { SourceImage } from '../../core/workers/types.ts';
import type { KeptResult, Results } from '../assets/results/results.ts';
import {
  keepResultManifest,
  type StoredManifestAnswer,
  storedManifestField,
} from '../provenance/tools/keep_manifest.ts';
import { timeStampAnswer, timeStampField } from '../provenance/tools/time_stamp_answer.ts';
import type { Services } from '../services.ts';
import { briefly } from './brief.ts';
import type { CallContext } from './tool.ts';
import { BASE64_ANSWER_BYTES_MAX } from './tool_limits.ts';

/** Fields that select which metadata of an image its result preserves. */
export const passthroughFields = {
  keep: briefly(
    z
      .enum(['all', 'rights', 'none'])
      .default('all')
      .describe('Metadata to preserve: all, rights (owner, licence, opt-outs, AI marks) or none.')
      .meta({ title: 'Metadata to keep' }),
    '',
  ),
  keep_location: briefly(
    z.boolean().default(false).describe('Also keep the location.').meta({ title: 'Keep the location' }),
    '',
  ),
};

const what = z.string().describe('xmp, iptc_iim, exif, exif.location, icc, gain_map, c2pa, …');

export const metadataAnswer = {
  metadata: z
    .object({
      kept: z.array(what),
      changed: z.array(z.object({ what, how: z.string() })),
      dropped: z.array(z.object({ what, why: z.string() })),
    })
    .describe('Handling of the metadata of the image sent.'),
};

type PassthroughOptions = z.output<z.ZodObject<typeof passthroughFields>>;

/** The selection as an option of engines. */
export const passthroughOf = (
  { keep, keep_location: keepLocation }: PassthroughOptions,
  more: Partial<CarryWish> = {},
): CarryWish => ({ keep, keepLocation, shows: 'whole', ...more });

/** Response fields about preserved metadata (`metadataAnswer`). */
export const metadataOf = ({ kept, changed, dropped }: CarriedMetadata) => ({
  metadata: { kept: [...kept], changed: [...changed], dropped: [...dropped] },
});

/** Response fields in addition to `imageAnswer`. */
export const passthroughAnswerFields = {
  ...metadataAnswer,
  kept_manifest: storedManifestField
    .optional()
    .describe(
      'The manifest of the result, stored if you stored that of the input and your wallet is verified.',
    ),
  time_stamp: timeStampField
    .optional()
    .describe('Time stamp of the manifest of the result, if newly signed.'),
};
export type PassthroughServices = Pick<
  Services,
  'pixels' | 'results' | 'manifests' | 'storedManifests' | 'site'
>;

interface Made {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
  readonly metadata: CarriedMetadata;
}

interface About {
  /** The source image. */
  readonly image: SourceImage;
  /** Actions in order, by their C2PA names. */
  readonly action: string | readonly ManifestAction[];
  /** Whether the result shows the same, so that soft bindings of the source image apply to it. */
  readonly showsTheSame?: boolean;
  /** Id of the watermark written into it. */
  readonly markId?: string;
  readonly output: 'base64' | 'url';
  readonly durable?: boolean;
  /** Requested maximum file size; a manifest that would exceed it is omitted. */
  readonly bytesMax?: number | undefined;
  /** Other images placed in it. */
  readonly components?: readonly ManifestComponent[];
}

/** Formats in which manifests are written, by their names in the C2PA library. */
const SIGNED_TYPES: Readonly<Record<string, string>> = {
  'image/png': 'image/png',
  'image/apng': 'image/png',
  'image/jpeg': 'image/jpeg',
  'image/webp': 'image/webp',
  'image/tiff': 'image/tiff',
};

/**
 * Response for a result made from a source image, with the handling of its metadata. If the source had a C2PA manifest and this
 * server has a certificate, the result gets a new manifest with the source as ingredient and the work as actions.
 */
export async function passthroughAnswer(
  services: PassthroughServices,
  made: Made,
  about: About,
  call: CallContext,
) {
  const { bytes, metadata, keptManifest, timeStamp } = await signAnew(services, made, about, call);
  const { output, durable = false } = about;
  const answer = await pictureAnswer(
    services.results,
    { ...made, bytes },
    { output, durable, warn: call.warn },
  );
  return {
    ...answer,
    ...metadataOf(metadata),
    ...(keptManifest && { kept_manifest: keptManifest }),
    ...(timeStamp && { time_stamp: timeStampAnswer(timeStamp) }),
  };
}

interface Resigned extends Pick<Made, 'bytes' | 'metadata'> {
  readonly keptManifest: StoredManifestAnswer | null;
  /** Time stamp of a new manifest. */
  readonly timeStamp?: TimeStampResult;
}

async function signAnew(
  services: PassthroughServices,
  { bytes, contentType, width, height, metadata }: Made,
  { image, action, showsTheSame = false, markId, bytesMax, components = [] }: About,
  call: CallContext,
): Promise<Resigned> {
  const { sign, read } = services.manifests;
  const hadManifest = metadata.dropped.some(({ what, why }) => what === C2PA && why.includes('sha256'));
  const type = SIGNED_TYPES[contentType];
  // The library supports no ingredients in other formats.
  const isTold = hadManifest || (components.length > 0 && `image/${image.format}` in SIGNED_TYPES);
  if (!sign || !isTold || !type) return { bytes, metadata, keptManifest: null };
  const control = { pixels: width * height, ...call };
  // An unreadable manifest, such as one that is its own ingredient, cannot become an ingredient, and is dropped.
  if ((await read(image.bytes, control))?.state === 'unreadable')
    return { bytes, metadata, keptManifest: null };
  const picture = {
    bytes,
    before: image.bytes,
    beforeType: `image/${image.format}`,
    type,
    components,
    title: 'Untitled',
    actions: typeof action === 'string' ? [{ action }] : action,
  };
  const { bytes: signed, timeStamp } = await sign(picture, control);
  if (bytesMax !== undefined && signed.length > bytesMax) return { bytes, metadata, keptManifest: null };
  const changed = {
    what: C2PA,
    how: hadManifest
      ? 'newly signed by this server, with the existing one as ingredient'
      : 'signed by this server, with those of the placed images as ingredients',
  };
  const dropped = metadata.dropped.filter(({ what }) => what !== C2PA);
  const keptManifest = showsTheSame
    ? await keepResultManifest({ image, bytes: signed, markId }, services, call)
    : null;
  return {
    keptManifest,
    timeStamp,
    bytes: signed,
    metadata: { ...metadata, changed: [...metadata.changed, changed], dropped },
  };
}

const C2PA = 'c2pa';

interface Picture {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Stores an image and returns the fields of `imageAnswer`, with base64 unless only a link was requested or the image is large.
 * `durable` waits for the disk, for paid calls.
 */
export async function pictureAnswer(
  results: Pick<Results, 'keep'>,
  { bytes, contentType, width, height }: Picture,
  options: { output: 'base64' | 'url'; durable?: boolean; warn: (message: string) => void },
) {
  const isTooLong = options.output === 'base64' && bytes.length > BASE64_ANSWER_BYTES_MAX;
  if (isTooLong) options.warn('The image is too large for base64; use result_url.');
  const isInline = options.output === 'base64' && !isTooLong;
  const kept = await results.keep(bytes, contentType, {
    durable: options.durable ?? false,
    copies: isInline ? BASE64_COPIES : 1,
  });
  return {
    ...(isInline && { image_b64: base64(bytes) }),
    width,
    height,
    content_type: contentType,
    size_bytes: bytes.length,
    ...linkAnswer(kept),
  };
}

/** The fields of `fileAnswer` that depend only on the stored file. */
export const linkAnswer = ({ handle, url, expiresAt, name }: KeptResult) => ({
  result: handle,
  result_url: url,
  expires_at: expiresAt.toISOString(),
  ...(name !== undefined && { name }),
});

const base64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
