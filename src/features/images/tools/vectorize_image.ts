import type { Size } from '@atelier/imaging/pixels/plane.ts';
import { countOutlines } from '@atelier/imaging/vectorize/count_outlines.ts';
import {
  FILTER_SPECKLE_MAX,
  SVG_BYTES_MAX,
  tracedPixels,
  upscalingFactor,
  VECTOR_NODES_MAX,
  VECTORIZE_PIXELS_MAX,
} from '@atelier/imaging/vectorize/limits.ts';
import { z } from 'zod';
import { BASE64_COPIES } from '../../../config/limits.ts';
import { briefly } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import {
  engineAnswer,
  fileAnswer,
  hexColorField,
  hexColorsIn,
  imageAnswer,
  imageField,
  rgbOfHex,
} from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import {
  linkAnswer,
  metadataAnswer,
  metadataOf,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { qualityAnswer } from '../../definitions/quality_answer.ts';
import {
  enumSynonyms,
  isText,
  withAliases,
  withCoercion,
  withDerivation,
} from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import {
  COLOR_PRECISION_MAX,
  PIXELS_OF_A_TRACED_PIXEL,
  VECTOR_NODES_DEFAULT,
  VECTOR_NODES_MIN,
  VECTOR_PALETTE_MAX,
} from '../../definitions/tool_limits.ts';
import {
  physicalFields,
  physicalOf,
  refuseLooseMillimetres,
  sheetAnswer,
  sheetOf,
} from '../../print/tools/sheet_fields.ts';
import type { Services } from '../../services.ts';

const TYPES = { svg: 'image/svg+xml', dxf: 'image/vnd.dxf', pdf: 'application/pdf' } as const;
const modeField = z.enum(['color', 'binary']);
const precisionField = z.int().min(1).max(COLOR_PRECISION_MAX);
/** Peak pixels: the image, and the memory of tracing. */
const heldFor = ({ width, height }: Size, traced: number): number =>
  width * height + PIXELS_OF_A_TRACED_PIXEL * traced;
/** Precisions of enlarged images: from 9 every pixel difference is traced, up to 4 only few colours are. */
const ENLARGED_PRECISION = { min: 5, max: 8 };
const speckleField = z.int().min(0).max(FILTER_SPECKLE_MAX);

const inputFields = z.object({
  image: imageField,
  mode: withAliases(
    withCoercion(
      briefly(
        modeField
          .default('color')
          .describe(
            'binary draws the dark parts in black on a transparent background, with an automatic threshold.',
          ),
        'binary: black only.',
      ),
      enumSynonyms({
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
  color_precision: briefly(
    precisionField
      .default(6)
      .describe(
        'Higher gives more colours: at most 2, 4, 8, 16 at 1 to 4, from 5 on finer differences; with a purpose other than screen as 4. No effect in mode binary.',
      )
      .meta({ title: 'Fineness of colour' }),
    '2 to 16 colours at 1 to 4.',
  ),
  filter_speckle: briefly(
    speckleField
      .default(4)
      .describe(
        'Higher gives fewer small artifacts: about the side in px of the smallest patch kept. From 5 on, single points are not drawn as dots.',
      )
      .meta({ title: 'Leave out patches below, px' }),
    'Smallest patch, px.',
  ),
  palette: withAliases(
    withCoercion(
      briefly(
        z
          .array(hexColorField)
          .min(1)
          .max(VECTOR_PALETTE_MAX)
          .optional()
          .describe('Fill only with these colours, in mode color.')
          .meta({ title: 'Colours to fill with' }),
        'The only colours.',
      ),
      hexColorsIn,
    ),
    ...['colors', 'colours', 'fill_colors', 'brand_colors'],
  ),
  gradients: briefly(
    z.boolean().default(true).describe('false: plain fills only, as with any purpose other than screen.'),
    'false: plain colours.',
  ),
  max_nodes: briefly(
    z
      .int()
      .min(VECTOR_NODES_MIN)
      .max(VECTOR_NODES_MAX)
      .default(VECTOR_NODES_DEFAULT)
      .describe('An image that needs more nodes is refused, with a suggestion.')
      .meta({ title: 'Nodes at most' }),
    'Else refused.',
  ),
  force: briefly(
    z
      .boolean()
      .default(false)
      .describe('Reduce detail down to max_nodes instead of refusing.')
      .meta({ title: 'Simplify until it fits' }),
    'Gives up detail.',
  ),
  ...physicalFields,
  output: withDerivation(
    briefly(
      z
        .enum(['base64', 'url'])
        .default('base64')
        .describe('"url" omits the drawing; result_url serves it for 24 hours either way.'),
      '"url": only a link.',
    ),
    (sent, { format }) =>
      format === undefined && isText(sent, /^(?:image\/|\.)?(svg|dxf|pdf)(?:\+xml)?$/i)
        ? { format: sent }
        : undefined,
  ),
  ...passthroughFields,
});

/** Whether a photograph may be enlarged before tracing: only for screens, in its original colours. */
const mayBeEnlarged = ({
  mode,
  color_precision: precision,
  palette,
  ...sheet
}: z.output<typeof inputFields>): boolean =>
  mode === 'color' &&
  !palette &&
  precision >= ENLARGED_PRECISION.min &&
  precision <= ENLARGED_PRECISION.max &&
  !physicalOf(sheet);

export const vectorizeImage = defineTool({
  name: 'vectorize_image',
  title: 'Vectorize an image',
  category: 'creative',
  toolset: 'edit',
  summary: 'Redraw a logo, icon or drawing as sharp SVG shapes.',
  instead: { upscale_image: 'for photos' },
  words:
    'svg, vector graphic, trace a bitmap, logo, icon, line art, drawing, raster to vector, infinitely scalable without loss, outline, paths, shape for a laser, vinyl cutter, plotter, engraving or embroidery, icon or emblem that scales to any size, eps, sketch, convert to svg, logo only as jpg, sign maker wants vectors, cricut or silhouette file, trace a line drawing, embroidery pattern, raster to paths, bezier curves, illustrator file, tattoo stencil, cnc, without losing quality, scalable graphic, turn pixels into curves, engrave, woodcut, linocut, stencil, stamp, signature as vector, monogram, coat of arms, crest, badge, clip art, dxf, cad, vector version of an emblem, cut with a machine, resolution independent',
  price: FREE,
  input: inputFields.superRefine(refuseLooseMillimetres),
  output: z.object({
    svg_content: z.string().optional().describe('The drawing itself; absent with output "url".'),
    width: imageAnswer.width,
    height: imageAnswer.height,
    path_count: z.int().min(0).max(SVG_BYTES_MAX),
    node_count: z.int().min(0).max(SVG_BYTES_MAX),
    subpath_count: z
      .int()
      .min(0)
      .max(SVG_BYTES_MAX)
      .describe(
        'Number of closed or open outlines; a path can have several, circles and rectangles count as one.',
      ),
    gradient_count: z.int().min(0).max(SVG_BYTES_MAX),
    raster_error: z
      .object({ psnr_db: z.number(), mean_delta_e: z.number().min(0) })
      .describe('The rendered drawing compared with the image (binary: with its two tones), as traced.'),
    mode: modeField,
    color_precision: precisionField,
    filter_speckle: speckleField,
    sheet: sheetAnswer.optional(),
    ...qualityAnswer,
    ...fileAnswer,
    ...metadataAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64 },
    { image: EXAMPLE_PNG_B64, mode: 'binary', filter_speckle: 2, output: 'url' },
    { image: EXAMPLE_PNG_B64, purpose: 'cut', width_mm: 80, kerf_mm: 0.1, format: 'dxf' },
  ],
  next: ({ result, content_type }, { image }, { wallet }) => [
    {
      action: 'Get the colours',
      tool: 'extract_palette',
      why: 'Names the main colours of the same image, to use with the drawing',
      params: { image: handleIn(image) },
    },
    {
      action: 'Keep the drawing',
      tool: 'save_asset',
      why: 'result_url expires after 24 hours; an asset does not',
      params: { wallet, key: `drawings/${result.slice('result:'.length)}`, data: result, content_type },
    },
  ],
  preview: { scaled: (input) => input },
  async run(input, { models, pixels, results }: Pick<Services, 'models' | 'pixels' | 'results'>, call) {
    const { image, mode, color_precision, filter_speckle } = input;
    const request = {
      bytes: image.bytes,
      mode,
      colorPrecision: color_precision,
      filterSpeckle: filter_speckle,
      palette: (input.palette ?? []).map(rgbOfHex),
      gradients: input.gradients,
      nodesMax: input.max_nodes,
      force: input.force,
      physical: physicalOf(input),
      carry: passthroughOf(input),
    };
    const times = mayBeEnlarged(input) ? upscalingFactor(image) : 1;
    const drawing =
      times === 1
        ? await pixels.run('vectorize', request, {
            pixels: heldFor(image, Math.min(image.width * image.height, VECTORIZE_PIXELS_MAX)),
            ...call,
          })
        : await pixels.run(
            'vectorize_by_network',
            { ...request, networks: models.bundled(times) },
            { pixels: heldFor(image, tracedPixels(image)), ...call },
          );
    for (const note of drawing.notes) call.warn(note);
    const kept = await results.keep(Buffer.from(drawing.file ?? drawing.svg), TYPES[input.format], {
      copies: BASE64_COPIES,
    });
    return {
      ...(input.output === 'base64' && { svg_content: drawing.svg }),
      ...metadataOf(drawing.metadata),
      width: drawing.width,
      height: drawing.height,
      path_count: drawing.pathCount,
      node_count: drawing.nodeCount,
      subpath_count: countOutlines(drawing.svg),
      gradient_count: drawing.svg.match(/<(linear|radial)Gradient\b/g)?.length ?? 0,
      raster_error: { psnr_db: drawing.error.psnrDb, mean_delta_e: drawing.error.meanDeltaE },
      mode,
      color_precision,
      filter_speckle,
      quality: drawing.quality,
      ...(drawing.sheets && { sheet: sheetOf(drawing.sheets) }),
      content_type: TYPES[input.format],
      size_bytes: drawing.sizeBytes,
      ...linkAnswer(kept),
      engine: drawing.engine,
      degraded: false,
    };
  },
});
