import { identify, isReadType } from '@atelier/imaging/codecs/identify.ts';
import { foreignFormatOf } from '@atelier/imaging/identify/foreign_format.ts';
import { FETCH_REDIRECTS_MAX, FETCH_TIMEOUT_MS, UPLOAD_BYTES_MAX } from '../../config/limits.ts';
import { acquireBuffer } from '../../core/buffer_pool.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import type { Links } from '../../core/links/links.ts';
import { fetchPublic } from '../../core/outbound_http/fetch_public.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';
import { cleanFileName } from '../../core/storage/blobs/file_name.ts';
import { acceptedHeader } from '../../core/workers/image_header.ts';
import type { Artworks } from '../artworks/types.ts';
import { assetLinkIn } from '../assets/asset_key.ts';
import type { Results } from '../assets/results/results.ts';
import type { Assets } from '../assets/types.ts';
import { refuseOthers, type Uploads } from '../assets/uploads/uploads.ts';
import type { Workspaces } from '../workspaces/types.ts';
import { RESULT_PICTURE_BYTES_MAX } from './limits.ts';
import type { Images, Sender } from './types.ts';

/** Common mistakes in the text of an image field, with the remedy. Texts continue "image …". */
const IN_TEXT: readonly [RegExp, string][] = [
  [
    /^(file:|~?\.{0,2}[\\/]|[a-z]:[\\/])/i,
    'looks like a file path. This server cannot read your files. Call request_upload for an upload link and send the handle, or send the bytes as base64.',
  ],
  [
    /^[\w .()-]{1,200}\.(png|jpe?g|webp|avif|tiff?|gif|svg|heic|pdf)$/i,
    'looks like a file name. This server cannot read your files. Call request_upload for an upload link and send the handle, or send the bytes as base64.',
  ],
  [
    /^(www\.|[a-z0-9-]+(\.[a-z0-9-]+)*\.[a-z]{2,}\/)/i,
    'looks like a URL without its scheme. Put https:// before it.',
  ],
  [
    /^\s*<[^<>]{1,80}>\s*$|^\{\{.*\}\}$|^\$\{?\w+\}?$/,
    'is a placeholder. Replace it with the base64 of the file.',
  ],
  [
    /…|\.\.\.|\[truncated/,
    'is truncated. Send the complete base64, or POST the bytes to /api/uploads and send the handle.',
  ],
  [/^\s*</, 'is markup. Send the file itself as base64.'],
  [/^\s*[{[]/, 'is JSON. Send only the base64 text.'],
];

/** Common mistakes in the bytes, which the decoder would only report as text. */
const IN_BYTES: readonly [RegExp, string][] = [
  [/^[{[]/, 'is JSON, not an image. Send only the image.'],
  [/^(iVBORw0KGgo|\/9j\/|UklGR|R0lGOD|data:image)/, 'was encoded as base64 twice. Encode the bytes once.'],
  [/^(https?:\/\/|upload:|result:|asset:)/, 'is a handle encoded as base64. Send the handle itself.'],
];

/** Checks only the beginning, and the end for truncated text. */
function mistakeIn(text: string): string | undefined {
  const shown = text.length > 600 ? text.slice(0, 500) + text.slice(-100) : text;
  return IN_TEXT.find(([pattern]) => pattern.test(shown))?.[1];
}

/** Detects bytes that are certainly not an image, by their first bytes. */
function mistakeInBytes(bytes: Uint8Array): string | undefined {
  const start = Buffer.from(bytes.subarray(0, 40)).toString('latin1').trimStart();
  return IN_BYTES.find(([pattern]) => pattern.test(start))?.[1];
}

/** `data:image/png;name=f.png;base64,` */
const DATA_URL_HEAD = /^data:[^,]{0,1000},/i;
const IS_BASE64 = /;\s*base64\s*,$/i;

/**
 * Decodes base64 in either alphabet, with or without padding, line breaks or a `data:` prefix. Rejects other characters, which the
 * decoder of Node skips.
 * @throws AtelierError invalid_input, payload_too_large (before decoding)
 */
export function decodeBase64(text: string, field: string, maxBytes: number): Uint8Array {
  // Tolerance for line breaks; the exact size is checked after decoding.
  if (text.length > maxBytes * 1.5 + 2000) throw tooLarge(field, maxBytes);
  const bytes = bytesOfPayload(text);
  if (bytes === undefined) throw notBase64(text, field);
  if (bytes.length === 0) throw invalidField(field, `${field} is empty. Send the bytes of a file as base64.`);
  if (bytes.length > maxBytes) throw tooLarge(field, maxBytes);
  return bytes;
}

/** Short enough for the young generation of V8, where strings are cheap; a multiple of 4. */
const PIECE_CHARACTERS = 32 * 1024;

/**
 * The same from the ASCII bytes of a text, without creating one long string. Undefined for text with line breaks, errors or more than
 * `maxBytes`, which is left to `decodeBase64`.
 */
export function decodeUnbrokenBase64(ascii: Buffer, maxBytes: number): Uint8Array | undefined {
  const [head = ''] = DATA_URL_HEAD.exec(ascii.toString('latin1', 0, 1100)) ?? [];
  if (head && !IS_BASE64.test(head)) return undefined;
  const payload = ascii.subarray(head.length);
  const digits = payload.length - paddingOf(payload.toString('latin1', payload.length - 2));
  const size = Math.floor((digits * 3) / 4);
  if (digits % 4 === 1 || size === 0 || size > maxBytes) return undefined;
  const bytes = acquireBuffer(size);
  let written = 0;
  for (let at = 0; at < digits; at += PIECE_CHARACTERS) {
    const end = Math.min(at + PIECE_CHARACTERS, digits);
    const piece = bytes.write(payload.toString('latin1', at, end), written, 'base64');
    if (piece !== Math.floor(((end - at) * 3) / 4)) return undefined;
    written += piece;
  }
  return bytes;
}

const tooLarge = (field: string, maxBytes: number): AtelierError =>
  new AtelierError(
    'payload_too_large',
    `${field} is larger than the limit of ${maxBytes} bytes. Send a smaller file.`,
  );

/** Bytes of a `data:` URL (RFC 2397): percent-encoded, or base64, which may be percent-encoded too. */
function bytesOfPayload(text: string): Buffer | undefined {
  const head = /^data:/i.test(text) ? DATA_URL_HEAD.exec(text)?.[0] : '';
  if (head === undefined) return undefined;
  const payload = text.slice(head.length);
  if (head !== '' && !IS_BASE64.test(head))
    return Buffer.from(percentDecoded(Buffer.from(payload).toString('latin1'), ANY_BYTE), 'latin1');
  return decodeTolerantly(payload.includes('%') ? percentDecoded(payload, ENCODED_BASE64) : payload);
}

const ANY_BYTE = /%([0-9a-f]{2})/gi;
/** Base64 characters and line breaks encoded by `encodeURIComponent`. */
const ENCODED_BASE64 = /%(2B|2F|3D|0A|0D|20)/gi;

const percentDecoded = (text: string, pattern: RegExp): string =>
  text.replace(pattern, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Undefined where a character is invalid: then fewer bytes result than the length implies. */
function decodeTolerantly(payload: string): Buffer | undefined {
  return (
    decodeExactly(payload) ?? (/\s/.test(payload) ? decodeExactly(payload.replace(/\s+/g, '')) : undefined)
  );
}

function decodeExactly(payload: string): Buffer | undefined {
  const digits = payload.length - paddingOf(payload);
  if (digits % 4 === 1) return undefined;
  const bytes = Buffer.from(payload, 'base64');
  return bytes.length === Math.floor((digits * 3) / 4) ? bytes : undefined;
}

const paddingOf = (payload: string): number => (payload.endsWith('==') ? 2 : payload.endsWith('=') ? 1 : 0);

function notBase64(text: string, field: string): AtelierError {
  const mistake = mistakeIn(text);
  if (mistake) return invalidField(field, `${field} ${mistake}`);
  const payload = text.replace(DATA_URL_HEAD, '');
  const at = payload.replace(/=+\s*$/, '').search(/[^A-Za-z0-9+/_\-\s]/);
  const detail =
    at < 0 ? 'it ends in the middle' : `character ${JSON.stringify(payload[at])} at position ${at}`;
  return invalidField(
    field,
    `${field} is not valid base64 (${detail}). Send the bytes of the file as base64, or a handle such as https://… or upload:<id>.`,
  );
}

interface Sources {
  readonly uploads: Pick<Uploads, 'open' | 'nameOf'>;
  readonly results: Pick<Results, 'open' | 'verifyLink' | 'nameOf'>;
  readonly assets: Pick<Assets, 'open' | 'verifyLink'>;
  readonly artworks: Pick<Artworks, 'picture'>;
  readonly workspaces: Pick<Workspaces, 'openHandle'>;
  readonly links: Pick<Links, 'publicUrl'>;
  /** Networks that `https:` handles may reach. */
  readonly reach: Reach;
}

/** Context of reading one field. */
interface Field {
  readonly name: string;
  readonly caller: Sender;
  readonly maxBytes: number;
  /** The same for results of this server, which are limited by pixels. */
  readonly resultBytesMax: number;
}

export function createImages(sources: Sources): Images {
  return {
    async open(sent, field, caller) {
      const known = typeof sent === 'string' ? undefined : decodeUnbrokenBase64(sent, UPLOAD_BYTES_MAX);
      const text = known ? '' : sent.toString().trim();
      const limits = { maxBytes: UPLOAD_BYTES_MAX, resultBytesMax: RESULT_PICTURE_BYTES_MAX };
      const bytes = known ?? (await read(sources, text, { name: field, caller, ...limits }));
      return namingField(field, async () => {
        refuseOthers(field, bytes, caller.expected ?? {});
        const fileName = fileNameOf(sources, known ? headOf(sent) : text);
        return { bytes, ...headerOf(bytes, text, field), ...(fileName !== undefined && { fileName }) };
      });
    },
    nameOf: (text) => fileNameOf(sources, text.trim()),
    ofBytes: (bytes, field) => ({ bytes, ...headerOf(bytes, '', field) }),
    read: (text, field, caller, maxBytes) =>
      read(sources, text.trim(), { name: field, caller, maxBytes, resultBytesMax: maxBytes }),
    otherThan(said, bytes) {
      if (foreignFormatOf(bytes)) return undefined;
      const kind = identify(bytes);
      if ('other' in kind) return isReadType(said) ? { words: kind.other } : undefined;
      const mediaType = `image/${kind.format}`;
      return /^image\//i.test(said) && said.toLowerCase() !== mediaType ? { mediaType } : undefined;
    },
  };
}

async function read(sources: Sources, text: string, field: Field): Promise<Uint8Array> {
  return namingField(field.name, async () => {
    const bytes = await bytesBehind(sources, text, field);
    if (bytes.length === 0)
      throw invalidField(field.name, `${field.name} is empty: the handle refers to a file of 0 bytes.`);
    const bytesMax = Math.max(field.maxBytes, field.resultBytesMax);
    if (bytes.length > bytesMax) throw tooLarge(field.name, bytesMax);
    return bytes;
  });
}

async function bytesBehind(sources: Sources, text: string, field: Field): Promise<Uint8Array> {
  if (isStoredName(text)) return readBareName(sources, text, field);
  const [head = '', scheme] = /^([a-z]+):/i.exec(text.slice(0, 20)) ?? [];
  const rest = scheme === undefined || scheme.toLowerCase() === 'data' ? '' : text.slice(head.length);
  switch (scheme?.toLowerCase()) {
    case undefined:
    case 'data':
      return decodeBase64(text, field.name, field.maxBytes);
    case 'https':
    case 'http':
      return (await ownLink(sources, text, field)) ?? fetchImage(sources.reach, text, field);
    case 'upload':
      return readUpload(sources.uploads, rest, field);
    case 'result':
      return readResult(sources.results, rest, field);
    case 'asset':
      return assetOf(sources.assets, rest, field);
    case 'artwork':
      return readStored(field, () => sources.artworks.picture(rest, 'large'));
    case 'item':
      return readStored(field, (options) => sources.workspaces.openHandle(rest, options));
    default:
      throw invalidField(
        field.name,
        `${field.name} ${mistakeIn(text) ?? `starts with "${head}", which is not a supported handle. Use https://, upload:, asset:, artwork: or result:, or send base64.`}`,
      );
  }
}

/** The beginning of a text, which may contain the file name of a `data:` URL. */
const headOf = (sent: string | Buffer): string =>
  typeof sent === 'string' ? sent.slice(0, 1100) : sent.toString('latin1', 0, 1100);

/** Index of the percent-encoded name in the handle of a workspace item. */
const ITEM_NAME_AT = 4;

/** File name of a handle, URL or `data:` URL; undefined where it has none. */
function fileNameOf({ uploads, results, links }: Sources, text: string): string | undefined {
  const [head = '', scheme = ''] = /^([a-z]+):/i.exec(text.slice(0, 20)) ?? [];
  const rest = text.slice(head.length, 4096);
  switch (scheme.toLowerCase()) {
    case 'data':
      return clean(/^[^,]{0,500}?;name=([^;,]{1,300})[;,]/i.exec(rest)?.[1]);
    case 'upload':
      return uploads.nameOf(rest);
    case 'result':
      return results.nameOf(rest);
    case 'asset':
    case 'artwork':
      return clean(rest);
    case 'item':
      return clean(rest.split('/')[ITEM_NAME_AT] ?? '');
    case 'https':
    case 'http':
      return nameInUrl(text.slice(0, 4096), { results, links });
    default:
      return undefined;
  }
}

function nameInUrl(text: string, { results, links }: Pick<Sources, 'results' | 'links'>): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { pathname, searchParams } = new URL(text);
  if (!text.startsWith(links.publicUrl)) return clean(pathname);
  if (pathname.endsWith('/api/assets')) return clean(searchParams.get('key') ?? '');
  return results.nameOf(pathname.split('/').at(-1)!);
}

/** @param encoded a name, or a path, which may be percent-encoded */
function clean(encoded: string | undefined): string | undefined {
  if (encoded === undefined) return undefined;
  try {
    return cleanFileName(decodeURIComponent(encoded));
  } catch {
    return cleanFileName(encoded);
  }
}

/** Id of an upload or a result: random, optionally followed by the file name and an extension. */
const STORED_NAME = /^[0-9a-z]{6,8}-[0-9a-f]{32}(-[\w-]{1,400})?(\.[a-z0-9]{1,8})?$/;
const STORED_NAME_CHARACTERS_MAX = 500;

const isStoredName = (text: string): boolean =>
  text.length <= STORED_NAME_CHARACTERS_MAX && STORED_NAME.test(text);

/** An id without the prefix `upload:` or `result:`, as models send it. */
async function readBareName({ uploads, results }: Sources, name: string, field: Field): Promise<Uint8Array> {
  const upload = await orNone(readUpload(uploads, name, field));
  return upload ?? readResult(results, name, field);
}

/** Accepts an id with an extension that a model has added. */
async function readUpload(uploads: Sources['uploads'], name: string, field: Field): Promise<Uint8Array> {
  const read = (id: string) =>
    readStored(field, async (options) => ({ bytes: await uploads.open(id, options) }));
  const bare = isStoredName(name) ? name.replace(/\.\w+$/, '') : name;
  const known = bare === name ? undefined : await orNone(read(name));
  return known ?? read(bare);
}

/** Undefined where the file does not exist. */
const orNone = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((error: unknown) => {
    if (error instanceof AtelierError && error.status === 404) return undefined;
    throw error;
  });

/** Extensions of image results, the most frequent first. */
const EXTENSIONS = ['png', 'webp', 'jpg', 'avif', 'tiff', 'gif', 'svg', 'pdf'];

async function fetchImage(reach: Reach, url: string, { name, caller, maxBytes }: Field): Promise<Uint8Array> {
  const { bytes } = await fetchPublic(reach, url, {
    field: name,
    maxBytes,
    timeoutMs: FETCH_TIMEOUT_MS,
    redirectsMax: FETCH_REDIRECTS_MAX,
    signal: caller.signal,
  });
  return bytes;
}

/**
 * Reads signed links of this server from its storage, because fetching a private address is refused. Undefined for other URLs.
 */
async function ownLink(
  { links, results, assets }: Sources,
  text: string,
  field: Field,
): Promise<Uint8Array | undefined> {
  const [, result, asset] = text.startsWith(links.publicUrl)
    ? (/^\/api\/(?:results\/([^/?]+)|(assets))\?/.exec(text.slice(links.publicUrl.length)) ?? [])
    : [];
  if (!result && !asset) return undefined;
  const query = new URLSearchParams(text.slice(text.indexOf('?')));
  const link = assetLinkIn(query);
  const { wallet, key, exp, sig } = link;
  if (result && results.verifyLink(result, exp, sig)) return readResult(results, result, field);
  if (asset && (await assets.verifyLink(link)))
    return readStored(field, (options) => assets.open(wallet, key, options));
  throw new AtelierError(
    'image_not_found',
    'This link is expired or invalid. Send the `result:` or `asset:` handle, or upload the file.',
  );
}

async function assetOf(assets: Sources['assets'], key: string, field: Field): Promise<Uint8Array> {
  const { name, caller } = field;
  const { wallet } = caller;
  if (wallet) return readStored(field, (options) => assets.open(wallet, key, options));
  throw invalidField(
    name,
    `${name} is an asset, but the request names no wallet. Send the wallet as Authorization: Bearer 0x…`,
  );
}

/** Its bytes are in memory twice while an image process receives them. */
const RESULT_COPIES = 2;

const readResult = (results: Sources['results'], id: string, field: Field): Promise<Uint8Array> =>
  readStored({ ...field, maxBytes: field.resultBytesMax }, (options) =>
    openResult(results, id, { ...options, copies: RESULT_COPIES }),
  );

/** Accepts an id without its extension. */
async function openResult(
  results: Sources['results'],
  id: string,
  options: { bytesMax: number; copies: number },
): Promise<{ bytes: Uint8Array }> {
  if (!isStoredName(id) || id.includes('.')) return results.open(id, options);
  for (const extension of EXTENSIONS) {
    const found = await orNone(results.open(`${id}.${extension}`, options));
    if (found) return found;
  }
  return results.open(id, options);
}

/** Reads a stored file for an image field; a missing one becomes image_not_found. Files that are too large are not read. */
async function readStored(
  { name, maxBytes }: Field,
  open: (options: { bytesMax: number }) => Promise<{ bytes: Uint8Array }>,
): Promise<Uint8Array> {
  try {
    return (await open({ bytesMax: maxBytes })).bytes;
  } catch (error) {
    if (!(error instanceof AtelierError)) throw error;
    if (error.code === 'payload_too_large') throw tooLarge(name, maxBytes);
    if (error.status !== 404 || error.code === 'image_not_found') throw error;
    throw new AtelierError('image_not_found', error.message, { cause: error });
  }
}

function headerOf(bytes: Uint8Array, text: string, field: string): ReturnType<typeof acceptedHeader> {
  const mistake = mistakeInBytes(bytes);
  if (mistake) throw new AtelierError('unsupported_image', `${field} ${mistake}`);
  try {
    return acceptedHeader(bytes);
  } catch (error) {
    // A short path such as /home/me/cat is valid base64, but its bytes are not an image.
    const path =
      error instanceof AtelierError && error.code === 'unsupported_image' && text.length < 1000
        ? mistakeIn(text)
        : undefined;
    if (path && !text.includes(':')) throw invalidField(field, `${field} ${path}`);
    throw error;
  }
}

/** Adds the name of the field to errors of code that does not know it. */
async function namingField<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AtelierError) || error.details.errors || error.status >= 500) throw error;
    const errors = [{ field, code: error.code, message: error.message }];
    throw new AtelierError(error.code, error.message, { ...error.details, errors, cause: error });
  }
}
