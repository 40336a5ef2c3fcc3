import type { PageFileName } from '../../../core/html/page_files.ts';

/** Result of a tool for a sample (`scripts/make_tool_pictures.ts`): an image, or facts from its response. */
interface ShownResult {
  /** Name of the input sample. Unset: the tool takes no image. */
  readonly sample?: string;
  readonly image?: {
    readonly file: PageFileName;
    readonly alt: string;
    readonly width: number;
    readonly height: number;
    readonly isTransparent?: true;
  };
  /** Name and value, at most five. */
  readonly facts?: readonly (readonly [string, string])[];
  /** Further fields of a call with `preview: true` that shows the effect on any image. */
  readonly preview?: Readonly<Record<string, string>>;
  /** The preview takes seconds: it runs after the others, one at a time. */
  readonly isSlow?: true;
}

const image = (file: PageFileName, alt: string, [width, height]: readonly [number, number]) => ({
  file,
  alt,
  width,
  height,
});

const WIDE = [640, 480] as const;
const SQUARE = [480, 480] as const;

/** A poster of any image: the image above, a title below it. */
const POSTER = JSON.stringify([
  { type: 'image', image: '$image', box: { x: 40, y: 40, width: 520, height: 560 }, fit: 'cover' },
  {
    type: 'text',
    text: 'Open studio',
    font: 'serif',
    weight: 700,
    color: '#181818',
    box: { x: 40, y: 616, width: 520, height: 96 },
  },
  {
    type: 'text',
    text: 'Saturday, 10 to 16',
    color: '#444444',
    box: { x: 40, y: 714, width: 300, height: 44 },
  },
]);

/** By the name of the tool. */
export const SHOWN_RESULTS: Readonly<Record<string, ShownResult>> = {
  edit_image: {
    sample: 'still_life',
    image: image(
      'tool_edit_image.webp',
      'The still life cropped to the pears, warmer, in a white frame',
      SQUARE,
    ),
    preview: {
      operations: JSON.stringify([
        { op: 'crop', aspect: '1:1' },
        { op: 'adjust', saturation: -1, contrast: 0.2 },
        { op: 'border', width: '4%', color: 'white' },
      ]),
    },
  },
  erase_object: {
    sample: 'still_life',
    image: image(
      'tool_erase_object.webp',
      'The same corner twice: with a “Sold” stamp on the wall, and with the stamp erased',
      WIDE,
    ),
  },
  resize_image: {
    sample: 'still_life',
    image: image('tool_resize_image.webp', 'The still life in three sizes', [640, 248]),
  },
  convert_image: {
    sample: 'still_life',
    facts: [
      ['PNG (original)', '2.2 MB'],
      ['JPEG', '133 kB'],
      ['AVIF', '53 kB'],
      ['WebP', '51 kB'],
    ],
  },
  upscale_image: {
    sample: 'still_life',
    image: image(
      'tool_upscale_image.webp',
      'Pears enlarged four times; the left half shows the original pixels',
      WIDE,
    ),
    isSlow: true,
    preview: {},
  },
  compare_upscalers: {
    sample: 'still_life',
    image: image(
      'tool_compare_upscalers.webp',
      'One detail of the still life, enlarged by each network',
      [640, 339],
    ),
  },
  remove_background: {
    sample: 'pear',
    image: {
      ...image('made_cut_out.webp', 'A pear without its background', SQUARE),
      isTransparent: true,
    },
    isSlow: true,
    preview: {},
  },
  compose_image: {
    sample: 'still_life',
    image: image(
      'tool_compose_image.webp',
      'A poster: the still life above the text “Open studio”',
      [480, 640],
    ),
    preview: { canvas: JSON.stringify({ width: 600, height: 800, background: '#f4f1ea' }), layers: POSTER },
  },
  make_variants: {
    sample: 'still_life',
    image: image('tool_make_variants.webp', 'The still life in the sizes of social media', WIDE),
    preview: { set: 'social' },
    isSlow: true,
  },
  vectorize_image: {
    sample: 'badge',
    image: image(
      'tool_vectorize_image.webp',
      'A detail of the badge: pixels on the left, redrawn as sharp shapes on the right',
      SQUARE,
    ),
    preview: { force: 'true' },
    isSlow: true,
  },
  extract_palette: {
    sample: 'still_life',
    image: image('made_palette.svg', 'Six main colours of the still life with names and percentages', SQUARE),
    preview: {},
  },
  mockup_image: {
    sample: 'still_life',
    image: image('tool_mockup_image.webp', 'The still life on a mug', SQUARE),
    preview: { product: 'mug' },
  },
  print_ready: {
    sample: 'still_life',
    image: image(
      'tool_print_ready.webp',
      'The still life on a print sheet with bleed and crop marks',
      [640, 467],
    ),
  },
  convert_color_profile: {
    sample: 'badge',
    image: image(
      'tool_convert_color_profile.webp',
      'The badge as it looks on screen and, to the right, in print',
      SQUARE,
    ),
  },
  preflight_file: {
    facts: [
      ['File', 'PDF/X-4, 1 page'],
      ['Rules checked', '79'],
      ['Errors', '0'],
      ['Warnings', '0'],
    ],
  },
  watermark_embed: {
    sample: 'still_life',
    image: image(
      'tool_watermark_embed.webp',
      'The watermarked still life; the right half shows the watermark, amplified 20 times',
      WIDE,
    ),
  },
  watermark_detect: {
    sample: 'telling_pear',
    facts: [
      ['Watermark', 'found'],
      ['Text', 'A pear, drawn for Atelier'],
      ['False positive', '3 in 100 billion'],
    ],
  },
  register_hash: {
    sample: 'still_life',
    facts: [
      ['Title', 'Still life with jug'],
      ['Registered', '26 Nov 2026, 18:31 UTC'],
      ['Earlier registrations', 'none'],
      ['Hash quality', '100 of 100'],
    ],
  },
  verify_provenance: {
    sample: 'still_life',
    image: image(
      'tool_verify_provenance.webp',
      'A rotated copy with a painted spot, and a map that shows the spot in red',
      WIDE,
    ),
  },
  infuse_metadata: {
    sample: 'still_life',
    facts: [
      ['Title', 'Still life with jug'],
      ['Creator', 'Ada'],
      ['AI training', 'not allowed'],
      ['Written to', 'XMP and Exif, signed'],
    ],
  },
  enrich_metadata: {
    sample: 'still_life',
    facts: [
      ['Title', 'Green jug beside two pears on a cloth'],
      ['Keywords', 'jug, pear, plum, cherry, cloth, …'],
      ['Alt text', 'A green jug beside two pears on a cloth on a wooden table.'],
    ],
  },
  read_text: {
    image: image(
      'tool_read_text.webp',
      'A poster with a frame around each recognised line of text',
      [480, 640],
    ),
  },
  inspect_image: {
    sample: 'still_life',
    facts: [
      ['Format', 'PNG, 8 bits'],
      ['Size', '1,280 × 960 px'],
      ['Colours', 'sRGB, with transparency'],
      ['Location data', 'none'],
    ],
  },
  search_artworks: {
    facts: [
      ['still life', 'Still Life with Peonies'],
      ['', 'Still Life with Peacocks'],
      ['', 'Still Life with Game Fowl'],
      ['', 'Still Life—Strawberries, Nuts, &c.'],
    ],
  },
  get_artwork: {
    facts: [
      ['Title', 'Wheat Field with Cypresses'],
      ['Artist', 'Vincent van Gogh, 1889'],
      ['Medium', 'oil on canvas'],
      ['Museum', 'The Met, New York'],
    ],
  },
  get_artwork_oracle: {
    facts: [
      ['Sections', '8'],
      ['Fields', 'up to 111'],
      ['Each field', 'with basis and confidence'],
    ],
  },
  batch_download: {
    facts: [
      ['Per call', 'hundreds of works'],
      ['Formats', 'JSON, JSON Lines'],
    ],
  },
  compliance_manifest: {
    facts: [
      ['California', 'AB 2013'],
      ['European Union', 'AI Act'],
    ],
  },
};
