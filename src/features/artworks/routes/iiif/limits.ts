import type { Limit } from '../../../definitions/tool.ts';

/** A viewer that is moved quickly asks for some dozens a second. */
export const IIIF_LIMIT: Limit = { name: 'iiif', calls: 6000, perSeconds: 60, by: 'address' };
/** Documents and pictures hold until the next edition, and a picture at its museum seldom changes. */
export const DOCUMENT_CACHE_SECONDS = 3600;
export const IMAGE_CACHE_SECONDS = 86_400;
