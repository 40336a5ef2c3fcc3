import { createHash } from 'node:crypto';
import { readExif } from '@atelier/imaging/identify/read_exif.ts';
import {
  APP1,
  EXIF_HEAD,
  jpegSegments,
  startsWith,
} from '@atelier/imaging/metadata/containers/jpeg_segments.ts';
import { WORKSPACE_ITEM_BYTES_MAX, WORKSPACE_ITEMS_MAX } from '../../config/limits.ts';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { cleanFileName } from '../../core/storage/blobs/file_name.ts';
import { acceptedHeader } from '../../core/workers/image_header.ts';
import { type Change, change } from './change.ts';
import type { WorkspaceContext } from './context.ts';
import { CAPTION_CHARACTERS_MAX, GUEST_BYTES_MAX, OWNER_BYTES_MAX, TITLE_CHARACTERS_MAX } from './limits.ts';
import { People, viewerOf } from './people.ts';
import { itemNotFound, tooManyBytes } from './refusals.ts';
import {
  countItems,
  deleteTrash,
  type ItemRow,
  insertItems,
  lockOwner,
  type StoredItem,
  selectItemsOf,
  selectSame,
  sumBytes,
  updateItems,
} from './store.ts';
import { plainLines } from './texts.ts';
import type {
  Access,
  Changed,
  FileFacts,
  ItemEdit,
  ItemFile,
  ItemImage,
  ItemView,
  NewItem,
  PictureFacts,
} from './types.ts';

/** A stored file. */
export interface KeptFile extends FileFacts {
  readonly sha256: string;
}

const OTHER_TYPES: readonly [RegExp, string, string][] = [
  [/^%PDF-/, 'application/pdf', 'pdf'],
  [/^PK\u0003\u0004/, 'application/zip', 'zip'],
  [/^\s*[{[]/, 'application/json', 'json'],
];

/** Stores bytes. The type is detected from the bytes, not taken from the client. */
export async function keepFile(
  { blobs }: Pick<WorkspaceContext, 'blobs'>,
  bytes: Uint8Array,
): Promise<KeptFile> {
  const about = factsOf(bytes);
  return { sha256: await blobs.put(bytes), ...about };
}

export const sha256Of = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

/** @see Workspaces.factsOf */
export function factsOf(bytes: Uint8Array): FileFacts {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1');
  const other = OTHER_TYPES.find(([pattern]) => pattern.test(start));
  const file = {
    bytes: bytes.length,
    mediaType: other?.[1] ?? 'application/octet-stream',
    width: null,
    height: null,
  };
  if (other?.[1] === 'application/pdf') return file;
  try {
    const { format, width, height } = acceptedHeader(bytes);
    const isTurned = format === 'jpeg' && jpegOrientation(bytes) >= 5;
    const mediaType = format === 'svg' ? 'image/svg+xml' : `image/${format}`;
    return { ...file, mediaType, width: isTurned ? height : width, height: isTurned ? width : height };
  } catch (error) {
    if (error instanceof AtelierError) return file;
    throw error;
  }
}

function jpegOrientation(bytes: Uint8Array): number {
  const exif = jpegSegments(bytes).segments.find(
    ({ marker, payload }) => marker === APP1 && startsWith(payload, EXIF_HEAD),
  );
  return readExif(exif?.payload.subarray(EXIF_HEAD.length)).orientation;
}

const extensionOf = (mediaType: string): string => {
  const known = OTHER_TYPES.find(([, type]) => type === mediaType)?.[2];
  return known ?? /^image\/(\w+)/.exec(mediaType)?.[1]?.replace('jpeg', 'jpg') ?? 'bin';
};

/** A stored file to add as an item. */
export interface PlacedFile extends KeptFile, Pick<NewItem, 'name' | 'caption' | 'x' | 'y'> {
  /** Path of its handle in the response of the act that made it. */
  readonly path?: string;
}

/** Options of `addItems`. */
interface Adding {
  /** The act that makes the items, which are hidden until it is done. */
  readonly act?: number;
}

/**
 * Adds items. A file whose bytes exist in the workspace returns the existing item, including hidden ones of the same act.
 * @returns the item of each file, in their order, and the new items
 * @throws AtelierError workspace_full, storage_quota_exceeded
 */
export async function addItems(
  { tx, row, at, author }: Pick<Change, 'tx' | 'row' | 'at' | 'author'>,
  files: readonly PlacedFile[],
  { act }: Adding = {},
): Promise<{ items: StoredItem[]; added: StoredItem[] }> {
  const sha256s = [...new Set(files.map(({ sha256 }) => sha256))];
  const known = new Map<string, StoredItem>();
  for (const { pending: _, ...item } of await selectSame(tx, row.id, { sha256s, act: act ?? null }))
    if (!known.has(item.sha256)) known.set(item.sha256, item);
  const fresh = new Map<string, PlacedFile>();
  for (const file of files)
    if (!known.has(file.sha256) && !fresh.has(file.sha256)) fresh.set(file.sha256, file);
  if (fresh.size > 0) {
    await requireRoom(tx, row, [...fresh.values()]);
    const rows = [...fresh.values()].map((file): ItemRow => {
      row.items += 1;
      row.bytes += file.bytes;
      return { ...rowOf(file, row.items), act: act ?? null, isPending: act !== undefined, author };
    });
    for (const item of await insertItems(tx, row.id, { rows, at })) known.set(item.sha256, item);
  }
  return {
    items: files.map(({ sha256 }) => known.get(sha256)!),
    added: [...fresh.keys()].map((sha256) => known.get(sha256)!),
  };
}

function rowOf(file: PlacedFile, number: number): Omit<ItemRow, 'act' | 'isPending' | 'author'> {
  const { sha256, bytes, mediaType, width, height, path, x, y } = file;
  const name = nameOf(file.name) ?? `image ${number}.${extensionOf(mediaType)}`;
  const caption = plainLines(file.caption ?? '', CAPTION_CHARACTERS_MAX);
  return {
    number,
    path: path ?? null,
    name,
    caption,
    x: x ?? null,
    y: y ?? null,
    sha256,
    bytes,
    mediaType,
    width,
    height,
  };
}

/** Default name of an item, as assigned by `rowOf`. Results do not inherit it. */
export const DEFAULT_NAME = /^image \d+\.\w+$/;

const nameOf = (name: string | undefined): string | undefined =>
  name === undefined ? undefined : cleanFileName(name)?.slice(0, TITLE_CHARACTERS_MAX);

/** @throws AtelierError workspace_full, storage_quota_exceeded */
async function requireRoom(
  tx: Change['tx'],
  row: Change['row'],
  files: readonly { readonly bytes: number }[],
): Promise<void> {
  if ((await countItems(tx, row.id)) + files.length > WORKSPACE_ITEMS_MAX) throw tooManyItems();
  const more = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (row.owner !== null) await lockOwner(tx, row.owner);
  const used = row.owner === null ? row.bytes : await sumBytes(tx, row.owner);
  const most = row.owner === null ? GUEST_BYTES_MAX : OWNER_BYTES_MAX;
  if (used + more > most) throw tooManyBytes(row.owner !== null);
}

const tooManyItems = (): AtelierError =>
  new AtelierError(
    'workspace_full',
    `The workspace has reached its limit of ${WORKSPACE_ITEMS_MAX} items, including the trash. Empty the trash, or open another workspace.`,
  );

/** Fails early, before a call runs, where not even one item fits. @throws AtelierError as `addItems` */
export async function requireSomeRoom({ tx, row }: Pick<Change, 'tx' | 'row'>): Promise<void> {
  await requireRoom(tx, row, [{ bytes: 1 }]);
}

/** @see Workspaces.add */
export async function add(
  context: WorkspaceContext,
  access: Access,
  items: readonly NewItem[],
): Promise<Changed & { items: ItemView[] }> {
  const files: PlacedFile[] = [];
  for (const { bytes, ...about } of items) {
    await context.takeRoom(bytes.length);
    files.push({ ...about, ...(await keepFile(context, bytes)) });
  }
  const { result, event, row } = await change(context, access.id, access.author, async (changing) => {
    const found = await addItems(changing, files);
    const trashed = found.items.filter(({ deleted }) => deleted);
    const back = await restore(changing, trashed);
    if (found.added.length > 0) changing.emit('items_added', { items: found.added });
    if (back.length > 0) changing.emit('items_edited', { items: back });
    return found.items.map((item) => back.find((other) => other.item === item.item) ?? item);
  });
  const people = await People.of(context.database, row);
  return { workspace: access.id, event, items: people.inside(result, viewerOf(access)) };
}

/** Restores items from the trash when they are added again. */
const restore = async ({ tx, row, at }: Change, items: readonly StoredItem[]): Promise<StoredItem[]> =>
  items.length === 0
    ? []
    : updateItems(tx, row.id, {
        at,
        changes: items.map(({ item }) => ({ ...NO_CHANGE, item, deleted: false })),
      });

const NO_CHANGE = { name: null, caption: null, x: null, y: null, hidden: null, deleted: null };

/** @see Workspaces.edit */
export async function edit(
  context: WorkspaceContext,
  access: Access,
  edits: readonly ItemEdit[],
): Promise<Changed & { items: ItemView[] }> {
  const changes = edits.map((one) => ({
    item: one.item,
    name: nameOf(one.name) ?? null,
    caption: one.caption === undefined ? null : plainLines(one.caption, CAPTION_CHARACTERS_MAX),
    x: one.x ?? null,
    y: one.y ?? null,
    hidden: one.hidden ?? null,
    deleted: one.deleted ?? null,
  }));
  const { result, event, row } = await change(context, access.id, access.author, async (changing) => {
    const { tx, at } = changing;
    const items = await updateItems(tx, access.id, { changes, at });
    const missing = edits.find(({ item }) => !items.some((one) => one.item === item));
    if (missing) throw itemNotFound(missing.item);
    changing.emit('items_edited', { items });
    return items;
  });
  const people = await People.of(context.database, row);
  return { workspace: access.id, event, items: people.inside(result, viewerOf(access)) };
}

/** @see Workspaces.file */
export async function openItem(
  { database, blobs }: WorkspaceContext,
  { id }: Pick<Access, 'id'>,
  number: number,
): Promise<ItemFile> {
  const [item] = await selectItemsOf(database, id, [number]);
  if (!item) throw itemNotFound(number);
  return { item, blob: await blobs.open(item.sha256) };
}

/** @see Workspaces.withImage */
export async function withImage<T>(
  { blobs, inScope }: WorkspaceContext,
  { sha256, width, height }: PictureFacts,
  work: (image: ItemImage) => Promise<T>,
): Promise<T> {
  if (width === null || height === null) throw new Error('An item without an image has no preview');
  return inScope(async () =>
    work({ bytes: await blobs.get(sha256, { bytesMax: WORKSPACE_ITEM_BYTES_MAX }), width, height }),
  );
}

/** @see Workspaces.emptyTrash */
export async function emptyTrash(
  context: WorkspaceContext,
  access: Access,
): Promise<Changed & { deleted: number; freedBytes: number }> {
  const { result, event } = await change(context, access.id, access.author, async ({ tx, row, emit }) => {
    const gone = await deleteTrash(tx, row.id);
    const freedBytes = gone.reduce((sum, { bytes }) => sum + bytes, 0);
    row.bytes -= freedBytes;
    if (gone.length > 0) emit('trash_emptied', { items: gone.map(({ item }) => item) });
    return { deleted: gone.length, freedBytes };
  });
  return { workspace: access.id, event, ...result };
}
