import { z } from 'zod';
import { COLOR_PRECISION_MAX, FILTER_SPECKLE_MAX, SVG_BYTES_MAX } from '../../limits.ts';
import type { Services } from '../../services/services.ts';
import { EXAMPLE_PNG_B64 } from '../example_image.ts';
import { engineAnswer, fileAnswer, imageAnswer, imageField } from '../fields.ts';
import { FREE } from '../price.ts';
import { defineTool } from '../tool.ts';

const SVG = 'image/svg+xml';
const modeField = z.enum(['color', 'binary']);
const precisionField = z.int().min(1).max(COLOR_PRECISION_MAX);
const speckleField = z.int().min(0).max(FILTER_SPECKLE_MAX);

export const vectorizeImage = defineTool({
  name: 'vectorize_image',
  title: 'Vectorize an image',
  category: 'creative',
  summary:
    'Redraws a picture as an SVG of filled shapes that stays sharp at any size. Best for logos, icons and drawings.',
  price: FREE,
  input: z.object({
    image: imageField,
    mode: modeField
      .default('color')
      .describe('binary draws the dark parts in black on nothing; the threshold is found from the picture.'),
    color_precision: precisionField
      .default(6)
      .describe('Higher gives more colours, from 2 at 1 to 256 at 10. Without effect in mode binary.'),
    filter_speckle: speckleField
      .default(4)
      .describe('Higher gives fewer small artifacts: about the side in pixels of the smallest patch kept.'),
    output: z
      .enum(['base64', 'url'])
      .default('base64')
      .describe('"url" leaves svg_content out; result_url has the drawing for 24 hours either way.'),
  }),
  output: z.object({
    svg_content: z.string().optional().describe('The drawing itself; absent with output "url".'),
    width: imageAnswer.width,
    height: imageAnswer.height,
    path_count: z.int().min(0).max(SVG_BYTES_MAX),
    mode: modeField,
    color_precision: precisionField,
    filter_speckle: speckleField,
    ...fileAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64 },
    { image: EXAMPLE_PNG_B64, mode: 'binary', filter_speckle: 2, output: 'url' },
  ],
  next: () => [
    {
      action: 'Get the colours',
      tool: 'extract_palette',
      why: 'Names the main colours of the same picture, for use beside the drawing',
    },
    {
      action: 'Keep the drawing',
      tool: 'save_asset',
      why: 'result_url ends after 24 hours; an asset stays',
    },
  ],
  async run({ image, output, ...wanted }, { pixels, results }: Pick<Services, 'pixels' | 'results'>, call) {
    const { mode, color_precision, filter_speckle } = wanted;
    const drawing = await pixels.run(
      'vectorize',
      { bytes: image.bytes, mode, colorPrecision: color_precision, filterSpeckle: filter_speckle },
      { pixels: image.width * image.height, ...call },
    );
    for (const note of drawing.notes) call.warn(note);
    const { handle, url } = await results.keep(Buffer.from(drawing.svg), SVG);
    return {
      ...(output === 'base64' && { svg_content: drawing.svg }),
      width: drawing.width,
      height: drawing.height,
      path_count: drawing.pathCount,
      ...wanted,
      content_type: SVG,
      size_bytes: drawing.sizeBytes,
      result: handle,
      result_url: url,
      engine: drawing.engine,
      degraded: false,
    };
  },
});
