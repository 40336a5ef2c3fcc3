import { z } from 'zod';
import { briefly } from '../../definitions/brief.ts';
import { engineAnswer, outputField } from '../../definitions/fields.ts';
import {
  engineOf,
  type GeneratedServices,
  generatedAnswer,
  generatedAnswerOf,
} from '../../definitions/generated_answer.ts';
import { credits } from '../../definitions/price.ts';
import { withAliases, withCoercion } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { ASPECT_TOLERANCE, ASPECTS, type Aspect } from '../limits.ts';
import {
  checkMarks,
  contextForProvider,
  generationEstimate,
  promptField,
  requireModel,
} from './generation_fields.ts';

const SEED_MAX = 2 ** 31 - 1;

const NAMED: Readonly<Record<string, Aspect>> = {
  square: '1:1',
  landscape: '3:2',
  portrait: '2:3',
  wide: '16:9',
  widescreen: '16:9',
  tall: '9:16',
  story: '9:16',
};

const ratioOf = (aspect: Aspect): number => {
  const [width, height] = aspect.split(':').map(Number) as [number, number];
  return width / height;
};

/** An aspect ratio by name, or the nearest to a size: "1024x1536" is 2:3. */
function readAspect(sent: unknown): unknown {
  if (typeof sent !== 'string') return undefined;
  const named = NAMED[sent.trim().toLowerCase()];
  if (named) return named;
  const [, width, height] = /^\s*(\d{1,5}(?:\.\d+)?)\s*[x×:/]\s*(\d{1,5}(?:\.\d+)?)\s*$/i.exec(sent) ?? [];
  const ratio = Number(width) / Number(height);
  if (!(ratio > 0) || !Number.isFinite(ratio)) return undefined;
  const apart = (aspect: Aspect) => Math.abs(Math.log(ratioOf(aspect) / ratio));
  return ASPECTS.reduce((best, aspect) => (apart(aspect) < apart(best) ? aspect : best));
}

export const generateImage = defineTool({
  name: 'generate_image',
  title: 'Generate an image from words',
  category: 'creative',
  toolset: 'edit',
  needs: 'image_model',
  summary: 'Makes an image from a description by the image model of this server, marked as AI-generated.',
  instead: { compose_image: 'to lay out text, shapes and images', search_artworks: 'for real art' },
  words:
    'generate an image, make a picture of something, text to image, create a picture from a description, draw me, paint me, make an illustration, ai art, ai image, dall-e, midjourney, stable diffusion, flux, imagine, render a scene, concept art, invent a picture, prompt, bild erzeugen, générer une image',
  price: credits(1),
  input: z.object({
    prompt: promptField('What the image shows: subject, style, light.'),
    aspect: withAliases(
      withCoercion(z.enum(ASPECTS).default('1:1').describe('Width to height.'), readAspect),
      ...['aspect_ratio', 'ratio', 'size', 'format', 'orientation', 'shape', 'dimensions'],
    ),
    seed: briefly(
      z
        .int()
        .min(0)
        .max(SEED_MAX)
        .optional()
        .describe('The same seed gives a similar image, if the model supports seeds.'),
      '',
    ),
    output: outputField,
  }),
  output: z.object({ ...generatedAnswer, ...engineAnswer }),
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
  examples: [
    { prompt: 'A lighthouse on a cliff at dawn, watercolour' },
    { prompt: 'A red bicycle against a white wall, studio photograph', aspect: '3:2', output: 'url' },
  ],
  next: ({ result }) => [
    {
      action: 'Enlarge it',
      tool: 'upscale_image',
      why: 'Models return about 1 megapixel; print needs more',
      params: { image: result },
    },
    checkMarks(result),
  ],

  estimate: (_input, services: Pick<Services, 'generation'> & GeneratedServices, asked) =>
    generationEstimate(services, asked),

  async run({ prompt, aspect, seed, output }, services, received) {
    const generation = requireModel(services);
    const call = await contextForProvider(services, received);
    call.onProgress(0.1, 'Querying the image model');
    const image = await generation.make({ prompt, aspect, seed }, call);
    const apart = Math.abs(image.width / image.height / ratioOf(aspect) - 1);
    if (apart > ASPECT_TOLERANCE)
      call.warn(
        `The model returned ${image.width} × ${image.height} px instead of ${aspect}. To crop it to that ratio, call edit_image with {op: "crop", aspect: "${aspect}"} (free).`,
      );
    call.onProgress(0.8, 'Marking the image');
    const { model } = generation;
    return {
      ...(await generatedAnswerOf({ image, model, prompt, output }, services, call)),
      ...engineOf(model),
    };
  },
});
