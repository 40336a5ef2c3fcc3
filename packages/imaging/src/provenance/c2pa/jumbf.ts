/** A manifest inside a store, as far as its outermost boxes tell. */
export interface StoredManifest {
  /** Its label, which is the manifest's identifier. */
  readonly id: string;
  /** The whole box. */
  readonly bytes: Buffer;
}

/** More manifests in one store than any chain of edits had that was seen; a store of more is not read. */
const MANIFESTS_MAX = 500;
/** Labels are URNs; what is longer or holds other characters is none. */
const ID = /^[!-~]{1,200}$/;
const STORE_UUID = /^63327061-/;
/** `c2ma`: a manifest, `c2um`: one that only updates another, `c2cm`: a compressed one. C2PA 2.2, 11.1.4. */
const MANIFEST_UUID = /^(63326d61|6332756d|6332636d)-/;

/**
 * The manifests of a C2PA manifest store in their order; the last is the active one. Looks at the two outermost levels of
 * boxes only, so nothing a box says of others can make it go around. Undefined for bytes that are no store. ISO/IEC 19566-5.
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

/** A store of the active manifest alone, without those it was made from. @param store one `manifestsIn` reads */
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

/** Boxes directly inside a manifest that are looked at. Manifests have fewer than 10. */
const INSIDE_MAX = 100;

/**
 * What the box of a label directly inside a manifest holds, such as its claim or its signature: the content of the first box after its
 * description. Undefined where there is none, or several.
 * @param manifest the whole box, as `manifestsIn` has it
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
  /** What follows length and type. */
  readonly content: Buffer;
}

/** Boxes one after the other; undefined where they do not fill the bytes to the last one, or are more than `max`. */
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

/** What a description box says: a UUID, a byte of switches, and where the second of them is set a label that ends with 0. */
function describe({ type, content }: Box): { uuid: string; label: string } | undefined {
  const end = content.indexOf(0, UUID_BYTES + 1);
  if (type !== 'jumd' || content.length < UUID_BYTES + 1 || end < 0) return undefined;
  const hex = content.toString('hex', 0, UUID_BYTES);
  return { uuid: `${hex.slice(0, 8)}-${hex.slice(8)}`, label: content.toString('utf8', UUID_BYTES + 1, end) };
}

function manifestOf({ type, bytes, content }: Box): StoredManifest | undefined {
  if (type !== 'jumb') return undefined;
  // Only the first box inside is looked at, however many there are.
  const first = content.length >= 8 ? content.subarray(0, content.readUInt32BE(0)) : content;
  const [head] = boxesIn(first, 1) ?? [];
  const description = head && describe(head);
  if (!description || !MANIFEST_UUID.test(description.uuid) || !ID.test(description.label)) return undefined;
  return { id: description.label, bytes };
}
