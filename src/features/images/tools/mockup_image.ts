import { type Length, resolveLength } from '@atelier/imaging/editor/lengths.ts';
import type { Mockup } from '@atelier/imaging/mockup/mockup_image.ts';
import type { Quad } from '@atelier/imaging/mockup/photo/quad.ts';
import { roundTo } from '@atelier/imaging/pixels/round_to.ts';
import { z } from 'zod';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { quad } from '../../definitions/edit_operations/operation_fields.ts';
import { cornersOf } from '../../definitions/edit_operations/read_operations.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import {
  engineAnswer,
  hexColorField,
  imageAnswer,
  imageField,
  outputField,
  rgbOfHex,
} from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { componentsOf, ingredientsAnswer, ingredientsOf } from '../../definitions/ingredients_answer.ts';
import {
  type PassthroughServices,
  passthroughAnswer,
  passthroughAnswerFields,
  passthroughFields,
  passthroughOf,
} from '../../definitions/passthrough_answer.ts';
import { credits } from '../../definitions/price.ts';
import { enumSynonyms, inUnit, withAliases, withCoercion } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import { MOCKUP_SIDE_PX_MAX } from '../../definitions/tool_limits.ts';

const surfaceField = z.enum(['flat', 'cylinder', 'cloth']);
const fitField = z.enum(['contain', 'cover', 'fill']);
const productField = z.enum([
  'tshirt',
  'poster',
  'canvas',
  'phone_case',
  'mug',
  'tote_bag',
  'framed_print',
  'hoodie',
  'cap',
  'cushion',
  'notebook',
  'book',
  'business_card',
  'sticker',
  'laptop',
  'phone',
  'bottle',
  'box',
  'billboard',
]);

/** Fields of the client's photo and its target area. */
const sceneFields = {
  scene: withAliases(
    briefly(
      imageField
        .optional()
        .describe(
          'Your own photo of a room, screen, poster, box or shirt to place the artwork in, instead of a product.',
        )
        .meta({ title: 'Your photo' }),
      'Instead of product.',
    ),
    ...['photo', 'room', 'scene_image', 'scene_url', 'scene_b64', 'mockup_photo', 'background_image'],
  ),
  corners: withAliases(
    withCoercion(
      shownAs(
        quad()
          .optional()
          .describe(
            'Where on the scene: upper left, upper right, lower right, lower left, each [x, y] in px or "%". Default: a blank surface is detected.',
          )
          .meta({ title: 'Corners on your photo' }),
        { type: 'array', items: { type: 'array' }, description: '[x, y] × 4 on scene.' },
      ),
      cornersOf,
    ),
    ...['quad', 'points', 'surface_corners', 'area'],
  ),
  scene_mask: withAliases(
    briefly(
      imageField
        .optional()
        .describe(
          'White where the artwork is visible, black for objects in front of it. Default: objects that overlap a blank surface stay in front.',
        )
        .meta({ title: 'Mask of your photo' }),
      'White: visible.',
    ),
    ...['occlusion', 'occlusion_mask', 'mask', 'mask_image'],
  ),
  surface: withCoercion(
    briefly(
      surfaceField
        .optional()
        .describe(
          'Surface of the scene: flat, round as a mug or bottle, or cloth with folds. Default: detected.',
        )
        .meta({ title: 'Surface' }),
      'Of scene.',
    ),
    enumSynonyms({
      bottle: 'cylinder',
      mug: 'cylinder',
      curved: 'cylinder',
      fabric: 'cloth',
      shirt: 'cloth',
    }),
  ),
  fit: withCoercion(
    briefly(
      fitField
        .optional()
        .describe(
          'cover fills the surface of the scene or product, contain shows all of it; fill stretches it, on a scene only. Absent: fills it; a motif, or art on cloth, is shown whole.',
        )
        .meta({ title: 'Fit' }),
      '',
    ),
    enumSynonyms({ fit: 'contain', crop: 'cover', stretch: 'fill' }),
  ),
};

/** Default background; billboards have a sky instead. */
const PAPER = '#f5f5f5';
/** Side of a preview, within a megapixel. */
const PREVIEW_SIDE_PX = 1000;

const input = z.object({
  image: imageField,
  product: withAliases(
    withCoercion(
      briefly(
        productField
          .default('tshirt')
          .describe(
            'framed_print: over a sofa. Cases, cushions, covers, cards, screens, boxes and billboards are filled around the subject, unless parts of it are transparent; others show all.',
          ),
        '',
      ),
      enumSynonyms({
        tee: 'tshirt',
        t_shirt: 'tshirt',
        shirt: 'tshirt',
        totebag: 'tote_bag',
        bag: 'tote_bag',
        cup: 'mug',
        room: 'framed_print',
        living_room: 'framed_print',
        framed_poster: 'framed_print',
        wall_art: 'framed_print',
        sweatshirt: 'hoodie',
        hooded_sweatshirt: 'hoodie',
        hat: 'cap',
        baseball_cap: 'cap',
        pillow: 'cushion',
        throw_pillow: 'cushion',
        journal: 'notebook',
        book_cover: 'book',
        visiting_card: 'business_card',
        card: 'business_card',
        sticker_sheet: 'sticker',
        stickers: 'sticker',
        macbook: 'laptop',
        laptop_screen: 'laptop',
        iphone: 'phone',
        smartphone: 'phone',
        phone_screen: 'phone',
        label: 'bottle',
        bottle_label: 'bottle',
        packaging: 'box',
        packaging_box: 'box',
        carton: 'box',
        hoarding: 'billboard',
        advertising_board: 'billboard',
        outdoor_advertising: 'billboard',
      }),
    ),
    ...['product_type', 'item', 'mockup', 'mockup_type', 'template', 'merch'],
  ),
  view: withAliases(
    withCoercion(
      briefly(z.enum(['front', 'angle']).default('front').describe('angle: turned, or from above.'), ''),
      enumSynonyms({ straight: 'front', flat: 'front', side: 'angle', perspective: 'angle', '3d': 'angle' }),
    ),
    ...['perspective', 'camera', 'camera_angle'],
  ),
  size: withAliases(
    withCoercion(
      z
        .int()
        .min(500)
        .max(MOCKUP_SIDE_PX_MAX)
        .default(2000)
        .describe('Side length in px.')
        .meta({ title: 'Side, px' }),
      inUnit('px'),
    ),
    ...['width', 'side', 'resolution'],
  ),
  ...sceneFields,
  background_color: withAliases(
    briefly(
      hexColorField
        .default(PAPER)
        .describe(
          'Hex colour behind the product; only its shadow changes it. A billboard has a blue sky by default.',
        )
        .meta({ title: 'Background' }),
      'Hex.',
    ),
    ...['background', 'bg_color', 'bg', 'backdrop', 'backdrop_color'],
  ),
  product_color: withAliases(
    briefly(
      hexColorField
        .optional()
        .describe(
          'Hex colour of cloth, cover, glass, metal or frame. Default: that of the material, such as white, raw cotton or dark oak.',
        )
        .meta({ title: 'Colour of the product' }),
      'Hex.',
    ),
    ...[
      'mug_color',
      'shirt_color',
      'tshirt_color',
      'case_color',
      'bag_color',
      'frame_color',
      'garment_color',
      'item_color',
    ],
  ),
  output: outputField,
  ...passthroughFields,
});

export const mockupImage = defineTool({
  name: 'mockup_image',
  title: 'Show it on a product',
  category: 'creative',
  toolset: 'print',
  summary: 'Show artwork on a product, over a sofa or in your photo, like a photograph.',
  instead: { print_ready: 'for the file to print' },
  words:
    'mockup, t-shirt, tshirt, shirt, mug, poster or painting framed on a wall, in a room, above a sofa, canvas, phone case, tote bag, product preview, merchandise, print on demand, what my design looks like on a product, wear it, pattern, logo or art on bags, shirts, in a living room, interior, what it would look like to sell it, visualise my design on a product, photorealistic preview on the wall, merch, cup, picture of a cup with our logo, etsy listing photo, frame, framed print, canvas print preview, try a design on clothes, mock up, cushion, case, what would it look like as merchandise, place artwork in a scene, hanging in a flat, gallery wall, bedroom, pillow, smartphone cover, sweatshirt, totebag, beaker, redbubble, printful, shop listing, presentation of a design to a client, dress, wear my art, poster frame, lifestyle photo, advert, hoodie, baseball cap, hat, notebook, journal, book cover, business card, visiting card, sticker sheet, die-cut stickers, laptop screen, phone screen, app screenshot on a device, bottle label, packaging box, over a sofa, billboard, outdoor advertising board',
  price: credits(1),
  input,
  output: z.object({
    ...imageAnswer,
    ...passthroughAnswerFields,
    ...ingredientsAnswer,
    product: productField.nullable().describe('null: shown in the scene sent.'),
    background_color: z.string(),
    scene: z
      .object({
        corners: z
          .array(z.array(z.number()))
          .describe(
            'Corners of the surface in px of the scene as sent; correct and resend them if they are off.',
          ),
        found_by: z
          .enum(['caller', 'frame', 'area'])
          .describe(
            'frame: a blank area with straight sides; area: the centre of an even area, such as a shirt.',
          ),
        surface: surfaceField,
        fit: fitField,
        hidden_percent: z
          .int()
          .min(0)
          .max(100)
          .describe('Share of the surface hidden by objects in front of it.'),
      })
      .optional(),
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64, product: 'mug' },
    {
      image: EXAMPLE_PNG_B64,
      product: 'tshirt',
      product_color: '#22304a',
      background_color: '#ffffff',
      output: 'url',
    },
  ],
  next: ({ product, result, content_type }, { image }, { wallet }) => [
    ...(product !== null && product in SHEETS
      ? [
          {
            action: 'Have it printed',
            tool: 'print_ready',
            why: 'Makes the sheet a printer accepts, with bleed and a preflight report',
            params: { image: handleIn(image), ...SHEETS[product as keyof typeof SHEETS] },
          },
        ]
      : []),
    {
      action: 'Show it on another product',
      tool: 'mockup_image',
      why: 'The same artwork on another product',
      params: { image: handleIn(image), product: product === 'mug' ? 'tshirt' : 'mug' },
    },
    {
      action: 'Save the image',
      tool: 'save_asset',
      why: 'result_url expires after 24 hours; an asset does not',
      params: { wallet, key: `mockups/${result.slice('result:'.length)}`, data: result, content_type },
    },
  ],
  preview: {
    scaled: ({ size, corners, ...input }, _scale, { scene }) => ({
      ...input,
      size: Math.min(size, PREVIEW_SIDE_PX),
      corners: corners && scene && partsOf(corners, scene).map((point) => point.map(percent)),
    }),
  },
  run(input, services: PassthroughServices, call) {
    return input.scene
      ? showInScene({ ...input, scene: input.scene }, services, call)
      : showOnProduct(input, services, call);
  },
});

type Sent = z.output<typeof input>;

/** Parameters of `print_ready` for products that are printed on sheets. */
const SHEETS = {
  poster: { product_size: 'a3' },
  canvas: { product_size: 'a3' },
  framed_print: { product_size: 'a3' },
  business_card: { product_size: 'custom', custom_width_mm: 85, custom_height_mm: 55 },
} as const;

async function showOnProduct(
  { image, output, product, view, size, fit, background_color, product_color, ...asked }: Sent,
  services: PassthroughServices,
  call: CallContext,
) {
  const { engine, lostPercent, magnification, isBlank, ...picture } = await services.pixels.run(
    'mockup',
    {
      bytes: image.bytes,
      product,
      view,
      side: size,
      carry: passthroughOf(asked),
      ...(background_color !== PAPER && { background: rgbOfHex(background_color) }),
      ...(fit !== undefined && { fit: fit === 'contain' ? 'contain' : 'cover' }),
      ...(product_color !== undefined && { color: rgbOfHex(product_color) }),
    },
    { pixels: image.width * image.height + PIXELS_OF_A_PIXEL * size * size, ...call },
  );
  const on = product === 'phone_case' ? 'case' : 'surface';
  for (const note of notesOn({ lostPercent, magnification, isBlank }, on)) call.warn(note);
  if (fit === 'fill') call.warn('fit "fill" is supported on a scene only; "cover" was used.');
  return {
    ...(await passthroughAnswer(services, picture, { image, ...KEPT, output }, call)),
    product,
    background_color,
    engine,
    degraded: false,
  };
}

async function showInScene(
  {
    image,
    scene,
    scene_mask,
    corners,
    surface,
    fit,
    size,
    output,
    background_color,
    ...asked
  }: Sent & {
    scene: SourceImage;
  },
  services: PassthroughServices,
  call: CallContext,
) {
  const { engine, lostPercent, magnification, isBlank, foundBy, hiddenPercent, ingredients, ...made } =
    await services.pixels.run(
      'mockup_in_photo',
      {
        bytes: image.bytes,
        photo: scene.bytes,
        side: size,
        carry: passthroughOf(asked),
        ...(corners && { corners: partsOf(corners, scene) }),
        ...(scene_mask && { mask: scene_mask.bytes }),
        ...(surface && { surface }),
        ...(fit && { fit }),
      },
      {
        pixels: heldInScene({ image, scene, scene_mask, size }),
        ...call,
      },
    );
  const { corners: found, surface: used, fit: fitted, ...picture } = made;
  if (foundBy === 'area') call.warn(NO_FRAME);
  const components = await componentsOf(ingredients, { scene }, services, call);
  for (const note of notesOn({ lostPercent, magnification, isBlank }, 'surface')) call.warn(note);
  return {
    ...(await passthroughAnswer(services, picture, { image, ...KEPT, output, components }, call)),
    ...ingredientsOf(ingredients),
    product: null,
    background_color,
    scene: {
      corners: found.map(([x, y]) => [roundTo(x * scene.width, 1), roundTo(y * scene.height, 1)]),
      found_by: foundBy,
      surface: used,
      fit: fitted,
      hidden_percent: hiddenPercent,
    },
    engine,
    degraded: false,
  };
}

const pixelsOf = ({ width, height }: SourceImage): number => width * height;

/** Pixels of acquired memory. */
const heldInScene = ({
  image,
  scene,
  scene_mask,
  size,
}: Pick<Sent, 'image' | 'scene_mask' | 'size'> & { scene: SourceImage }): number =>
  pixelsOf(image) +
  PIXELS_OF_A_SCENE * pixelsOf(scene) +
  PIXELS_OF_A_PIXEL_SHOWN * Math.min(size * size, pixelsOf(scene)) +
  (scene_mask ? pixelsOf(scene_mask) : 0);

const NO_FRAME =
  'The scene has no blank surface with straight sides, so the artwork is on its largest even area, as on a shirt. To place it elsewhere, send corners; preview: true over REST shows the position free of charge.';

const KEPT = { action: 'c2pa.edited', durable: true } as const;

/** Corners as fractions of the width and height of the scene. */
const partsOf = (corners: readonly Length[][], { width, height }: SourceImage): Quad =>
  corners.map(([x, y]) => [
    resolveLength(x!, { whole: width, dpi: SCENE_DPI }) / width,
    resolveLength(y!, { whole: height, dpi: SCENE_DPI }) / height,
  ]) as unknown as Quad;

const percent = (part: number): string => `${roundTo(100 * part, 4)}%`;

/** A photo has no scale, so millimetres are converted as on a screen. CSS Values 4, 6.2 */
const SCENE_DPI = 96;

/** Memory per pixel of the image: itself, the artwork in linear RGB, and the maps of the scene. */
const PIXELS_OF_A_PIXEL = 2.5;
/** Memory per pixel of a scene while it is decoded, and of the result: 36 bytes with folds and occlusion. */
const PIXELS_OF_A_SCENE = 1;
const PIXELS_OF_A_PIXEL_SHOWN = 8;

/** Cropped share from which a warning is due, in percent. */
const LOST_PERCENT = 40;
const LOST = {
  case: 'it is cropped or lies under the cameras. Send an upright crop, about 1 : 2, or a cutout from remove_background, which is not cropped.',
  surface: 'the aspect ratio of the surface differs. Send fit: "contain" to show all of it.',
} as const;
/** Magnification from which the enlargement of the artwork is visible. */
const ENLARGED = 2.5;

function notesOn(
  { lostPercent, magnification, isBlank }: Pick<Mockup, 'lostPercent' | 'magnification' | 'isBlank'>,
  on: keyof typeof LOST,
) {
  const notes: string[] = [];
  if (isBlank) notes.push('The artwork is fully transparent, so nothing is visible.');
  if (lostPercent >= LOST_PERCENT)
    notes.push(`About ${lostPercent} % of the salient content of the artwork is not shown: ${LOST[on]}`);
  if (magnification > ENLARGED)
    notes.push(
      `The artwork was enlarged ${magnification.toFixed(1)} times and looks soft. Use upscale_image first, or send a larger image.`,
    );
  return notes;
}
