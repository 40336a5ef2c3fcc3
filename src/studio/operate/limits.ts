import type { Limit } from '../../tools/tool.ts';

const BY_ADDRESS = { calls: 600, perSeconds: 600, by: 'address' } as const;

/** What the pages of operators take as a form. */
export const OPERATE_FORM: { readonly bytesMax: number; readonly limit: Limit } = {
  bytesMax: 64 * 1024,
  limit: { name: 'operate-page', ...BY_ADDRESS },
};
/** How often a page is asked for again by a browser without programs while something is fetched. */
export const FETCHING_REFRESH_SECONDS = 5;
