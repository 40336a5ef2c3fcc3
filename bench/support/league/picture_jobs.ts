import { type Answer, isIgnored, type Job, type World } from './job.ts';

const isSized = (width: number, height?: number) => (answer: Answer) =>
  answer.width === width && (height === undefined || answer.height === height);
const isA = (type: string, { content_type }: Answer) => content_type === type;
const hasFile = ({ result_url }: Answer) => typeof result_url === 'string';

/** Sizes, colours, vectorising, background removal. */
export const pictureJobs = ({ photo, photoBase64, photoUrl, logo }: World): Job[] => [
  {
    wish: 'Make this photo 500 pixels wide and keep its proportions.',
    firstCalls: [
      ['resize_image', { image: photo, width: 500, height: 375 }],
      ['resize_image', { image: photo, width: 500 }],
      ['resize_image', { image: photo, width: '500px' }],
      ['resize_image', { image: photo, width: 500, height: null }],
      ['resize_image', { image_url: photoUrl, width: '500' }],
    ],
    isDone: isSized(500, 375),
  },
  {
    wish: 'Crop it to a 300 by 200 JPEG.',
    firstCalls: [
      ['resize_image', { image: photo, width: 300, height: 200, mode: 'cover', format: 'jpg' }],
      ['resize_image', { image: photo, width: 300, height: 200, mode: 'crop', format: 'JPEG' }],
      ['resize_image', { image: photo, width: '300', height: '200', mode: 'Cover', format: 'image/jpeg' }],
      ['resize_image', { image: photo, width: 300, height: 200, fit: 'cover', format: 'JPG' }],
    ],
    isDone: (answer) => isSized(300, 200)(answer) && isA('image/jpeg', answer),
  },
  {
    wish: 'A WebP of quality 80 with at most 400 pixels on its longer side.',
    firstCalls: [
      ['resize_image', { image: photo, width: 400, height: 400, format: 'webp', quality: 80 }],
      ['resize_image', { image: photo, width: 400, height: 400, format: 'WebP', quality: '80' }],
      ['resize_image', { image: photo, width: 400, height: 400, output_format: 'webp', quality: '80%' }],
      ['resize_image', { image: photo, width: 400, height: 400, format: '.webp', quality: 80, mode: 'fit' }],
    ],
    isDone: (answer) => isSized(400, 300)(answer) && isA('image/webp', answer),
  },
  {
    wish: 'The five main colours of this photo, written as rgb.',
    firstCalls: [
      ['extract_palette', { image: photo, num_colors: 5, format: 'rgb' }],
      ['extract_palette', { image: photo, num_colors: '5', format: 'RGB' }],
      ['extract_palette', { image: photo, n_colors: 5, format: 'rgb' }],
      ['extract_palette', { image: photoUrl, num_colors: 5.0, format: 'rgb', swatch_sheet: null }],
    ],
    isDone: ({ colors }) => colors.length === 5 && /^rgb\(/.test(colors[0].value),
  },
  {
    wish: 'Convert the photo to CMYK at 300 dpi.',
    firstCalls: [
      ['convert_color_profile', { image: photo }],
      ['convert_color_profile', { image: photo, target_profile: 'CMYK', dpi: 300 }],
      ['convert_color_profile', { image: photo, target_profile: 'cmyk', dpi: '300' }],
      ['convert_color_profile', { image: photo, target_profile: 'cmyk', dpi: '300dpi', profile: null }],
    ],
    isDone: (answer) => isA('image/tiff', answer),
  },
  {
    wish: 'How will the photo look printed on coated paper in Europe?',
    firstCalls: [
      ['convert_color_profile', { image: photo, profile: 'coated_fogra39', soft_proof: true }],
      ['convert_color_profile', { image: photo, profile: 'Coated FOGRA39', soft_proof: 'true' }],
      ['convert_color_profile', { image: photo, profile: 'coated-fogra39', soft_proof: true, intent: '' }],
    ],
    isDone: (answer) => isA('image/png', answer),
  },
  {
    wish: 'Remove the background of this picture.',
    firstCalls: [
      ['remove_background', { image: photo }],
      ['remove_background', { image: photo, output_format: 'PNG' }],
      ['remove_background', { image_b64: photoBase64, format: 'png' }],
      ['remove_background', { image: { url: photoUrl } }],
      ['RemoveBackground', { image: photo, background_color: null }],
    ],
    isDone: (answer) => isA('image/png', answer),
  },
  {
    wish: 'Put the object of this picture on plain white.',
    firstCalls: [
      ['remove_background', { image: photo, background_color: '#ffffff' }],
      ['remove_background', { image: photo, background_color: 'white' }],
      ['remove_background', { image: photo, background_color: 'rgb(255, 255, 255)' }],
      ['remove_background', { image: photo, background: 'white' }],
    ],
    isDone: (answer) => isA('image/png', answer) && !isIgnored(answer, 'background'),
  },
  {
    wish: 'Turn our logo into an SVG.',
    firstCalls: [
      ['vectorize_image', { image: logo }],
      ['vectorize_image', { image: logo, mode: 'colour' }],
      ['vectorize_image', { image: logo, mode: 'Color', color_precision: '6', filter_speckle: '4' }],
      ['vectorize_image', { image: logo, mode: 'color', output_format: 'svg' }],
    ],
    isDone: hasFile,
  },
  {
    wish: 'A black and white outline of the logo for a cutting plotter.',
    firstCalls: [
      ['vectorize_image', { image: logo, mode: 'binary', gradients: false }],
      ['vectorize_image', { image: logo, mode: 'Binary', gradients: 'false' }],
      ['vectorize_image', { image: logo, mode: 'binary', gradients: 'no', palette: [] }],
      ['vectorize_image', { image: logo, mode: 'black_and_white', gradients: false }],
    ],
    isDone: hasFile,
  },
  {
    wish: 'Redraw the logo as SVG with our two house colours only, red and white.',
    firstCalls: [
      ['vectorize_image', { image: logo, palette: ['#ff0000', '#ffffff'] }],
      ['vectorize_image', { image: logo, palette: ['red', 'white'] }],
      ['vectorize_image', { image: logo, palette: '#ff0000,#ffffff' }],
      ['vectorize_image', { image: logo, palette: '["#ff0000", "#ffffff"]' }],
    ],
    isDone: hasFile,
  },
  {
    wish: 'Enlarge the logo to twice its size.',
    firstCalls: [
      ['upscale_image', { image: logo }],
      ['upscale_image', { image: logo, scale: 2 }],
      ['upscale_image', { image: logo, scale: '2x' }],
      ['upscale_image', { image: logo, scale: 2, model: null }],
    ],
    isDone: ({ scale }) => scale === 2,
  },
  {
    wish: 'Enlarge the logo four times for print.',
    firstCalls: [
      ['upscale_image', { image: logo, scale: 4 }],
      ['upscale_image', { image: logo, scale: '4' }],
      ['upscale_image', { image: logo, model: 'RealESRGAN_x4plus' }],
      ['upscale_image', { image: logo, model: 'realesrgan-x4plus', scale: '4x' }],
    ],
    isDone: ({ scale }) => scale === 4,
  },
  {
    wish: 'What would enlarging the photo four times cost, and how long would it take?',
    firstCalls: [
      ['upscale_image', { image: photo, scale: 4, dry_run: true }],
      ['upscale_image', { image: photo, scale: 4, dry_run: 'true' }],
      ['upscale_image', { image: photoUrl, model: 'REALESRGAN_X4PLUS', dry_run: true }],
    ],
    isDone: ({ dry_run, quote }) => dry_run === true && quote.credit === 2,
  },
];
