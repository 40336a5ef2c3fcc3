import { fitInside } from '@atelier/imaging/pixels/fit_inside.ts';
import type { Size } from '@atelier/imaging/pixels/plane.ts';
import type { FileAnswer, OperationCall, StoredFileAnswer } from '../../definitions/operation.ts';
import { untrustedFile, untrustedStoredFile } from '../../definitions/untrusted_file.ts';
import type { Services } from '../../services.ts';
import { LARGE_SIDE_PX, THUMBNAIL_SIDE_PX, TINY_SIDE_PX } from '../limits.ts';
import type { ItemFile, PictureFacts } from '../types.ts';

/** The bytes of an item and its smaller sizes never change. */
const CACHE = 'private, max-age=31536000, immutable';

/** Types sent unchanged. Others are converted: an untrusted SVG may contain scripts. */
const BROWSER_TYPES: ReadonlySet<string> = new Set([
  'image/png',
  'image/jpeg',
  'image/webp',
  'image/avif',
  'image/gif',
]);
const SVG = 'image/svg+xml';
/** A small image up to this size is sent unchanged. */
const AS_IT_IS_BYTES_MAX = 512 * 1024;

/** Longer sides of the smaller sizes. */
const SIDES_PX = { large: LARGE_SIDE_PX, small: THUMBNAIL_SIDE_PX, tiny: TINY_SIDE_PX };

interface Showing {
  readonly size: 'full' | keyof typeof SIDES_PX;
  readonly download?: boolean | undefined;
  readonly call: Pick<OperationCall, 'address' | 'signal' | 'callerKey'>;
}

/** The file of an item, or the image in a smaller size. @throws AtelierError as `resize_image` */
export async function itemPicture(
  services: Pick<Services, 'pixels' | 'workspaces'>,
  { item, blob }: ItemFile,
  { size, download = false, call }: Showing,
): Promise<FileAnswer> {
  const { sha256, media_type: contentType, name, width, height } = item;
  if (size === 'full' || width === null || height === null) {
    const file = untrustedStoredFile({ bytes: blob, version: sha256, sha256, contentType, name }, CACHE);
    return download ? asAttachment(file) : file;
  }
  const side = SIDES_PX[size];
  const isSmall = Math.max(width, height) <= side && item.bytes <= AS_IT_IS_BYTES_MAX;
  if (isSmall && BROWSER_TYPES.has(contentType))
    return untrustedStoredFile({ bytes: blob, version: sha256, sha256, contentType, name }, CACHE);
  return untrustedFile(await shrunkItem(services, item, { side, call }), 'image/webp', CACHE);
}

/** The image of an item as WebP, no side longer than `side`, and no larger than it is unless it is an SVG. @throws AtelierError as `resize_image` */
export async function shrunkItem(
  { pixels, workspaces }: Pick<Services, 'pixels' | 'workspaces'>,
  item: PictureFacts,
  { side, call }: { side: number; call: Showing['call'] },
): Promise<Uint8Array> {
  const shrink = () =>
    workspaces.withImage(item, async ({ bytes, width, height }) => {
      const box = boxOf({ width, height }, side, item.media_type);
      return pixels.run(
        'resize',
        { bytes, ...box, mode: 'contain', format: 'webp', quality: 82 },
        { pixels: width * height + box.width * box.height, ...call },
      );
    });
  return (await workspaces.drawn(`${item.sha256} ${side}`, shrink)).bytes;
}

/** Size of the output; only an SVG may be enlarged. */
function boxOf({ width, height }: Size, side: number, mediaType: string): Size {
  const scale = mediaType === SVG ? Math.max(1, side / Math.max(width, height)) : 1;
  return fitInside({ width: width * scale, height: height * scale }, side);
}

function asAttachment(file: StoredFileAnswer): StoredFileAnswer {
  const attached = (disposition = 'attachment') => disposition.replace(/^inline/, 'attachment');
  return {
    ...file,
    headers: { ...file.headers, 'Content-Disposition': attached(file.headers?.['Content-Disposition']) },
    directDisposition: attached(file.directDisposition),
  };
}
