import {
  FILTER_SPECKLE_MAX,
  SVG_BYTES_MAX,
  VECTOR_NODES_MAX,
  VECTORIZE_PIXELS_MAX,
} from '@atelier/engines/vectorize/limits.ts';
import { z } from 'zod';
import { BASE64_COPIES } from '../../limits.ts';
import type { Services } from '../../services/contract.ts';
import { EXAMPLE_PNG_B64 } from '../example_image.ts';
import { engineAnswer, fileAnswer, formatAnyway, imageAnswer, imageField } from '../fields.ts';
import { handleIn } from '../handle_in.ts';
import { FREE } from '../price.ts';
import { alsoCalled, alsoRead, inWords } from '../spellings.ts';
import { defineTool } from '../tool.ts';
import { carryFields, carryOf, metadataAnswer, metadataOf } from './carry_fields.ts';
import { hexColorField, hexColorsIn, rgbOfHex } from './hex_color.ts';
import {
  COLOR_PRECISION_MAX,
  PIXELS_OF_A_TRACED_PIXEL,
  VECTOR_NODES_DEFAULT,
  VECTOR_NODES_MIN,
  VECTOR_PALETTE_MAX,
} from './limits.ts';

const SVG = 'image/svg+xml';
const modeField = z.enum(['color', 'binary']);
const precisionField = z.int().min(1).max(COLOR_PRECISION_MAX);
/** The picture, and what tracing holds of it. */
const heldFor = ({ width, height }: { width: number; height: number }): number =>
  width * height + PIXELS_OF_A_TRACED_PIXEL * Math.min(width * height, VECTORIZE_PIXELS_MAX);
const speckleField = z.int().min(0).max(FILTER_SPECKLE_MAX);

export const vectorizeImage = defineTool({
  name: 'vectorize_image',
  title: 'Vectorize an image',
  category: 'creative',
  summary:
    'Redraws a picture as an SVG of filled shapes that stays sharp at any size. Best for logos, icons and drawings.',
  instead: { upscale_image: 'for photos' },
  words:
    'svg, vector graphic, trace a bitmap, logo, icon, line art, drawing, raster to vector, infinitely scalable without loss, outline, paths, shape for a laser, vinyl cutter, plotter, engraving or embroidery, icon or emblem that scales to any size, eps, sketch, convert to svg, logo only as jpg, sign maker wants vectors, cricut or silhouette file, trace a line drawing, embroidery pattern, raster to paths, bezier curves, illustrator file, tattoo stencil, cnc, without losing quality, scalable graphic, turn pixels into curves, engrave, woodcut, linocut, stencil, stamp, signature as vector, monogram, coat of arms, crest, badge, clip art, dxf, cad, vector version of an emblem, cut with a machine, resolution independent',
  price: FREE,
  input: z.object({
    image: imageField,
    mode: alsoCalled(
      alsoRead(
        modeField
          .default('color')
          .describe(
            'binary draws the dark parts in black on nothing; the threshold is found from the picture.',
          ),
        inWords({
          black_and_white: 'binary',
          bw: 'binary',
          black_white: 'binary',
          monochrome: 'binary',
          mono: 'binary',
          outline: 'binary',
        }),
      ),
      ...['color_mode', 'colour_mode', 'style', 'preset'],
    ),
    color_precision: precisionField
      .default(6)
      .describe(
        'Higher gives more colours: at most 2, 4, 8, 16 at 1 to 4, from 5 on finer differences. No effect in mode binary.',
      ),
    filter_speckle: speckleField
      .default(4)
      .describe('Higher gives fewer small artifacts: about the side in pixels of the smallest patch kept.'),
    palette: alsoCalled(
      alsoRead(
        z
          .array(hexColorField)
          .min(1)
          .max(VECTOR_PALETTE_MAX)
          .optional()
          .describe('Fill with these colours and no other, in mode color.'),
        hexColorsIn,
      ),
      ...['colors', 'colours', 'fill_colors', 'brand_colors'],
    ),
    gradients: z
      .boolean()
      .default(true)
      .describe('false fills with plain colours only, as cutters and plotters need.'),
    max_nodes: z
      .int()
      .min(VECTOR_NODES_MIN)
      .max(VECTOR_NODES_MAX)
      .default(VECTOR_NODES_DEFAULT)
      .describe('A picture that would take more nodes is refused, with what would do.'),
    force: z.boolean().default(false).describe('Instead of refusing, gives up detail down to max_nodes.'),
    output: formatAnyway(
      z
        .enum(['base64', 'url'])
        .default('base64')
        .describe('"url" leaves svg_content out; result_url has the drawing for 24 hours either way.'),
      () => 'svg',
    ),
    ...carryFields,
  }),
  output: z.object({
    svg_content: z.string().optional().describe('The drawing itself; absent with output "url".'),
    width: imageAnswer.width,
    height: imageAnswer.height,
    path_count: z.int().min(0).max(SVG_BYTES_MAX),
    node_count: z.int().min(0).max(SVG_BYTES_MAX),
    raster_error: z
      .object({ psnr_db: z.number(), mean_delta_e: z.number().min(0) })
      .describe('The drawing, rendered, against the picture (binary: against its two tones), as traced.'),
    mode: modeField,
    color_precision: precisionField,
    filter_speckle: speckleField,
    ...fileAnswer,
    ...metadataAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64 },
    { image: EXAMPLE_PNG_B64, mode: 'binary', filter_speckle: 2, output: 'url' },
  ],
  next: ({ result, content_type }, { image }, { wallet }) => [
    {
      action: 'Get the colours',
      tool: 'extract_palette',
      why: 'Names the main colours of the same picture, for use beside the drawing',
      params: { image: handleIn(image) },
    },
    {
      action: 'Keep the drawing',
      tool: 'save_asset',
      why: 'result_url ends after 24 hours; an asset stays',
      params: { wallet, key: `drawings/${result.slice('result:'.length)}`, data: result, content_type },
    },
  ],
  async run(input, { pixels, results }: Pick<Services, 'pixels' | 'results'>, call) {
    const { image, mode, color_precision, filter_speckle } = input;
    const drawing = await pixels.run(
      'vectorize',
      {
        bytes: image.bytes,
        mode,
        colorPrecision: color_precision,
        filterSpeckle: filter_speckle,
        palette: (input.palette ?? []).map(rgbOfHex),
        gradients: input.gradients,
        nodesMax: input.max_nodes,
        force: input.force,
        carry: carryOf(input),
      },
      { pixels: heldFor(image), ...call },
    );
    for (const note of drawing.notes) call.warn(note);
    const { handle, url } = await results.keep(Buffer.from(drawing.svg), SVG, { copies: BASE64_COPIES });
    return {
      ...(input.output === 'base64' && { svg_content: drawing.svg }),
      ...metadataOf(drawing.metadata),
      width: drawing.width,
      height: drawing.height,
      path_count: drawing.pathCount,
      node_count: drawing.nodeCount,
      raster_error: { psnr_db: drawing.error.psnrDb, mean_delta_e: drawing.error.meanDeltaE },
      mode,
      color_precision,
      filter_speckle,
      content_type: SVG,
      size_bytes: drawing.sizeBytes,
      result: handle,
      result_url: url,
      engine: drawing.engine,
      degraded: false,
    };
  },
});
