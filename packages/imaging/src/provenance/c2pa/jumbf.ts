/** A manifest in a store, read from its outermost boxes. */
export interface StoredManifest {
  /** Its label, which identifies the manifest. */
  readonly id: string;
  /** The whole box. */
  readonly bytes: Buffer;
}

/** More than any known chain of edits; larger stores are rejected. */
const MANIFESTS_MAX = 500;
/** Labels are URNs; longer ones or other characters are invalid. */
const ID = /^[!-~]{1,200}$/;
const STORE_UUID = /^63327061-/;
/** `c2ma`: a manifest, `c2um`: an update manifest, `c2cm`: a compressed manifest. C2PA 2.2, 11.1.4. */
const MANIFEST_UUID = /^(63326d61|6332756d|6332636d)-/;

/**
 * The manifests of a C2PA manifest store in order; the last is the active one. Reads only the two outermost levels of boxes, so references between
 * boxes cannot cause a loop. Undefined for invalid bytes. ISO/IEC 19566-5.
 */
export function manifestsIn(store: Uint8Array): StoredManifest[] | undefined {
  const bytes = Buffer.from(store.buffer, store.byteOffset, store.byteLength);
  const outermost = boxesIn(bytes, 2);
  if (outermost?.length !== 1 || outermost[0]!.type !== 'jumb') return undefined;
  const [head, ...inside] = boxesIn(outermost[0]!.content, MANIFESTS_MAX + 1) ?? [];
  const description = head && describe(head);
  if (description?.label !== 'c2pa' || !STORE_UUID.test(description.uuid)) return undefined;
  const manifests = inside.map(manifestOf);
  return manifests.length > 0 && manifests.every((manifest) => manifest !== undefined)
    ? manifests
    : undefined;
}

/** A store with only the active manifest, without its ingredients. @param store one that `manifestsIn` accepts */
export function activeManifestOf(store: Uint8Array): Buffer {
  const bytes = Buffer.from(store.buffer, store.byteOffset, store.byteLength);
  const [outermost] = boxesIn(bytes, 2)!;
  const [head] = boxesIn(outermost!.content, MANIFESTS_MAX + 1)!;
  const active = manifestsIn(store)!.at(-1)!;
  const size = Buffer.alloc(8);
  size.writeUInt32BE(8 + head!.bytes.length + active.bytes.length);
  size.write('jumb', 4, 'latin1');
  return Buffer.concat([size, head!.bytes, active.bytes]);
}

/** Maximum number of boxes read directly inside a manifest; manifests have fewer than 10. */
const INSIDE_MAX = 100;

/**
 * Content of the box with one of the labels directly inside a manifest, such as its claim or signature: the first box after the description.
 * Undefined if there is none, or several.
 * @param manifest the whole box, from `manifestsIn`
 */
export function contentIn({ bytes }: StoredManifest, labels: readonly string[]): Buffer | undefined {
  const [outermost] = boxesIn(bytes, 1) ?? [];
  const inside = (outermost && boxesIn(outermost.content, INSIDE_MAX)) ?? [];
  const found = inside.flatMap((box) => {
    const [head, content] = (box.type === 'jumb' && boxesIn(box.content, 4)) || [];
    const description = head && describe(head);
    return description && content && labels.includes(description.label) ? [content.content] : [];
  });
  return found.length === 1 ? found[0] : undefined;
}

interface Box {
  readonly type: string;
  readonly bytes: Buffer;
  /** Bytes after length and type. */
  readonly content: Buffer;
}

/** Splits bytes into boxes; undefined if they do not fill the bytes exactly, or exceed `max`. */
function boxesIn(bytes: Buffer, max: number): Box[] | undefined {
  const boxes: Box[] = [];
  let at = 0;
  while (at < bytes.length) {
    if (at + 8 > bytes.length || boxes.length === max) return undefined;
    const short = bytes.readUInt32BE(at);
    const isLong = short === 1;
    if (isLong && at + 16 > bytes.length) return undefined;
    const size = isLong ? Number(bytes.readBigUInt64BE(at + 8)) : short === 0 ? bytes.length - at : short;
    const head = isLong ? 16 : 8;
    if (size < head || size > bytes.length - at) return undefined;
    boxes.push({
      type: bytes.toString('latin1', at + 4, at + 8),
      bytes: bytes.subarray(at, at + size),
      content: bytes.subarray(at + head, at + size),
    });
    at += size;
  }
  return boxes;
}

const UUID_BYTES = 16;

/** Parses a description box: a UUID, a byte of toggles, and, if the second one is set, a label that ends with 0. */
function describe({ type, content }: Box): { uuid: string; label: string } | undefined {
  const end = content.indexOf(0, UUID_BYTES + 1);
  if (type !== 'jumd' || content.length < UUID_BYTES + 1 || end < 0) return undefined;
  const hex = content.toString('hex', 0, UUID_BYTES);
  return { uuid: `${hex.slice(0, 8)}-${hex.slice(8)}`, label: content.toString('utf8', UUID_BYTES + 1, end) };
}

function manifestOf({ type, bytes, content }: Box): StoredManifest | undefined {
  if (type !== 'jumb') return undefined;
  // Only the first inner box is read.
  const first = content.length >= 8 ? content.subarray(0, content.readUInt32BE(0)) : content;
  const [head] = boxesIn(first, 1) ?? [];
  const description = head && describe(head);
  if (!description || !MANIFEST_UUID.test(description.uuid) || !ID.test(description.label)) return undefined;
  return { id: description.label, bytes };
}
