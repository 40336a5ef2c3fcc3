import { ASSET_KEY, type CallsByWish, MARK, type World } from '../job.ts';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';

/** A small additional set, written after changes for the others, and before it was played. */
export const freshCalls = (world: World): CallsByWish => {
  const { photo, photoBase64, photoDataUri, photoResult, photoUrl, logo, marked, markedUrl, wallet } = world;
  return {
    'Make this photo 500 pixels wide and keep its proportions.': [
      ['resize_image', { image_input: photo, output_width: 500 }],
      ['resize_image', { image: photo, new_size: [500, null] }],
      ['resize_image', { pic: photoUrl, width_px: 500 }],
    ],
    'Crop it to a 300 by 200 JPEG.': [
      ['resize_image', { image: photo, new_width: 300, new_height: 200, crop: true, format: 'jpeg' }],
      [
        'resize_image',
        { image: photo, width: 300, height: 200, mode: 'center_crop', output_format: 'image/jpg' },
      ],
    ],
    'A WebP of quality 80 with at most 400 pixels on its longer side.': [
      ['resize_image', { image: photo, maxWidth: 400, maxHeight: 400, format: 'WEBP', jpeg_quality: 80 }],
    ],
    'The five main colours of this photo, written as rgb.': [
      ['extract_palette', { image: photo, colorCount: 5, output_format: 'rgb' }],
      ['extract_palette', { image_base64: photoBase64, max_colors: 5, format: 'RGB values' }],
    ],
    'Convert the photo to CMYK at 300 dpi.': [
      ['convert_color_profile', { image: photo, to_profile: 'cmyk', output_dpi: 300 }],
      ['convert_color_profile', { image: photo, colorspace: 'CMYK', dpi: 300 }],
    ],
    'How will the photo look printed on coated paper in Europe?': [
      [
        'convert_color_profile',
        { image: photo, press_profile: 'Coated FOGRA39 (ISO 12647-2:2004)', softproof: true },
      ],
    ],
    'Remove the background of this picture.': [
      ['remove_background', { input_url: photoUrl }],
      ['background_remover', { image: photo }],
    ],
    'Put the object of this picture on plain white.': [
      ['remove_background', { image: photo, replace_with: '#ffffff' }],
      ['remove_background', { image: photo, background: { color: 'white' } }],
    ],
    'Turn our logo into an SVG.': [['vectorize', { image: logo }]],
    'A black and white outline of the logo for a cutting plotter.': [
      ['vectorize_image', { image: logo, mode: 'black-white', use_gradients: false }],
    ],
    'Redraw the logo as SVG with our two house colours only, red and white.': [
      ['vectorize_image', { image: logo, color_palette: ['#f00', '#fff'] }],
    ],
    'Enlarge the logo to twice its size.': [
      ['upscale_image', { image_file: logo, scale: 'two' }],
      ['upscale', { image: logo, scale: 2 }],
    ],
    'Enlarge the logo four times for print.': [['upscale_image', { image: logo, scaling: 4 }]],
    'What would enlarging the photo four times cost, and how long would it take?': [
      ['upscale_image', { image: photo, scale: 4, simulate: true }],
    ],
    'A print-ready A3 PDF of the photo.': [
      ['print_ready', { image: photo, format: 'A3', file_format: 'pdf' }],
    ],
    'A card of 100 by 150 mm with 5 mm bleed.': [
      ['print_ready', { image: photo, dimensions_mm: { width: 100, height: 150 }, bleed_mm: 5 }],
    ],
    'A poster of 24 by 36 inches at 150 dpi.': [
      ['print_ready', { image: photo, product_size: '24x36 inches', dpi: 150 }],
    ],
    'Show our logo on a black mug.': [['mockup_image', { logo, product: 'mug', product_colour: 'black' }]],
    'The logo on a T-shirt in front of white.': [
      ['mockup_image', { image: logo, product_name: 't_shirt', background_colour: '#ffffff' }],
    ],
    'Write alt text and keywords for this photo.': [['enrich_metadata', { photo, tier: 'STANDARD tier' }]],
    'Register this photo under the title Harbour, by Ada.': [
      ['register_hash', { image: photoDataUri, work_title: 'Harbour', artistName: 'Ada' }],
    ],
    'Where does this picture come from?': [['verify_provenance', { images: [photoUrl] }]],
    'Write title and copyright of Ada into the file, standard fields only.': [
      [
        'infuse_metadata',
        {
          image: photo,
          metadata: { headline: 'Harbour', title: 'Harbour', copyright_owner: 'Ada' },
          tier: 'standard',
        },
      ],
    ],
    'Forbid AI training on this photo; the rights are Ada’s.': [
      [
        'infuse_metadata',
        { image: photo, metadata_mode: 'standard', rights: { rightsHolder: 'Ada', ai_training: 'no' } },
      ],
    ],
    [`Hide the words ${MARK} in the photo.`]: [
      ['watermark_embed', { image: photo, watermarkText: MARK }],
      ['add_watermark', { image: photo, payload: MARK }],
    ],
    'Is there a hidden mark in this picture?': [
      ['watermark_detect', { input: { image: marked } }],
      ['watermark_detect', { link: markedUrl }],
    ],
    'Find five paintings with waves.': [
      ['search_artworks', { search_text: 'wave', max: 5 }],
      ['search_artwork', { query: 'wave', limit: 5 }],
    ],
    'What does the Rijksmuseum have by Rembrandt?': [
      ['search_artworks', { query: 'Rembrandt', filters: { museum: 'rijks' } }],
    ],
    'Japanese prints in the Met.': [['search_artworks', { query: 'woodblock', museum: 'The Met, New York' }]],
    'Tell me all about the Great Wave in the Met.': [['get_artwork', { artifact: 'met_45434' }]],
    'The EU AI Act statement of the dataset.': [['compliance_manifest', { regulation_name: 'EU AI Act' }]],
    'Keep this photo in my wallet as harbour.png.': [
      ['save_asset', { wallet, key: 'harbour.png', image_url: photoResult }],
    ],
    'What is in my storage?': [['list_assets', { wallet_addr: wallet }]],
    'Read me my notes.txt.': [['get_asset', { wallet, asset_name: ASSET_KEY }]],
    'How many credits have I left?': [['check_balance', { user: wallet }]],
    'Open an account for this address.': [['register_wallet', { public_address: ADDRESS }]],
    'Which free tool removes backgrounds?': [['search_tools', { q: 'remove background', free_only: true }]],
    'Show me exactly how to call resize_image.': [['get_tool_schema', { tool: { name: 'resize_image' } }]],
  };
};
