import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { ingredientFacts, readIngredients } from '@atelier/imaging/metadata/passthrough/ingredients.ts';
import {
  mockupInPhoto,
  type PhotoMockup,
  type PhotoMockupRequest,
} from '@atelier/imaging/mockup/photo/mockup_in_photo.ts';
import {
  type MetadataPassthrough,
  type OnProgress,
  withMetadataPassthrough,
} from './metadata_passthrough.ts';

interface MockupOfImages extends PhotoMockup {
  readonly metadata: CarriedMetadata;
  /** Provenance of the photo. */
  readonly ingredients: ReturnType<typeof ingredientFacts>[];
}

/** Shows an artwork in a photo; the result gets the metadata of both. */
export async function runMockupInPhoto(
  { carry, ...request }: PhotoMockupRequest & MetadataPassthrough,
  onProgress: OnProgress,
): Promise<MockupOfImages> {
  const ingredients = readIngredients({ scene: request.photo });
  const wish = carry && { carry: { ...carry, ingredients } };
  const made = await withMetadataPassthrough(mockupInPhoto)({ ...request, ...wish }, onProgress);
  return { ...made, ingredients: ingredients.map(ingredientFacts) };
}
