import { type EditedImage, type EditRequest, editPicture } from '@atelier/imaging/editor/edit_picture.ts';
import { keepsPrimaries } from '@atelier/imaging/editor/keeps_primaries.ts';
import type { CarriedMetadata } from '@atelier/imaging/metadata/passthrough/carried.ts';
import { ingredientFacts, readIngredients } from '@atelier/imaging/metadata/passthrough/ingredients.ts';
import type { MetadataPassthrough } from './metadata_passthrough.ts';
import { labelTypeface } from './open_typeface.ts';
import { readLayer } from './read_layer.ts';
import { type ColorOptions, preservedColors, saveWithMetadata } from './run_convert.ts';
import { withFile } from './run_resize.ts';
import { TEXT_RESOURCES } from './text_resources.ts';

interface EditedOfImages extends EditedImage {
  readonly metadata: CarriedMetadata;
  /** Provenance of other images visible in the result. */
  readonly ingredients: ReturnType<typeof ingredientFacts>[];
}

/** Edits an image with the resources of a process: a file for decoders, other images of any format, label fonts. */
export const runEdit = ({
  carry,
  sentFile,
  color,
  ...request
}: EditRequest & MetadataPassthrough & ColorOptions): Promise<EditedOfImages> => {
  const ingredients = readIngredients(request.images);
  const wish = carry && { ...carry, ingredients };
  const isOwn = request.frameCount === 1 && request.operations.every(keepsPrimaries);
  const kept = isOwn ? preservedColors(request, color) : undefined;
  return withFile(async (fileOf) => {
    const edited = await saveWithMetadata(request.bytes, { carry: wish, sentFile, kept }, (finish) =>
      editPicture(
        { ...request, bytes: kept?.bytes ?? request.bytes, file: sentFile?.bytes },
        {
          fileOf,
          labelTypeface,
          textResources: TEXT_RESOURCES,
          readImage: async (bytes) => (await readLayer(bytes)).raster,
        },
        finish,
      ),
    );
    return { ...edited, ingredients: ingredients.map(ingredientFacts) };
  });
};
