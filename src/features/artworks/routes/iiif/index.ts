import type { AnyOperation } from '../../../definitions/operation.ts';
import { imageService } from './image_service.ts';
import { presentationOperations } from './presentation.ts';

/** Pictures of the dataset by the interfaces of the International Image Interoperability Framework. */
export const iiifOperations: readonly AnyOperation[] = [
  ...imageService(3),
  ...imageService(2),
  ...presentationOperations,
];
