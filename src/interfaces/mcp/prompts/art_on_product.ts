import type { Prompt } from './types.ts';

export const artOnProduct: Prompt = {
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
