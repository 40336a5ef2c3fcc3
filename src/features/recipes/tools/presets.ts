import type { Step } from '../../definitions/tool.ts';

/** A built-in recipe, called by its name. */
export interface Preset {
  readonly name: string;
  readonly title: string;
  /** Description in one sentence. */
  readonly about: string;
  /** Its inputs: description and default. */
  readonly inputs: Readonly<Record<string, { readonly about: string; readonly otherwise?: unknown }>>;
  readonly steps: readonly Step[];
}

const picture = { about: 'The image: a handle, an https:// URL or base64.' };

/** Recipes for common tasks. */
export const presets: readonly Preset[] = [
  {
    name: 'photo_to_print',
    title: 'From a photo to print',
    about: 'A print-ready sheet with a preflight report, and the photo as a framed poster.',
    inputs: {
      photo: picture,
      size: { about: 'Size of the sheet, as in print_ready.', otherwise: 'a3' },
    },
    steps: [
      { save_as: 'sheet', tool: 'print_ready', params: { image: '$photo', product_size: '$size' } },
      { save_as: 'view', tool: 'mockup_image', params: { image: '$photo', product: 'poster' } },
    ],
  },
  {
    name: 'logo_to_merchandise',
    title: 'From a logo to merchandise',
    about: 'The logo without background, as a vector drawing, and on a shirt, a mug and a bag.',
    inputs: { logo: picture },
    steps: [
      { save_as: 'cut', tool: 'remove_background', params: { image: '$logo' } },
      { save_as: 'drawing', tool: 'vectorize_image', params: { image: '$cut' } },
      { save_as: 'shirt', tool: 'mockup_image', params: { image: '$cut', product: 'tshirt' } },
      { save_as: 'mug', tool: 'mockup_image', params: { image: '$cut', product: 'mug' } },
      { save_as: 'bag', tool: 'mockup_image', params: { image: '$cut', product: 'tote_bag' } },
    ],
  },
  {
    name: 'mark_register_infuse',
    title: 'Watermark, register and describe an image',
    about: 'An invisible watermark, a registration, and the creator in the file.',
    inputs: {
      picture,
      title: { about: 'Title of the image.' },
      artist: { about: 'Creator; also the text of the watermark.' },
    },
    steps: [
      { save_as: 'marked', tool: 'watermark_embed', params: { image: '$picture', payload: '$artist' } },
      {
        save_as: 'registered',
        tool: 'register_hash',
        params: { image: '$marked', title: '$title', artist: '$artist' },
      },
      {
        save_as: 'infused',
        tool: 'infuse_metadata',
        params: { image: '$marked', metadata: { title: '$title', creator: '$artist' } },
      },
    ],
  },
  {
    name: 'label_ai',
    title: 'Label an image as made by AI',
    about: 'Writes the AI system into the file and its pixels, as two laws require, and verifies the result.',
    inputs: {
      picture,
      system: { about: 'Name of the AI system.' },
      version: { about: 'Its version.' },
      provider: { about: 'Provider of the AI system.' },
      generated_at: { about: 'Time of creation, ISO 8601.' },
    },
    steps: [
      {
        save_as: 'labelled',
        tool: 'infuse_metadata',
        params: {
          image: '$picture',
          metadata: {},
          ai: {
            system: '$system',
            version: '$version',
            provider: '$provider',
            generated_at: '$generated_at',
          },
        },
      },
      { save_as: 'seen', tool: 'verify_provenance', params: { image: '$labelled' } },
    ],
  },
];
