/**
 * Description of an ICC profile: its `desc` tag, as plain text (version 2) or the first of several languages (version 4). ICC.1:2022, 7.3
 * and 10.15.
 * @returns 'none' without a profile, 'unnamed' if it cannot be read
 */
export function profileName(icc: Uint8Array | undefined): string {
  if (!icc) return 'none';
  try {
    return nameIn(new DataView(icc.buffer, icc.byteOffset, icc.byteLength)) || 'unnamed';
  } catch {
    return 'unnamed';
  }
}

/** Whether every tag of a profile lies within its bytes and its declared size; decoders ignore other profiles. */
export function isWholeProfile(icc: Uint8Array): boolean {
  if (icc.length < TAG_TABLE + 4) return false;
  const view = new DataView(icc.buffer, icc.byteOffset, icc.byteLength);
  const size = Math.min(icc.length, view.getUint32(0));
  const tags = view.getUint32(TAG_TABLE);
  if (tags > TAGS_MAX || TAG_TABLE + 4 + tags * TAG_ENTRY_BYTES > size) return false;
  return Array.from({ length: tags }, (_, tag) => TAG_TABLE + 4 + tag * TAG_ENTRY_BYTES).every(
    (entry) => view.getUint32(entry + 4) + view.getUint32(entry + 8) <= size,
  );
}

const TAG_TABLE = 128;
const TAG_ENTRY_BYTES = 12;
const TAGS_MAX = 100;
const NAME_CHARACTERS_MAX = 120;
const DESCRIPTION = 0x64657363; // 'desc': tag and version 2 type
const MULTI_LOCALIZED = 0x6d6c7563; // 'mluc'

function nameIn(view: DataView): string {
  const tags = Math.min(TAGS_MAX, view.getUint32(TAG_TABLE));
  for (let tag = 0; tag < tags; tag += 1) {
    const entry = TAG_TABLE + 4 + tag * TAG_ENTRY_BYTES;
    if (view.getUint32(entry) === DESCRIPTION) return descriptionAt(view, view.getUint32(entry + 4));
  }
  return '';
}

function descriptionAt(view: DataView, at: number): string {
  const type = view.getUint32(at);
  if (type === DESCRIPTION) return text(view, at + 12, view.getUint32(at + 8), 1);
  if (type === MULTI_LOCALIZED)
    return text(view, at + view.getUint32(at + 24), view.getUint32(at + 20) / 2, 2);
  return '';
}

function text(view: DataView, at: number, characters: number, characterBytes: 1 | 2): string {
  const codes = Array.from({ length: Math.min(NAME_CHARACTERS_MAX, Math.floor(characters)) }, (_, index) =>
    characterBytes === 1 ? view.getUint8(at + index) : view.getUint16(at + index * 2),
  );
  // Version 2 names end with a NUL, and responses must contain printable characters only.
  return String.fromCharCode(...codes)
    .replace(/[\x00-\x1f\x7f-\x9f]/g, '')
    .trim();
}
