import {
  type ComposedPicture,
  type CompositionRequest,
  composePicture,
} from '@atelier/imaging/composer/compose_picture.ts';
import type { PageInks } from '@atelier/imaging/composer/vector/page_inks.ts';
import { writeIngredients } from '@atelier/imaging/metadata/passthrough/carry_metadata.ts';
import { ingredientFacts, readIngredients } from '@atelier/imaging/metadata/passthrough/ingredients.ts';
import { openLinkToPress, openPress, type PressFile } from './open_press.ts';
import { labelTypeface } from './open_typeface.ts';
import { readLayer } from './read_layer.ts';
import { TEXT_RESOURCES } from './text_resources.ts';

export interface ComposeRequest extends CompositionRequest {
  /** Target of a PDF. */
  readonly press?: PressFile | undefined;
}

interface ComposedOfImages extends ComposedPicture {
  /** Provenance of the images, in the order of the request. */
  readonly ingredients: ReturnType<typeof ingredientFacts>[];
  /** Name of the output profile. */
  readonly profile?: string | undefined;
}

/** Renders a document with the resources of a process: images of any format, fonts. Rights and AI marks of its images are copied. */
export async function runCompose({ press, ...request }: ComposeRequest): Promise<ComposedOfImages> {
  const ingredients = readIngredients(request.images);
  const inks = press && inksOf(press);
  const composed = await composePicture(
    request,
    { ...TEXT_RESOURCES, readImage: readLayer, labelTypeface, inks },
    async (file) => writeIngredients(file, ingredients),
  );
  return { ...composed, ingredients: ingredients.map(ingredientFacts), profile: inks?.condition.name };
}

/** Inks relative to the paper, so that white stays unprinted. */
function inksOf(press: PressFile): PageInks {
  const { name, bytes } = openPress(press);
  const rendering = { intent: 'relative', blackPointCompensation: true } as const;
  return {
    condition: { name, profile: bytes, ...(press.registered && { registered: press.registered }) },
    drawn: openLinkToPress(press, { ...rendering, keepsBlack: true }),
    photo: openLinkToPress(press, rendering),
  };
}
