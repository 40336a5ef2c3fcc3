import { identify, isReadType } from '@atelier/imaging/codecs/identify.ts';
import { FETCH_REDIRECTS_MAX, FETCH_TIMEOUT_MS, UPLOAD_BYTES_MAX } from '../../config/limits.ts';
import { AtelierError, invalidField } from '../../core/errors/atelier_error.ts';
import type { Links } from '../../core/links/types.ts';
import { fetchPublic } from '../../core/outbound_http/fetch_public.ts';
import type { Reach } from '../../core/outbound_http/reach.ts';
import { pictureHeader } from '../../core/workers/image_header.ts';
import type { Artworks } from '../artworks/types.ts';
import type { Results } from '../assets/results/types.ts';
import type { Assets } from '../assets/types.ts';
import { refuseOthers } from '../assets/uploads/expected.ts';
import type { Uploads } from '../assets/uploads/types.ts';
import { decodeBase64, decodeUnbrokenBase64, tooLarge } from './base64.ts';
import { mistakeIn, mistakeInBytes } from './mistakes.ts';
import type { Images, Sender } from './types.ts';

interface Sources {
  readonly uploads: Pick<Uploads, 'open'>;
  readonly results: Pick<Results, 'open' | 'verifyLink'>;
  readonly assets: Pick<Assets, 'open' | 'verifyLink'>;
  readonly artworks: Pick<Artworks, 'picture'>;
  readonly links: Pick<Links, 'publicUrl'>;
  /** How far `https:` handles may reach. */
  readonly reach: Reach;
}

/** What is known while one field is read. */
interface Field {
  readonly name: string;
  readonly caller: Sender;
  readonly maxBytes: number;
}

export function createImages(sources: Sources): Images {
  return {
    async open(sent, field, caller) {
      const known = typeof sent === 'string' ? undefined : decodeUnbrokenBase64(sent, UPLOAD_BYTES_MAX);
      const text = known ? '' : sent.toString().trim();
      const bytes = known ?? (await read(sources, text, { name: field, caller, maxBytes: UPLOAD_BYTES_MAX }));
      return namingField(field, async () => {
        refuseOthers(field, bytes, caller.expected ?? {});
        return { bytes, ...headerOf(bytes, text, field) };
      });
    },
    ofBytes: (bytes, field) => ({ bytes, ...headerOf(bytes, '', field) }),
    read: (text, field, caller, maxBytes) => read(sources, text.trim(), { name: field, caller, maxBytes }),
    otherThan(said, bytes) {
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
    if (bytes.length === 0) throw invalidField(field.name, `${field.name} is empty: it stands for no bytes.`);
    if (bytes.length > field.maxBytes) throw tooLarge(field.name, field.maxBytes);
    return bytes;
  });
}

async function bytesBehind(sources: Sources, text: string, field: Field): Promise<Uint8Array> {
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
      return readStored(field, async (options) => ({ bytes: await sources.uploads.open(rest, options) }));
    case 'result':
      return readStored(field, (options) => sources.results.open(rest, options));
    case 'asset':
      return assetOf(sources.assets, rest, field);
    case 'artwork':
      return readStored(field, () => sources.artworks.picture(rest, 'large'));
    default:
      throw invalidField(
        field.name,
        `${field.name} ${mistakeIn(text) ?? `starts with "${head}", which is no handle here. Use https://, upload:, asset:, artwork: or result:, or send base64.`}`,
      );
  }
}

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
 * Signed links of this server are read from its own disk: over the network a server at a private address would refuse
 * itself. Nothing for any other address.
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
  const [wallet, key, exp, sig] = ['wallet', 'key', 'exp', 'sig'].map(
    (name) => query.get(name) ?? '',
  ) as Quad;
  if (result && results.verifyLink(result, exp, sig))
    return readStored(field, (options) => results.open(result, options));
  if (asset && (await assets.verifyLink(wallet, key, exp, sig)))
    return readStored(field, (options) => assets.open(wallet, key, options));
  throw new AtelierError(
    'image_not_found',
    'This link of ours has expired or was changed. Send the result: or asset: handle, or the bytes.',
  );
}

type Quad = [string, string, string, string];

async function assetOf(assets: Sources['assets'], key: string, field: Field): Promise<Uint8Array> {
  const { name, caller } = field;
  const { wallet } = caller;
  if (wallet) return readStored(field, (options) => assets.open(wallet, key, options));
  throw invalidField(
    name,
    `${name} names an asset, but not whose. Send the wallet as well: Authorization: Bearer 0x…`,
  );
}

/** For an image field, whatever is not there is a picture that is not there. What is too large is not read. */
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

function headerOf(bytes: Uint8Array, text: string, field: string): ReturnType<typeof pictureHeader> {
  const mistake = mistakeInBytes(bytes);
  if (mistake) throw new AtelierError('unsupported_image', `${field} ${mistake}`);
  try {
    return pictureHeader(bytes);
  } catch (error) {
    // A short path such as /home/me/cat is valid base64 of bytes that are no picture.
    const path =
      error instanceof AtelierError && error.code === 'unsupported_image' && text.length < 1000
        ? mistakeIn(text)
        : undefined;
    if (path && !text.includes(':')) throw invalidField(field, `${field} ${path}`);
    throw error;
  }
}

/** Adds the field's name to failures that come from where names of fields are not known. */
async function namingField<T>(field: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof AtelierError) || error.details.errors || error.status >= 500) throw error;
    const errors = [{ field, code: error.code, message: error.message }];
    throw new AtelierError(error.code, error.message, { ...error.details, errors, cause: error });
  }
}
