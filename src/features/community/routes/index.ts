import type { AnyOperation } from '../../definitions/operation.ts';
import { cafeFeed, postToCafe } from './cafe.ts';
import { galleryFeed, galleryImage, postToGallery } from './gallery.ts';
import { listBotTypes, registryEntries, signRegistry } from './registry.ts';

export const communityOperations: readonly AnyOperation[] = [
  cafeFeed,
  postToCafe,
  galleryFeed,
  postToGallery,
  galleryImage,
  listBotTypes,
  registryEntries,
  signRegistry,
];
