import { imageArgument } from './arguments.ts';
import type { Prompt } from './types.ts';

const clearRights: Prompt = {
  name: 'clear_rights',
  title: "Clear a picture's rights",
  description:
    'What can be known of where a picture comes from, who holds its rights and whether a machine made it.',
  arguments: [imageArgument],
  goal: () => 'Find out whether I may use this picture.',
  steps: ({ image }) => [
    {
      tool: 'verify_provenance',
      params: { image },
      say: 'Read marked_as_ai, verdict, matches and rights_policy. Unknown means that it is not registered here, not that it is free.',
    },
    { tool: 'watermark_detect', params: { image }, say: 'A mark that is found may name its owner.' },
    {
      tool: 'search_artworks',
      params: { query: '', like: image, limit: 5 },
      say: 'Is it a museum work? Those here are in the public domain.',
    },
  ],
};

const photoToPrint: Prompt = {
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

const UNKNOWN = 'not said';

const markAiPicture: Prompt = {
  name: 'mark_ai_picture',
  title: 'Mark an AI picture',
  description:
    'Labels a picture as made by AI the way two laws ask: metadata and an invisible mark, both checked.',
  arguments: [
    imageArgument,
    { name: 'system', description: 'Name of the AI system.', required: true },
    { name: 'version', description: 'Its version.', required: false },
    { name: 'provider', description: 'Who provides it.', required: false },
    { name: 'title', description: 'Title of the picture.', required: false },
  ],
  goal: ({ system }) => `Mark my picture as made by ${system}, so that people and programs can tell.`,
  steps: ({ image, system, version = UNKNOWN, provider = UNKNOWN, title = 'Untitled' }) => [
    {
      tool: 'infuse_metadata',
      params: {
        image,
        metadata: { title },
        ai: { system, version, provider, generated_at: new Date().toISOString() },
        dry_run: true,
      },
      say: 'Tell me the price, put the time it was made in its place, and run it without dry_run once I agree. Ask me for version and provider where they are not said.',
    },
    {
      tool: 'verify_provenance',
      params: { image },
      say: 'With the result instead: check that marked_as_ai is yes, and tell me which layers speak and which measures are met.',
    },
  ],
};

const artOnProduct: Prompt = {
  name: 'art_on_product',
  title: 'Find art and put it on a product',
  description: 'Finds a public-domain museum work and shows it on a product.',
  arguments: [
    { name: 'subject', description: 'What it shows, or who made it.', required: true },
    {
      name: 'product',
      description: 'The product; a tshirt where none is named.',
      required: false,
      valuesOf: ['mockup_image', 'product'],
    },
    {
      name: 'museum',
      description: 'Only works of this museum.',
      required: false,
      valuesOf: ['search_artworks', 'museum'],
    },
  ],
  goal: ({ subject, product = 'tshirt' }) => `Find me museum art of ${subject} and show it on a ${product}.`,
  steps: ({ subject, product = 'tshirt', museum = '' }) => [
    {
      tool: 'search_artworks',
      params: { query: subject, museum, limit: 10 },
      say: 'Offer me three with image_available, each with artist, date and museum.',
    },
    {
      tool: 'get_artwork',
      params: { artifact_id: 'met_436532', dry_run: true },
      say: 'With the credit_id I chose: tell me the price, and check its licence.',
    },
    {
      tool: 'mockup_image',
      params: { image: 'artwork:met_436532', product, dry_run: true },
      say: 'With artwork:<credit_id>: tell me the price, run it without dry_run once I agree, and show me the picture.',
    },
  ],
};

/** All prompts. */
export const prompts: readonly Prompt[] = [photoToPrint, clearRights, markAiPicture, artOnProduct];
