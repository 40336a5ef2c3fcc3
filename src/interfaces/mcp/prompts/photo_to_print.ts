import { imageArgument } from './arguments.ts';
import type { Prompt } from './types.ts';

export const photoToPrint: Prompt = {
  name: 'photo_to_print',
  title: 'Photo to print',
  description: 'From a photo to a file a print shop takes, with what would go wrong said before.',
  arguments: [
    imageArgument,
    {
      name: 'size',
      description: 'Paper size; a4 where none is named.',
      required: false,
      valuesOf: ['print_ready', 'product_size'],
    },
  ],
  goal: ({ size = 'a4' }) => `Make a file of my picture that a print shop takes, in ${size}.`,
  steps: ({ image, size = 'a4' }) => [
    {
      tool: 'print_ready',
      params: { image, product_size: size, output_format: 'pdf' },
      say: 'Read its preflight. If nothing is wrong with it, give me result_url and stop.',
    },
    {
      tool: 'upscale_image',
      params: { image, scale: 2, dry_run: true },
      say: 'Only where the resolution is too low: tell me the price, and go on once I agree. Then make the sheet again from its result.',
    },
    {
      tool: 'mockup_image',
      params: { image, product: 'poster', dry_run: true },
      say: 'Offer me a picture of it on a wall, with its price.',
    },
  ],
};
