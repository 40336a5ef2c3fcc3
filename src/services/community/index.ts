export type { Artwork, CafePost, Community, Posted, Signature } from './community.ts';
export { createCommunity } from './community.ts';
