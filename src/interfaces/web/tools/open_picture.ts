import type { SourceImage } from '../../../core/workers/types.ts';
import { requireAssetAccess } from '../../../pipeline/admission.ts';
import { identify } from '../../../pipeline/authenticate.ts';
import type { Visit } from '../types.ts';

/** A picture, and whom it was opened for. */
interface Opened {
  readonly picture: SourceImage;
  readonly wallet: string | undefined;
}

/**
 * The picture behind a handle or an address, for a visitor who could use it in a tool.
 * @throws AtelierError wallet_locked, scope_denied, and what a tool would for the same field
 */
export async function openPicture(
  { studio: { kit }, caller, call }: Pick<Visit, 'studio' | 'caller' | 'call'>,
  handle: string,
): Promise<Opened> {
  const principal = await identify(kit, caller, { mustPay: false });
  await requireAssetAccess(kit, { handle }, { principal, about: 'a picture' });
  const { wallet } = principal;
  const sender = { signal: call.signal, ...(wallet && { wallet }) };
  return { picture: await kit.services.images.open(handle, 'image', sender), wallet };
}
