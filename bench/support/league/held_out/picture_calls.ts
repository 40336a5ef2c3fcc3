import type { CallsByWish, World } from '../job.ts';

/** Alternative calls by other models for the jobs about images and sheets. Written before any was played. */
export const pictureCalls = ({ photo, photoBase64, photoDataUri, photoUrl, logo }: World): CallsByWish => ({
  'Make this photo 500 pixels wide and keep its proportions.': [
    ['resize_image', { img: photo, w: 500 }],
    ['resize_image', { input_image: photoDataUri, target_width: 500, maintain_aspect_ratio: true }],
    ['resize_image', { imageUrl: photoUrl, width: '500 px' }],
    ['resize_image', { image: photo, size: { width: 500 } }],
    [
      'resize_image',
      { image: { type: 'image_url', image_url: { url: photoUrl } }, width: 500, height: 'auto' },
    ],
  ],
  'Crop it to a 300 by 200 JPEG.': [
    ['resize_image', { image: photo, width: 300, height: 200, resize_mode: 'cover', output_format: 'jpeg' }],
    ['resize_image', { image: photo, size: '300x200', mode: 'crop', format: 'jpg' }],
    [
      'resize_image',
      { image: photo, dimensions: { width: 300, height: 200 }, mode: 'cover', format: 'JPEG' },
    ],
    [
      'resize_image',
      { image_url: photoUrl, targetWidth: 300, targetHeight: 200, fit: 'crop', fileType: 'jpg' },
    ],
  ],
  'A WebP of quality 80 with at most 400 pixels on its longer side.': [
    ['resize_image', { image: photo, max_width: 400, max_height: 400, format: 'webp', quality: 80 }],
    [
      'resize_image',
      { image: photo, width: '400px', height: '400px', mode: 'inside', format: 'image/webp', quality: 80 },
    ],
    [
      'resize_image',
      { image: photo, width: 400, height: 400, mode: 'contain', imageFormat: 'webp', quality: '80' },
    ],
    ['resize_image', { image: photo, width: 400, height: 400, format: 'webp', quality: 0.8 }],
  ],
  'The five main colours of this photo, written as rgb.': [
    ['extract_palette', { image: photo, count: 5, format: 'rgb' }],
    ['extract_palette', { image_base64: photoBase64, numColors: 5, color_format: 'rgb' }],
    ['extract_palette', { img: photoUrl, number_of_colors: '5', outputFormat: 'rgb' }],
    ['extract_palette', { image: photo, k: 5, format: 'RGB' }],
  ],
  'Convert the photo to CMYK at 300 dpi.': [
    ['convert_color_profile', { image: photo, target: 'cmyk', dpi: 300 }],
    ['convert_color_profile', { image: photo, to: 'CMYK', resolution: 300 }],
    ['convert_color_profile', { source_image: photo, color_space: 'CMYK', dpi: '300 dpi' }],
    ['convert_color_profile', { image: photo, targetProfile: 'cmyk', dpi: 300, output_format: 'tiff' }],
  ],
  'How will the photo look printed on coated paper in Europe?': [
    [
      'convert_color_profile',
      { image: photo, target_profile: 'cmyk', icc_profile: 'FOGRA39', softProof: true },
    ],
    ['convert_color_profile', { image: photo, profile: 'ISO Coated v2', soft_proof: true }],
    ['convert_color_profile', { image: photo, target_profile: 'coated_fogra39', soft_proof: true }],
    ['convert_color_profile', { image: photo, profile: 'fogra39', proof: true }],
  ],
  'Remove the background of this picture.': [
    ['remove_background', { input_image: photoDataUri }],
    ['remove_background', { imageUrl: photoUrl, outputFormat: 'png' }],
    ['remove_bg', { image: photo }],
    ['remove_background', { file: photo }],
    ['remove_background', { image: photo, background: 'transparent', format: 'png' }],
  ],
  'Put the object of this picture on plain white.': [
    ['remove_background', { image: photo, bg_color: '#FFFFFF' }],
    ['remove_background', { image: photo, backgroundColor: 'White' }],
    ['remove_background', { image: photo, background_color: { r: 255, g: 255, b: 255 } }],
    ['remove_background', { image: photo, background_color: [255, 255, 255] }],
  ],
  'Turn our logo into an SVG.': [
    ['vectorize_image', { input_image: logo, format: 'svg' }],
    ['vectorize_image', { image: logo, colorMode: 'color' }],
    ['vectorise_image', { image: logo }],
    ['vectorize_image', { image: logo, mode: 'full_color' }],
  ],
  'A black and white outline of the logo for a cutting plotter.': [
    ['vectorize_image', { image: logo, mode: 'bw', gradients: false }],
    ['vectorize_image', { image: logo, mode: 'monochrome' }],
    ['vectorize_image', { image: logo, color_mode: 'black and white', gradients: 0 }],
    ['vectorize_image', { image: logo, mode: 'B/W' }],
  ],
  'Redraw the logo as SVG with our two house colours only, red and white.': [
    ['vectorize_image', { image: logo, colors: ['#ff0000', '#ffffff'] }],
    ['vectorize_image', { image: logo, palette: 'red, white' }],
    ['vectorize_image', { image: logo, palette: [{ hex: '#ff0000' }, { hex: '#ffffff' }] }],
    ['vectorize_image', { image: logo, palette: ['ff0000', 'ffffff'] }],
  ],
  'Enlarge the logo to twice its size.': [
    ['upscale_image', { image: logo, scale_factor: 2 }],
    ['upscale_image', { img: logo, factor: '2x' }],
    ['upscale_image', { image: logo, scale: '200%' }],
    ['upscale_image', { image: logo, scale: 2, model: 'auto' }],
  ],
  'Enlarge the logo four times for print.': [
    ['upscale_image', { image: logo, scaleFactor: 4 }],
    ['upscale_image', { image: logo, scale: 'x4' }],
    ['upscale_image', { image: logo, upscale_factor: '4' }],
    ['upscale_image', { image: logo, model: 'Real-ESRGAN x4plus' }],
    ['upscale_image', { image: logo, scale: '400%' }],
  ],
  'What would enlarging the photo four times cost, and how long would it take?': [
    ['upscale_image', { image: photo, scale: 4, dryRun: true }],
    ['upscale_image', { image: photo, scale_factor: '4', dry_run: 'yes' }],
    ['upscale_image', { image: photo, scale: 4, dry_run: 1 }],
    ['upscale_image', { image: photo, scale: '4x', quote_only: true }],
  ],
  'A print-ready A3 PDF of the photo.': [
    ['print_ready', { image: photo, paper_size: 'A3', output_format: 'pdf' }],
    ['print_ready', { image: photo, productSize: 'A3', outputFormat: 'PDF' }],
    ['print_ready', { image: photo, product_size: 'DIN A3', file_type: 'pdf' }],
    ['print_ready', { input_image: photo, page_size: 'a3', output_format: 'application/pdf' }],
    ['print_ready', { image: photo, product_size: 'a3', output: 'pdf' }],
  ],
  'A card of 100 by 150 mm with 5 mm bleed.': [
    ['print_ready', { image: photo, product_size: 'custom', width_mm: 100, height_mm: 150, bleed_mm: 5 }],
    ['print_ready', { image: photo, size: 'custom', custom_width: 100, custom_height: 150, bleed: 5 }],
    ['print_ready', { image: photo, product_size: '100x150mm', bleed: '5mm' }],
    ['print_ready', { image: photo, width: '100mm', height: '150mm', bleed_mm: '5 mm' }],
    [
      'print_ready',
      {
        image: photo,
        product_size: 'custom',
        custom_width_mm: '10 cm',
        custom_height_mm: '15 cm',
        bleed_mm: 5,
      },
    ],
  ],
  'A poster of 24 by 36 inches at 150 dpi.': [
    ['print_ready', { image: photo, paper_size: '24x36', dpi: '150dpi' }],
    ['print_ready', { image: photo, product_size: '24 x 36 in', dpi: 150 }],
    ['print_ready', { image: photo, product_size: '24"x36"', resolution: 150 }],
    ['print_ready', { image: photo, productSize: 'poster', dpi: 150 }],
  ],
  'Show our logo on a black mug.': [
    ['mockup_image', { image: logo, product: 'coffee mug', product_color: 'black' }],
    ['mockup_image', { design: logo, product: 'mug', mug_color: 'black' }],
    ['mockup_image', { image: logo, product_type: 'mug', productColor: '#000000' }],
    ['mockup_image', { image: logo, item: 'mug', color: 'black' }],
  ],
  'The logo on a T-shirt in front of white.': [
    ['mockup_image', { image: logo, product: 'tee', background: '#ffffff' }],
    ['mockup_image', { artwork: logo, product: 't shirt', bg_color: 'white' }],
    ['mockup_image', { image: logo, productType: 'T-shirt', backgroundColor: 'white' }],
    ['mockup_image', { image_url: logo, product: 'TSHIRT', background_color: 'rgb(255,255,255)' }],
  ],
});
