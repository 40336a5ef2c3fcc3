import type { OutputFormat } from '@atelier/imaging/encoders/formats.ts';
import type { MadeVariant, Variant } from '@atelier/imaging/variants/make_variants.ts';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { FoundPlaces } from '../../../core/workers/find_places.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import { briefly } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { engineAnswer, fileFacts, hexColorField, imageField } from '../../definitions/fields.ts';
import { handleIn } from '../../definitions/images_in.ts';
import { metadataAnswer, metadataOf, passthroughOf } from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { enumSynonyms, sidesIn, withAliases, withCoercion } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { VARIANT_PIXELS_MAX, VARIANT_SIDE_PX_MAX, VARIANTS_MAX } from '../limits.ts';
import { SIZES_OF, VARIANT_SET_NAMES, VARIANT_SETS, type VariantSet } from './variant_sets.ts';

const FORMATS = ['png', 'jpeg', 'webp', 'avif'] as const satisfies readonly OutputFormat[];
const ENDINGS: Readonly<Record<(typeof FORMATS)[number], string>> = {
  png: 'png',
  jpeg: 'jpg',
  webp: 'webp',
  avif: 'avif',
};
const formatField = withCoercion(z.enum(FORMATS), enumSynonyms({ jpg: 'jpeg' }));
const side = z.int().min(1).max(VARIANT_SIDE_PX_MAX);
const NAME = /^[\w][\w .@-]*$/;
const sizeField = z.strictObject({
  name: z.string().max(80).regex(NAME, 'may only contain letters, digits, spaces and . @ _ -').optional(),
  width: side,
  height: side.optional(),
  format: formatField.optional(),
});
type CustomSize = z.output<typeof sizeField>;

const setField = withAliases(
  briefly(
    withCoercion(
      z
        .union([z.enum(VARIANT_SET_NAMES), z.array(sizeField).min(1).max(VARIANTS_MAX)])
        .describe(
          'A named set, or a list of sizes {name, width, height, format}; without height the aspect ratio is kept.',
        )
        .meta({ title: 'Set of sizes' }),
      (sent) => (Array.isArray(sent) ? sent.map(sizeIn) : setInWords(sent)),
    ),
    'Named set or [{name, width, height, format}].',
  ),
  ...['sets', 'sizes', 'preset', 'variants', 'variant_set', 'kind', 'platform', 'for', 'purpose'],
);
/** Coerces "300x200" to a size. */
function sizeIn(sent: unknown): unknown {
  const { width, height, unit } = sidesIn(sent) ?? { unit: 'none' };
  return unit === '' || unit === 'px' ? { width, height } : sent;
}

const setInWords = enumSynonyms({
  social_media: 'social',
  socials: 'social',
  favicons: 'favicon',
  icon: 'favicon',
  icons: 'app_icons',
  app_icon: 'app_icons',
  marketplace: 'shop',
  ecommerce: 'shop',
  products: 'shop',
  newsletter: 'email',
  srcset: 'responsive',
  web: 'responsive',
  website: 'responsive',
});

const count = z.int().min(0).max(1e9);
const box = z.object({ x: count, y: count, width: count, height: count });

export const makeVariants = defineTool({
  name: 'make_variants',
  title: 'Make a set of sizes',
  category: 'creative',
  summary: 'Make an image in all sizes for social media, favicons, app icons, shops, email or srcset.',
  instead: { resize_image: 'for one size' },
  words:
    'set of sizes, all sizes, every size, several sizes at once, variants, versions for every platform, social media kit, sizes for all social networks and channels, favicon.ico, apple touch icon, web manifest, app icons for ios and android, launcher icon, play store icon, marketplace product pictures for amazon, etsy, ebay and shopify, responsive images, srcset, email images, smart crop around the face or subject, icon pack, open graph image, og image, twitter card, batch of crops, breakpoints, retina versions, adaptive icon, maskable icon, pwa icons',
  price: FREE,
  input: z.object({
    image: imageField,
    set: setField,
    fit: withAliases(
      briefly(
        withCoercion(
          z
            .enum(['subject', 'cover', 'pad'])
            .default('subject')
            .describe(
              'subject: crops around faces or the subject; cover: crops to the centre; pad: does not crop.',
            )
            .meta({ title: 'Fit' }),
          enumSynonyms({ contain: 'pad', crop: 'cover', smart: 'subject', face: 'subject', auto: 'subject' }),
        ),
        'pad does not crop.',
      ),
      ...['mode', 'crop', 'gravity', 'fit_mode'],
    ),
    background: withAliases(
      briefly(
        hexColorField
          .optional()
          .describe(
            'Hex colour around and behind the image. Default: transparent if the image is, else the colour of the corners.',
          )
          .meta({ title: 'Background' }),
        'Hex.',
      ),
      ...['background_color', 'bg', 'bg_color', 'color'],
    ),
    format: withAliases(
      briefly(
        formatField
          .optional()
          .describe('Replaces the format of each size; icons keep their required format.')
          .meta({ title: 'Format' }),
        '',
      ),
      ...['output_format', 'file_type', 'file_format'],
    ),
  }),
  output: z.object({
    files: z.array(
      z.object({
        name: z.string().describe('In the ZIP.'),
        width: count,
        height: count,
        bytes: count,
        content_type: z.string(),
        shows: box.describe('The crop, in px of the image.'),
        source: z.string().optional().describe('Source of the size requirement.'),
        result: z.string(),
        result_url: z.string(),
      }),
    ),
    zip: z.string().describe('result: handle of all files in one.'),
    zip_url: z.string(),
    expires_at: fileFacts.expires_at,
    zip_bytes: count,
    located: z.string().optional().describe('Subject of the crops, and how it was detected.'),
    snippet: z
      .object({ html: z.string().optional(), manifest: z.string().optional() })
      .describe('HTML for the page; also in the ZIP.'),
    sizes_of: z.string().optional().describe('Date when the sizes were last checked against their sources.'),
    ...metadataAnswer,
    ...engineAnswer,
  }),
  effects: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  examples: [
    { image: EXAMPLE_PNG_B64, set: 'favicon' },
    {
      image: EXAMPLE_PNG_B64,
      set: [{ name: 'card', width: 64, height: 32 }],
      fit: 'pad',
      background: '#ffffff',
    },
  ],
  next: (_output, { image, set }) => [
    set === 'shop'
      ? {
          action: 'Put it on pure white first',
          tool: 'remove_background',
          why: 'Marketplaces require main images on pure white',
          params: { image: handleIn(image), background_color: '#ffffff' },
        }
      : {
          action: 'Write an alternative text',
          tool: 'enrich_metadata',
          why: 'Pages and posts need one for each image',
          params: { image: handleIn(image) },
        },
  ],
  preview: {
    scaled({ set, format, ...input }) {
      const small = variantsOf(set, format).map(({ width, height, ...variant }) => {
        const times = Math.min(1, PREVIEW_SIDE_PX / Math.max(width, height ?? 0));
        const side = (length: number) => Math.max(1, Math.round(length * times));
        return {
          ...variant,
          width: side(width),
          ...(height && { height: side(height) }),
          format: 'webp' as const,
        };
      });
      return { ...input, set: small };
    },
  },
  async run({ image, set, fit, background, format }, services: VariantServices, call) {
    const variants = variantsOf(set, format);
    refuseTooMany(variants);
    const { pixels, results } = services;
    const located =
      fit === 'subject' && variants.some(({ height }) => height)
        ? await locate(image, services, call)
        : undefined;
    const name = typeof set === 'string' ? set : '';
    const { files, zip, snippet, metadata } = await pixels.run(
      'make_variants',
      {
        bytes: image.bytes,
        variants,
        fit,
        background,
        located: located && placesOf(located),
        set: name,
        carry: passthroughOf({ keep: 'rights', keep_location: false }, { shows: 'centre' }),
      },
      { pixels: pixelsHeld(image, variants), ...call },
    );
    for (const note of notesOn(files, located)) call.warn(note);
    const kept = [];
    for (const file of files) {
      const { source } = variants.find(({ name: own }) => own === file.name)!;
      const { handle, url } = await results.keep(file.bytes, file.contentType, { fileName: file.name });
      kept.push({ ...answerOf(file), ...(source && { source }), result: handle, result_url: url });
    }
    const all = await results.keep(zip, 'application/zip');
    return {
      files: kept,
      zip: all.handle,
      zip_url: all.url,
      expires_at: all.expiresAt.toISOString(),
      zip_bytes: zip.length,
      ...(located && { located: located.reason }),
      snippet,
      ...(name && { sizes_of: SIZES_OF }),
      ...metadataOf(metadata),
      engine: { name: 'atelier-variants', version: '1' },
      degraded: false,
    };
  },
});

type VariantServices = Pick<Services, 'pixels' | 'models' | 'results'>;
/** Longer side of each variant in a preview. */
const PREVIEW_SIDE_PX = 240;

type Planned = Variant & { readonly source?: string };

/** Variants to make. Icons keep the format that their platform requires. */
function variantsOf(
  set: VariantSet | readonly CustomSize[],
  format: (typeof FORMATS)[number] | undefined,
): Planned[] {
  if (typeof set === 'string')
    return VARIANT_SETS[set].map((variant: Planned) =>
      format && variant.format !== 'ico' && set !== 'favicon' && set !== 'app_icons'
        ? { ...variant, format, quality: undefined, name: renamed(variant.name, format) }
        : variant,
    );
  return set.map(({ name, width, height, format: own, ...more }) => {
    const wanted = own ?? format ?? formatIn(name) ?? 'png';
    const named = renamed(name ?? `${width}x${height ?? 'auto'}`, wanted);
    return { ...more, name: named, width, height, format: wanted };
  });
}

const ENDING = /\.(png|jpe?g|webp|avif)$/i;
const renamed = (name: string, format: (typeof FORMATS)[number]): string =>
  `${name.replace(ENDING, '')}.${ENDINGS[format]}`;

function formatIn(name = ''): (typeof FORMATS)[number] | undefined {
  const ending = ENDING.exec(name)?.[1]?.toLowerCase();
  return ending === 'jpg' ? 'jpeg' : (ending as (typeof FORMATS)[number] | undefined);
}

/** Checks the variants. @throws AtelierError invalid_input for duplicate names, or too many pixels in total */
function refuseTooMany(variants: readonly Planned[]): void {
  const names = variants.map(({ name }) => name.toLowerCase());
  const double = names.find((name, at) => names.indexOf(name) < at);
  const pixels = pixelsOf(variants);
  const message = double
    ? `has ${double} twice; each file needs a unique name`
    : `has ${Math.ceil(pixels / 1e6)} million pixels; the limit per call is ${VARIANT_PIXELS_MAX / 1e6} million`;
  if (!double && pixels <= VARIANT_PIXELS_MAX) return;
  throw new AtelierError('invalid_input', `set ${message}.`, {
    members: { errors: [{ field: 'set', code: double ? 'invalid' : 'too_large', message }] },
  });
}

/** Pixels of the variants; one without height counts as a square. */
const pixelsOf = (variants: readonly Planned[]): number =>
  variants.reduce((sum, { width, height }) => sum + width * (height ?? width), 0);

/** Peak pixels: the image, its smaller copies, and the variants as pixels and files. */
const pixelsHeld = (image: SourceImage, variants: readonly Planned[]): number =>
  Math.ceil(1.4 * image.width * image.height) + 2 * pixelsOf(variants);

async function locate(
  image: SourceImage,
  { pixels, models }: VariantServices,
  call: CallContext,
): Promise<FoundPlaces> {
  const { onIntake: _, ...quiet } = call;
  const finders = await models.placeFinders();
  return pixels.run(
    'find_places',
    { bytes: image.bytes, place: 'subject', finders, otherwise: 'next' },
    { pixels: image.width * image.height, ...quiet },
  );
}

function placesOf({ found, boxes, faces = [], by }: FoundPlaces) {
  const isIsolated = by === 'own_transparency' || by === 'flat_background';
  return found === 'faces' ? { faces: boxes, places: [], isIsolated } : { faces, places: boxes, isIsolated };
}

const answerOf = ({ name, width, height, bytes, contentType, box: shows }: MadeVariant) => ({
  name,
  width,
  height,
  bytes: bytes.length,
  content_type: contentType,
  shows,
});

function notesOn(files: readonly MadeVariant[], located: FoundPlaces | undefined): string[] {
  const large = files.filter(({ enlarged = 1 }) => enlarged > 1);
  const cut = files.filter(({ facesCut }) => facesCut > 0);
  const most = Math.max(...large.map(({ enlarged = 1 }) => enlarged));
  const namesOf = (some: readonly MadeVariant[]) => some.map(({ name }) => name).join(', ');
  return [
    ...(located && located.found !== 'subject' ? [located.reason] : []),
    ...(cut.length > 0
      ? [
          `A face does not fit the aspect ratio of ${namesOf(cut)} and is cropped. To avoid cropping, send fit "pad".`,
        ]
      : []),
    ...(large.length > 0
      ? [
          `The image is too small for ${namesOf(large)} and was enlarged up to ${most.toFixed(1)} times. Use upscale_image first for more detail.`,
        ]
      : []),
  ];
}
