import { type Answer, isIgnored, type Job, type World } from './job.ts';

const isPdf = ({ content_type }: Answer) => content_type === 'application/pdf';
const hasFile = ({ result_url }: Answer) => typeof result_url === 'string';

/** Print sheets and products. */
export const printJobs = ({ photo, logo }: World): Job[] => [
  {
    wish: 'A print-ready A3 PDF of the photo.',
    firstCalls: [
      ['print_ready', { image: photo, product_size: 'a3', output_format: 'pdf' }],
      ['print_ready', { image: photo, product_size: 'A3', output_format: 'PDF' }],
      ['print_ready', { image: photo, size: 'A3', output_format: 'pdf' }],
      ['print_ready', { image: photo, product_size: 'A3', dpi: '300', format: 'pdf' }],
    ],
    isDone: isPdf,
  },
  {
    wish: 'A card of 100 by 150 mm with 5 mm bleed.',
    firstCalls: [
      [
        'print_ready',
        { image: photo, product_size: 'custom', custom_width_mm: 100, custom_height_mm: 150, bleed_mm: 5 },
      ],
      [
        'print_ready',
        {
          image: photo,
          product_size: 'custom',
          custom_width_mm: '100',
          custom_height_mm: '150',
          bleed_mm: '5',
        },
      ],
      [
        'print_ready',
        {
          image: photo,
          product_size: 'custom',
          custom_width_mm: '100mm',
          custom_height_mm: '150 mm',
          bleed_mm: '5mm',
        },
      ],
      ['print_ready', { image: photo, custom_width_mm: 100, custom_height_mm: 150, bleed_mm: 5 }],
    ],
    isDone: (answer) => answer.trim_mm.width === 100 && answer.trim_mm.height === 150,
  },
  {
    wish: 'A poster of 24 by 36 inches at 150 dpi.',
    firstCalls: [
      ['print_ready', { image: photo, product_size: 'poster_24x36', dpi: 150 }],
      ['print_ready', { image: photo, product_size: 'poster_24x36', dpi: '150' }],
      ['print_ready', { image: photo, product_size: '24x36', dpi: 150 }],
      ['print_ready', { image: photo, product_size: 'Poster 24x36', dpi: 150.0 }],
    ],
    isDone: hasFile,
  },
  {
    wish: 'Show our logo on a black mug.',
    firstCalls: [
      ['mockup_image', { image: logo, product: 'mug', product_color: '#000000' }],
      ['mockup_image', { image: logo, product: 'Mug', product_color: 'black' }],
      ['mockup_image', { image: logo, product: 'mug', color: '#000' }],
      ['mockup_image', { image: logo, product: 'mug', product_color: '000000', background_color: null }],
    ],
    isDone: (answer) => answer.product === 'mug' && !isIgnored(answer, 'color'),
  },
  {
    wish: 'The logo on a T-shirt in front of white.',
    firstCalls: [
      ['mockup_image', { image: logo, product: 'tshirt', background_color: '#fff' }],
      ['mockup_image', { image: logo, product: 't-shirt', background_color: 'white' }],
      ['mockup_image', { image: logo, product: 'T-Shirt', background_color: '#FFFFFF' }],
      ['mockup_image', { image: logo, background_color: 'White' }],
    ],
    isDone: ({ product, ...answer }) => product === 'tshirt' && hasFile(answer),
  },
];
