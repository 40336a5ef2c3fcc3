import type { Mockup } from '@atelier/imaging/mockup/mockup_image.ts';
import { z } from 'zod';
import { type CarryServices, carriedAnswer, carriedFields } from '../../definitions/carried_answer.ts';
import { carryFields, carryOf } from '../../definitions/carry_fields.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, imageAnswer, imageField, outputField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/handle_in.ts';
import { hexColorField, rgbOfHex } from '../../definitions/hex_color.ts';
import { credits } from '../../definitions/price.ts';
import { alsoCalled, alsoRead, inUnit, inWords } from '../../definitions/spellings.ts';
import { defineTool } from '../../definitions/tool.ts';
import { MOCKUP_SIDE_PX_MAX } from '../../definitions/tool_limits.ts';

const productField = z.enum(['tshirt', 'poster', 'canvas', 'phone_case', 'mug', 'tote_bag']);

export const mockupImage = defineTool({
  name: 'mockup_image',
  title: 'Show it on a product',
  category: 'creative',
  toolset: 'print',
  summary:
    'Shows artwork on a product as a photograph would: cloth with folds, mug, glass, canvas, phone case, bag.',
  instead: { print_ready: 'for the file to print' },
  words:
    'mockup, t-shirt, tshirt, shirt, mug, poster or painting framed on a wall, in a room, above a sofa, canvas, phone case, tote bag, product preview, merchandise, print on demand, what my design looks like on a product, wear it, pattern, logo or art on bags, shirts, in a living room, interior, what it would look like to sell it, visualise my design on a product, photorealistic preview on the wall, merch, cup, picture of a cup with our logo, etsy listing photo, frame, framed print, canvas print preview, try a design on clothes, mock up, cushion, case, what would it look like as merchandise, place artwork in a scene, hanging in a flat, gallery wall, bedroom, pillow, smartphone cover, sweatshirt, totebag, beaker, redbubble, printful, shop listing, presentation of a design to a client, dress, wear my art, poster frame, lifestyle photo, advert',
  price: credits(1),
  input: z.object({
    image: imageField,
    product: alsoCalled(
      alsoRead(
        productField
          .default('tshirt')
          .describe(
            'Poster and canvas keep the proportions of the artwork; a phone case is filled around the subject; others show all.',
          ),
        inWords({
          tee: 'tshirt',
          t_shirt: 'tshirt',
          shirt: 'tshirt',
          framed_print: 'poster',
          totebag: 'tote_bag',
        }),
      ),
      ...['product_type', 'item', 'mockup', 'mockup_type', 'template', 'merch'],
    ),
    view: alsoCalled(
      alsoRead(
        z.enum(['front', 'angle']).default('front').describe('angle: turned, or from above.'),
        inWords({ straight: 'front', flat: 'front', side: 'angle', perspective: 'angle', '3d': 'angle' }),
      ),
      ...['perspective', 'camera', 'camera_angle'],
    ),
    size: alsoCalled(
      alsoRead(
        z
          .int()
          .min(500)
          .max(MOCKUP_SIDE_PX_MAX)
          .default(2000)
          .describe('Pixels a side.')
          .meta({ title: 'Side, px' }),
        inUnit('px'),
      ),
      ...['width', 'side', 'resolution'],
    ),
    background_color: alsoCalled(
      hexColorField
        .default('#f5f5f5')
        .describe('Hex colour behind the product; only its shadow changes it.')
        .meta({ title: 'Background' }),
      ...['background', 'bg_color', 'bg', 'backdrop', 'backdrop_color'],
    ),
    product_color: alsoCalled(
      hexColorField
        .optional()
        .describe('Hex colour of cloth, mug or frame. Absent: white, the bag raw cotton, the frame dark oak.')
        .meta({ title: 'Colour of the product' }),
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
    ...carryFields,
  }),
  output: z.object({
    ...imageAnswer,
    ...carriedFields,
    product: productField,
    background_color: z.string(),
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
    ...(product === 'poster' || product === 'canvas'
      ? [
          {
            action: 'Have it printed',
            tool: 'print_ready',
            why: 'Makes the sheet a printer accepts, with bleed and a preflight report',
            params: { image: handleIn(image), product_size: 'a3' },
          },
        ]
      : []),
    {
      action: 'Show it on another product',
      tool: 'mockup_image',
      why: 'The same artwork on one of the other five',
      params: { image: handleIn(image), product: product === 'mug' ? 'tshirt' : 'mug' },
    },
    {
      action: 'Keep the picture',
      tool: 'save_asset',
      why: 'result_url ends after 24 hours; an asset stays',
      params: { wallet, key: `mockups/${result.slice('result:'.length)}`, data: result, content_type },
    },
  ],
  async run(
    { image, output, product, view, size, background_color, product_color, ...asked },
    { pixels, ...services }: CarryServices,
    call,
  ) {
    const { engine, lostPercent, enlarged, isBlank, ...picture } = await pixels.run(
      'mockup',
      {
        bytes: image.bytes,
        product,
        view,
        side: size,
        carry: carryOf(asked),
        background: rgbOfHex(background_color),
        ...(product_color !== undefined && { color: rgbOfHex(product_color) }),
      },
      { pixels: image.width * image.height + PIXELS_OF_A_PIXEL * size * size, ...call },
    );
    for (const note of notesOn({ lostPercent, enlarged, isBlank })) call.warn(note);
    return {
      ...(await carriedAnswer(
        { pixels, ...services },
        picture,
        { image, action: 'c2pa.edited', durable: true, output },
        call,
      )),
      product,
      background_color,
      engine,
      degraded: false,
    };
  },
});

/** What is held for each pixel of the picture: itself, the artwork in linear light, and the maps of the scene. */
const PIXELS_OF_A_PIXEL = 2.5;

/** From here on a buyer would miss what is cut away. */
const LOST_PERCENT = 40;
/** From here on the artwork is seen to be enlarged. */
const ENLARGED = 2.5;

function notesOn({ lostPercent, enlarged, isBlank }: Pick<Mockup, 'lostPercent' | 'enlarged' | 'isBlank'>) {
  const notes: string[] = [];
  if (isBlank) notes.push('The artwork is wholly transparent: nothing of it is to be seen.');
  if (lostPercent >= LOST_PERCENT)
    notes.push(
      `The case does not show about ${lostPercent} % of what stands out in the artwork: it is cut away or lies under the cameras. Send an upright crop, about 1 : 2, or a cut-out from remove_background, which stays whole.`,
    );
  if (enlarged > ENLARGED)
    notes.push(
      `The artwork is enlarged ${enlarged.toFixed(1)} times here and looks soft: upscale_image first, or send a larger one.`,
    );
  return notes;
}
