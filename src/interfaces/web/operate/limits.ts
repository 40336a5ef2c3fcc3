import type { Limit } from '../../../features/definitions/tool.ts';

/** What the pages of operators take as a form. */
export const OPERATE_FORM: { readonly bytesMax: number; readonly limit: Limit } = {
  bytesMax: 64 * 1024,
  limit: { name: 'operate-page', calls: 600, perSeconds: 600, by: 'address' },
};
/** Each sign-in asks the identity provider. */
export const SIGN_IN_LIMIT: Limit = {
  name: 'operate-sign-in',
  ...{ calls: 60, perSeconds: 600, by: 'address', failuresCount: true },
};
/** How long somebody may take at the identity provider. */
export const SIGN_IN_SECONDS = 600;
/** How often a page is asked for again by a browser without programs while something is fetched. */
export const FETCHING_REFRESH_SECONDS = 5;
