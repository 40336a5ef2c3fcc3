export type { Artwork, CafePost, Community, Signature } from './community.ts';
export { createCommunity } from './community.ts';
