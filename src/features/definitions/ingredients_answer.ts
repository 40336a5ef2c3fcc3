import type { ingredientFacts } from '@atelier/imaging/metadata/passthrough/ingredients.ts';
import type { ManifestComponent } from '@atelier/imaging/provenance/c2pa/prepare_manifest.ts';
import { z } from 'zod';
import type { SourceImage } from '../../core/workers/types.ts';
import type { Services } from '../services.ts';
import type { CallContext } from './tool.ts';

export const ingredientsAnswer = {
  ingredients: z
    .array(
      z.object({
        layer: z.string(),
        rights: z.boolean().describe('Names an owner, a licence or an opt-out.'),
        ai: z.boolean().describe('Says that AI made it.'),
        c2pa: z.boolean().describe('Has a C2PA manifest.'),
      }),
    )
    .optional()
    .describe('Statements in the placed images; also written into the result.'),
};

export type IngredientFacts = ReturnType<typeof ingredientFacts>;

/** Response fields about ingredients, if there are any. */
export const ingredientsOf = (ingredients: readonly IngredientFacts[]) =>
  ingredients.length > 0 ? { ingredients: [...ingredients] } : {};

/** Formats whose manifests the C2PA library reads. */
const FORMATS: readonly string[] = ['png', 'jpeg', 'webp', 'tiff'];
/** Maximum ingredients of a manifest. */
const COMPONENTS_MAX = 20;

/**
 * The images whose manifest, or AI statement, becomes part of the manifest of the result. Those with unreadable manifests are omitted.
 * @param images by the names in the facts
 */
export async function componentsOf(
  facts: readonly IngredientFacts[],
  images: Readonly<Record<string, SourceImage>>,
  { manifests }: Pick<Services, 'manifests'>,
  call: CallContext,
): Promise<ManifestComponent[]> {
  if (!manifests.sign) return [];
  const telling = facts.filter(({ ai, c2pa }) => ai || c2pa).slice(0, COMPONENTS_MAX);
  const components: ManifestComponent[] = [];
  for (const { layer, c2pa } of telling) {
    const image = images[layer];
    if (!image || !FORMATS.includes(image.format)) continue;
    const control = { pixels: image.width * image.height, ...call };
    if (c2pa && (await manifests.read(image.bytes, control))?.state === 'unreadable') continue;
    components.push({ bytes: image.bytes, type: `image/${image.format}`, title: layer });
  }
  return components;
}
