import { createHash } from 'node:crypto';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { drawContactSheet } from '../../definitions/draw_contact_sheet.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { SHEET_IMAGES_AT_ONCE, THUMBNAIL_SIDE_PX } from '../limits.ts';
import { shrunkItem } from '../routes/item_picture.ts';
import type { DrawnImage, ItemView } from '../types.ts';

type Needs = Pick<Services, 'workspaces' | 'pixels'>;

/**
 * Draws items with their number and name below each, in rows.
 * @throws AtelierError busy, timed_out
 */
export async function contactSheet(
  services: Needs,
  items: readonly ItemView[],
  call: CallContext,
): Promise<DrawnImage> {
  const images = await thumbnails(services, items, call);
  const tiles = items.map(({ item, name, media_type: type }) => ({
    number: item,
    name,
    image: images[item],
    text: type.replace(/^.*\/|[+;].*$/g, '').toUpperCase(),
  }));
  const drawn = items.map(({ item, name, media_type, sha256 }) => [
    item,
    name,
    media_type,
    images[item] ? sha256 : '',
  ]);
  const key = createHash('sha256').update(JSON.stringify(drawn)).digest('hex');
  return services.workspaces.drawn(`sheet ${key}`, () =>
    drawContactSheet(services.pixels, tiles, {
      imagePixels: 3 * THUMBNAIL_SIDE_PX ** 2,
      emptyText: 'No items',
      call,
    }),
  );
}

/** Thumbnails by item number. Files that are not readable images have none. */
async function thumbnails(
  services: Needs,
  items: readonly ItemView[],
  call: CallContext,
): Promise<Record<string, Uint8Array>> {
  const images: Record<string, Uint8Array> = {};
  const left = items.filter(({ kind }) => kind === 'image').values();
  const readNext = async () => {
    for (const item of left) {
      call.signal.throwIfAborted();
      const image = await thumbnail(services, item, call);
      if (image) images[item.item] = image;
    }
  };
  await Promise.all(Array.from({ length: SHEET_IMAGES_AT_ONCE }, readNext));
  return images;
}

async function thumbnail(
  services: Needs,
  item: ItemView,
  { address, callerKey, signal }: CallContext,
): Promise<Uint8Array | undefined> {
  try {
    // A separate context, so that the call does not get a warning for each of 24 files.
    return await shrunkItem(services, item, {
      side: THUMBNAIL_SIDE_PX,
      call: { address, callerKey, signal },
    });
  } catch (error) {
    if (error instanceof AtelierError && error.status < 500) return undefined;
    throw error;
  }
}
