import { fitInside } from '@atelier/imaging/pixels/fit_inside.ts';
import { z } from 'zod';
import type { SourceImage } from '../../../core/workers/types.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, imageField, outputField } from '../../definitions/fields.ts';
import {
  changedAnswer,
  changedAnswerOf,
  engineOf,
  type GeneratedServices,
  generatedAnswer,
  generatedAnswerOf,
} from '../../definitions/generated_answer.ts';
import { passthroughOf } from '../../definitions/passthrough_answer.ts';
import { credits } from '../../definitions/price.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { SENT_SIDE_PX_MAX } from '../limits.ts';
import {
  checkMarks,
  contextForProvider,
  generationEstimate,
  promptField,
  requireModel,
} from './generation_fields.ts';

export const editWithWords = defineTool({
  name: 'edit_with_words',
  title: 'Change an image by words',
  category: 'creative',
  toolset: 'edit',
  needs: 'image_editing_model',
  summary:
    'Has the image model of this server draw an image anew with a change described in words; details elsewhere may change. Marked as AI-modified.',
  instead: {
    edit_image: 'for exact edits',
    erase_object: 'to remove things',
    remove_background: 'to cut out',
  },
  words:
    'edit by prompt, edit with ai, instruct edit, generative edit, generative fill, change the weather, add a person, put a hat on, restyle, style transfer, in the style of, turn into a painting, cartoon, anime version, ghibli, make it night, replace the sky, change clothes, swap objects, reimagine, variation, outpaint, colorize an old photo, restore with ai, make someone younger or older, age progression, change a smile or expression, make-up, slimmer, day into night, img2img, kontext, nano banana, bild mit worten ändern',
  price: credits(1),
  input: z.object({
    image: imageField,
    prompt: promptField('What to change: "make it winter".'),
    output: outputField,
  }),
  output: z.object({ ...generatedAnswer, ...changedAnswer, ...engineAnswer }),
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  examples: [
    { image: EXAMPLE_PNG_B64, prompt: 'Turn the meadow into a snowy field' },
    { image: EXAMPLE_PNG_B64, prompt: 'Make it evening', output: 'url' },
  ],
  next: ({ result }) => [checkMarks(result)],

  estimate: (_input, services: Pick<Services, 'generation'> & GeneratedServices, asked) =>
    generationEstimate(services, asked),

  async run({ image, prompt, output }, services, received) {
    const generation = requireModel(services);
    const sent = await reduced(image, services, received);
    const call = await contextForProvider(services, received);
    call.onProgress(0.1, 'Querying the image model');
    const made = await generation.make({ prompt, image: sent }, call);
    call.onProgress(0.8, 'Marking the image');
    const { metadata, ...carried } = await services.pixels.run(
      'carry_metadata',
      {
        bytes: image.bytes,
        made: { ...made, contentType: `image/${made.format}` },
        carry: passthroughOf(
          { keep: 'rights', keep_location: false },
          { shows: 'edited', sourceType: 'compositeWithTrainedAlgorithmicMedia' },
        ),
      },
      { pixels: image.width * image.height + made.width * made.height, ...call },
    );
    const { model } = generation;
    const result = { ...made, bytes: carried.bytes };
    const changed = { image, metadata };
    return {
      ...(await generatedAnswerOf({ image: result, model, prompt, output, changed }, services, call)),
      ...changedAnswerOf(metadata),
      ...engineOf(model),
    };
  },
});

/**
 * Prepares the image for the provider: upright, in sRGB, without metadata, at most SENT_SIDE_PX_MAX on the
 * longer side.
 */
async function reduced(
  image: SourceImage,
  { pixels }: Pick<Services, 'pixels'>,
  call: CallContext,
): Promise<Uint8Array> {
  const { bytes } = await pixels.run(
    'resize',
    {
      bytes: image.bytes,
      ...fitInside(image, SENT_SIDE_PX_MAX),
      mode: 'contain',
      format: 'png',
      quality: 90,
    },
    { pixels: 2 * image.width * image.height, ...call, onProgress: () => {} },
  );
  return bytes;
}
