import { createHash } from 'node:crypto';
import type { Layer } from '@atelier/imaging/composer/layers.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import {
  SHEET_CAPTION_CHARACTERS,
  SHEET_IMAGE_PX,
  SHEET_IMAGES_AT_ONCE,
  SHEET_SIDE_PX,
  THUMBNAIL_SIDE_PX,
} from '../limits.ts';
import { shrunkItem } from '../routes/item_picture.ts';
import type { DrawnImage, ItemView } from '../types.ts';

type Needs = Pick<Services, 'workspaces' | 'pixels'>;

const GAP_PX = 8;
/** What the composer leaves for a caption on a sheet of this size. */
const CAPTION_PX = 34;
/** Behind images with and without opacity. */
const BACKGROUND = '#ececec';
const INK = '#333333';

/**
 * Draws items with their number and name below each, in rows.
 * @returns a PNG with sides of at most `SHEET_SIDE_PX`
 * @throws AtelierError busy, timed_out
 */
export async function contactSheet(
  services: Needs,
  items: readonly ItemView[],
  call: CallContext,
): Promise<DrawnImage> {
  const images = await thumbnails(services, items, call);
  const layers = items.map((item) => layerOf(item, images));
  const columns = Math.max(1, Math.ceil(Math.sqrt(items.length)));
  const canvas = sheetSize(columns, Math.max(1, Math.ceil(items.length / columns)));
  const drawn = items.map(({ item, sha256 }) => (images[item] ? sha256 : ''));
  const name = createHash('sha256')
    .update(JSON.stringify([layers, drawn]))
    .digest('hex');
  return services.workspaces.drawn(`sheet ${name}`, () =>
    services.pixels.run(
      'compose',
      {
        canvas: { ...canvas, dpi: 96, background: BACKGROUND },
        layers: layers.length > 0 ? layers : [textLayer('No items')],
        layout: { type: 'grid', columns, gap: GAP_PX, captions: true },
        format: 'png',
        images,
      },
      { pixels: 4 * canvas.width * canvas.height + 3 * THUMBNAIL_SIDE_PX ** 2, ...call },
    ),
  );
}

function sheetSize(columns: number, rows: number): { width: number; height: number } {
  const room = (count: number) => (SHEET_SIDE_PX - GAP_PX) / count - GAP_PX;
  const side = Math.floor(Math.min(SHEET_IMAGE_PX, room(columns), room(rows) - CAPTION_PX));
  return {
    width: columns * (side + GAP_PX) + GAP_PX,
    height: rows * (side + CAPTION_PX + GAP_PX) + GAP_PX,
  };
}

function layerOf({ item, name, media_type: type }: ItemView, images: Record<string, Uint8Array>): Layer {
  const caption = `${item}  ${shortName(name, SHEET_CAPTION_CHARACTERS)}`;
  if (images[item]) return { type: 'image', image: String(item), name: caption };
  return { ...textLayer(type.replace(/^.*\/|[+;].*$/g, '').toUpperCase()), name: caption };
}

const textLayer = (text: string): Layer => ({
  type: 'text',
  text,
  size: 24,
  color: INK,
  align: 'center',
  valign: 'middle',
});

/** With its beginning and its end, which tell names of a series apart. */
export function shortName(name: string, charactersMax: number): string {
  const letters = [...name];
  if (letters.length <= charactersMax) return name;
  const end = Math.floor(charactersMax / 3);
  return `${letters.slice(0, charactersMax - end - 1).join('')}…${letters.slice(-end).join('')}`;
}

/** Small images by the number of their item. A file without an image, or whose image cannot be read, has none. */
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
    // Without the rest of the call: how each of 24 files was read would be 24 warnings.
    return await shrunkItem(services, item, {
      side: THUMBNAIL_SIDE_PX,
      call: { address, callerKey, signal },
    });
  } catch (error) {
    if (error instanceof AtelierError && error.status < 500) return undefined;
    throw error;
  }
}
