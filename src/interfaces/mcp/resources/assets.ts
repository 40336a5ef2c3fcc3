import { BASE64_COPIES } from '../../../config/limits.ts';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { getAsset } from '../../../features/assets/tools/get_asset.ts';
import { listAssets } from '../../../features/assets/tools/list_assets.ts';
import { identify } from '../../../pipeline/authenticate.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import { contentsOf } from './contents_of.ts';
import type { Listed, ResourceKind } from './types.ts';

const PREFIX = 'atelier://assets/';

interface Asset {
  readonly key: string;
  readonly content_type: string;
  readonly size_bytes: number;
}

/** Stored files of a wallet. The asset tools check access, and count the read as a call. */
export const assets: ResourceKind = {
  prefix: PREFIX,
  template: {
    uriTemplate: `${PREFIX}{wallet}/{+key}`,
    name: 'asset',
    title: 'Asset of a wallet',
    description: 'A file stored with save_asset. Assets of a locked wallet need a key or session.',
  },
  async list({ context, caller }) {
    const { wallet } = await identify(context, caller, { mustPay: false });
    if (wallet === undefined) return [];
    const { body } = await callTool(context, listAssets.name, { wallet }, caller);
    return (body.assets as Asset[]).map((asset) => listed(wallet, asset));
  },
  async read(path, uri, { context, caller }) {
    const [wallet, ...parts] = path.split('/');
    const key = decoded(parts.join('/'));
    const { body } = await callTool(context, getAsset.name, { wallet, key, include_data: false }, caller);
    const found = body as unknown as Asset & { readonly wallet: string };
    const { bytes } = await context.services.assets.open(found.wallet, found.key, { copies: BASE64_COPIES });
    return contentsOf(uri, found.content_type, bytes);
  },
};

const listed = (wallet: string, { key, content_type, size_bytes }: Asset): Listed => ({
  uri: `${PREFIX}${wallet}/${encodeURIComponent(key)}`,
  name: key,
  mimeType: content_type,
  size: size_bytes,
});

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AtelierError('asset_not_found', 'The key in the URI is malformed. Encode % as %25.');
  }
}
