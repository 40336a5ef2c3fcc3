import { z } from 'zod';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { PUBLIC_URL_RULE, publicUrl } from '../../definitions/public_url.ts';
import type { Services } from '../../services.ts';
import { isShown, SHOWN_TYPES } from './gallery_image.ts';

/** The service's own path to a wallet's picture, whose key may have slashes; a part of dots alone would lead elsewhere. */
const OWN_PATH =
  /^\/api\/gallery\/image\/(0[xX][0-9a-fA-F]{40})\/((?!(?:.*\/)?(?:\.|%2[eE]){1,2}(?:\/|$))[^?#\s\\<>"]{1,768})$/;

const RULE = `must be ${PUBLIC_URL_RULE}; or /api/gallery/image/<wallet>/<key>`;

/** An address on another server is never opened by this one, so it is judged by its text; one of our own, when it is posted. */
export const imageUrl = z
  .string()
  .trim()
  .transform((text, { addIssue }) => {
    const url = OWN_PATH.test(text) ? text : (publicUrl(text) ?? (pathIn(text) && text));
    if (url === undefined) addIssue({ code: 'custom', message: RULE, input: text });
    return url ?? z.NEVER;
  })
  .pipe(z.string())
  .describe('https://…, or /api/gallery/image/<wallet>/<key> of a picture kept with save_asset.');

/** The path of an address that may be one of ours. */
function pathIn(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url && /^https?:$/.test(url.protocol) && OWN_PATH.test(url.pathname) ? url.pathname : undefined;
}

/**
 * The address as the gallery shows it: of our own the path alone. @throws AtelierError invalid_input where nothing can be
 * seen there; of a locked wallet nothing can, so nobody learns here what it keeps
 */
export async function galleryAddressOf(
  url: string,
  { site, assets, ownership }: Pick<Services, 'site' | 'assets' | 'ownership'>,
): Promise<string> {
  const path = url.startsWith(`${site.publicUrl}/`) ? pathIn(url) : url;
  const [, wallet, key] = OWN_PATH.exec(path ?? '') ?? [];
  if (wallet === undefined || key === undefined) {
    if (publicUrl(url) === undefined) throw invalidField('image_url', `image_url ${RULE}.`);
    return url;
  }
  const owner = wallet.toLowerCase();
  const isLocked = (await ownership.lockedAt(owner)) !== undefined;
  const asset = isLocked ? undefined : await assets.find(owner, decodeKey(key));
  if (asset && isShown(asset)) return path!;
  throw invalidField(
    'image_url',
    `image_url leads to nothing the gallery can show: ${isLocked ? 'the wallet is locked, so only its owner sees its pictures' : 'the wallet keeps no picture under this key'}. Keep one with save_asset (${SHOWN_TYPES.join(', ')}), or send an https URL.`,
  );
}

/** As the path of a request is read; text that is no encoding stands for itself. */
function decodeKey(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
