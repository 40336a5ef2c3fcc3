import type { AssetLink } from './types.ts';

/** The parts of a link to an asset; empty where the query lacks one. */
export function assetLinkIn(query: URLSearchParams): AssetLink {
  const part = (name: keyof AssetLink): string => query.get(name) ?? '';
  return {
    wallet: part('wallet'),
    key: part('key'),
    from: part('from'),
    made: part('made'),
    by: part('by'),
    exp: part('exp'),
    sig: part('sig'),
  };
}
