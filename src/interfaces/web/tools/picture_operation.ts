import { countFrames } from '@atelier/imaging/codecs/count_frames.ts';
import { z } from 'zod';
import type { SourceImage } from '../../../core/workers/types.ts';
import { type BytesAnswer, defineOperation } from '../../../features/definitions/operation.ts';
import { untrustedFile } from '../../../features/definitions/untrusted_file.ts';
import type { Services } from '../../../features/services.ts';
import { requireAssetAccess } from '../../../pipeline/admission.ts';
import { callerKey, identify } from '../../../pipeline/authenticate.ts';
import { type Sample, sampleAddress, TELLING_SAMPLES } from '../samples.ts';
import type { Studio, Visit } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import {
  ANIMATED_PREVIEW_PIXELS_MAX,
  SHOWN_BYTES_MAX,
  SHOWN_SIDE_PX_MAX,
  THUMBNAIL_SIDE_PX,
} from './limits.ts';

const PATH = '/pictures/';
/** An image stored on this server. Other addresses are fetched by a run, never because a page is viewed. */
const OURS = /^(upload|result|asset|artwork):/;
const CACHE = 'private, max-age=3600';

/** URL of the image behind a handle; undefined for images not stored on this server. */
export function pictureAddress(handle: string): string | undefined {
  const sample = sampleIn(handle);
  if (sample) return sampleAddress(sample);
  return OURS.test(handle) ? PATH + encodeURIComponent(handle) : undefined;
}

/** URL of a thumbnail for lists. */
export function thumbnailAddress(handle: string): string | undefined {
  const address = pictureAddress(handle);
  return address?.startsWith(PATH) ? `${address}?size=small` : address;
}

/** The sample behind a handle such as `sample:pear`. */
export const sampleIn = (handle: unknown): Sample | undefined =>
  TELLING_SAMPLES.find(({ name }) => handle === `sample:${name}`);

/** Rate limit of images on pages. */
export const PICTURES = { name: 'studio-pictures', calls: 600, perSeconds: 60, by: 'address' } as const;

/** The image behind a handle, for visitors that may use it in a tool: the file if it is small, else a smaller WebP. */
export const pictureOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_picture',
    methods: ['GET'],
    path: `${PATH}{handle}`,
    tag: 'studio',
    summary: 'An image shown on a studio page.',
    input: z.object({
      handle: z.string().max(300).regex(OURS, 'must be a handle of this server'),
      size: z.enum(['large', 'small']).default('large'),
    }),
    answer: { file: 'image/*', description: 'The image.' },
    isPrivate: true,
    limit: PICTURES,
    async run({ handle, size }, services: Pick<Services, 'pixels'>, call) {
      const { picture, wallet } = await openPicture(await visitOf(studio, call), handle);
      return previewOf(services, picture, { ...call, wallet, size });
    },
  });

/** The file if it is small and browsers display it, else a smaller WebP. @throws AtelierError of `resize_image` */
export async function previewOf(
  services: Pick<Services, 'pixels'>,
  picture: SourceImage,
  { size, ...visitor }: Omit<Preview, 'sideMax'> & { readonly size: 'large' | 'small' },
): Promise<BytesAnswer> {
  const sideMax = size === 'small' ? THUMBNAIL_SIDE_PX : SHOWN_SIDE_PX_MAX;
  if (isShownAsItIs(picture, sideMax)) return untrustedFile(picture.bytes, `image/${picture.format}`, CACHE);
  return untrustedFile(await asWebp(services, picture, { ...visitor, sideMax }), 'image/webp', CACHE);
}

/** Other formats are converted: an untrusted SVG may contain scripts. */
const BROWSER_FORMATS: ReadonlySet<string> = new Set(['png', 'jpeg', 'webp', 'avif', 'gif']);

const isShownAsItIs = ({ bytes, format, width, height }: SourceImage, sideMax: number): boolean =>
  BROWSER_FORMATS.has(format) && Math.max(width, height) <= sideMax && bytes.length <= SHOWN_BYTES_MAX;

interface Preview {
  readonly wallet: string | undefined;
  readonly address: string;
  readonly signal: AbortSignal;
  readonly sideMax: number;
}

async function asWebp(
  { pixels }: Pick<Services, 'pixels'>,
  { bytes, width, height }: SourceImage,
  { wallet, address, signal, sideMax }: Preview,
): Promise<Uint8Array> {
  // A square also bounds images with an Exif rotation: width and height are those before it.
  const side = Math.min(sideMax, Math.max(width, height));
  const frameCount = countFrames(bytes);
  const isAnimated = frameCount > 1 && frameCount * width * height <= ANIMATED_PREVIEW_PIXELS_MAX;
  const frames = isAnimated ? 'all' : 'first';
  const small = await pixels.run(
    'resize',
    { bytes, width: side, height: side, mode: 'contain', format: 'webp', quality: 85, frames, frameCount },
    {
      pixels: (width * height + side * side) * (isAnimated ? frameCount : 1),
      signal,
      address,
      callerKey: callerKey(address, wallet),
    },
  );
  return small.bytes;
}

/** An image and the wallet it was opened for. */
interface Opened {
  readonly picture: SourceImage;
  readonly wallet: string | undefined;
}

/**
 * The image behind a handle or URL, for a visitor who may use it in a tool.
 * @throws AtelierError wallet_locked, scope_denied, and the errors of a tool with the same field
 */
export async function openPicture(
  { studio: { context }, caller, call }: Pick<Visit, 'studio' | 'caller' | 'call'>,
  handle: string,
): Promise<Opened> {
  const principal = await identify(context, caller, { mustPay: false });
  await requireAssetAccess(context, { handle }, { principal, about: 'a picture' });
  const { wallet } = principal;
  const sender = { signal: call.signal, ...(wallet && { wallet }) };
  return { picture: await context.services.images.open(handle, 'image', sender), wallet };
}
