import { did, isSized } from './checks.ts';
import type { Answer, Job, World } from './job.ts';

const all =
  (...checks: ((answer: Answer) => boolean)[]) =>
  (answer: Answer) =>
    checks.every((check) => check(answer));
const edit = (image: string, ...operations: object[]) => ['edit_image', { image, operations }] as const;
const compose = (canvas: object, layers: object[], more: object = {}) =>
  ['compose_image', { canvas, layers, ...more }] as const;
const drew =
  (count: number) =>
  ({ layers }: Answer) =>
    layers.length >= count;

/**
 * Common requests to an image editor. The requests were written before the schema of its operations was read,
 * the calls from the list of tools only.
 */
export const editorJobs = (world: World): Job[] => [
  ...geometryJobs(world),
  ...colorJobs(world),
  ...drawingJobs(world),
  ...documentJobs(world),
];

const geometryJobs = ({ photo, logo }: World): Job[] => [
  {
    wish: 'Crop the photo to a square around its middle.',
    firstCalls: [
      edit(photo, { op: 'crop', aspect: '1:1' }),
      edit(photo, { op: 'crop', width: 480, height: 480, gravity: 'center' }),
    ],
    isDone: isSized(480, 480),
  },
  {
    wish: 'Cut out the left half.',
    firstCalls: [
      edit(photo, { op: 'crop', box: { x: 0, y: 0, width: 320, height: 480 } }),
      edit(photo, { op: 'crop', width: '50%', height: '100%', gravity: 'west' }),
    ],
    isDone: isSized(320, 480),
  },
  {
    wish: 'Turn it 90 degrees clockwise.',
    firstCalls: [edit(photo, { op: 'rotate', degrees: 90 }), edit(photo, { op: 'rotate', angle: 90 })],
    isDone: isSized(480, 640),
  },
  {
    wish: 'The horizon is off, straighten it.',
    firstCalls: [edit(photo, { op: 'straighten' }), edit(photo, { op: 'straighten', auto: true })],
    isDone: did('straighten'),
  },
  {
    wish: 'Mirror it.',
    firstCalls: [
      edit(photo, { op: 'flip', axis: 'horizontal' }),
      edit(photo, { op: 'flip', direction: 'horizontal' }),
    ],
    isDone: all(isSized(640, 480), did('flip')),
  },
  {
    wish: 'Trim the white margin around the logo.',
    firstCalls: [edit(logo, { op: 'trim' }), edit(logo, { op: 'trim', tolerance: 10 })],
    isDone: ({ width, height }) => width < 160 && height < 160,
  },
  {
    wish: 'Put it on a 16:9 canvas with white bars.',
    firstCalls: [
      edit(photo, { op: 'pad', aspect: '16:9', background: 'white' }),
      edit(photo, { op: 'pad', aspect: '16:9', color: '#ffffff' }),
    ],
    isDone: ({ width, height }) => Math.abs(width / height - 16 / 9) < 0.01 && height === 480,
  },
  {
    wish: 'Give it a 20 px white frame.',
    firstCalls: [
      edit(photo, { op: 'border', width: 20, color: 'white' }),
      edit(photo, { op: 'border', size: '20px', color: '#fff' }),
    ],
    isDone: isSized(680, 520),
  },
  {
    wish: 'A round avatar of 256 px with transparent corners.',
    firstCalls: [
      edit(
        photo,
        { op: 'crop', aspect: '1:1' },
        { op: 'resize', width: 256, height: 256 },
        { op: 'round', radius: '50%' },
      ),
      edit(photo, { op: 'resize', width: 256, height: 256, fit: 'cover' }, { op: 'round', radius: 128 }),
    ],
    isDone: isSized(256, 256),
  },
];

const colorJobs = ({ photo, photoUrl }: World): Job[] => [
  {
    wish: 'Make it black and white.',
    firstCalls: [edit(photo, { op: 'tone', style: 'grayscale' }), edit(photo, { op: 'grayscale' })],
    isDone: all(isSized(640, 480), ({ applied }) => applied.length === 1),
  },
  {
    wish: 'Brighten it a little and raise the contrast.',
    firstCalls: [
      edit(photo, { op: 'adjust', exposure: 0.3, contrast: 0.2 }),
      edit(photo, { op: 'adjust', brightness: 0.2, contrast: 0.2 }),
    ],
    isDone: did('adjust'),
  },
  {
    wish: 'Fix colours and exposure by itself.',
    firstCalls: [edit(photo, { op: 'adjust', auto: true }), edit(photo, { op: 'auto' })],
    isDone: did('adjust'),
  },
  {
    wish: 'Make it warmer.',
    firstCalls: [edit(photo, { op: 'adjust', temperature: 0.3 }), edit(photo, { op: 'adjust', warmth: 0.3 })],
    isDone: did('adjust'),
  },
  {
    wish: 'A duotone of navy and cream.',
    firstCalls: [
      edit(photo, { op: 'tone', style: 'duotone', dark: 'navy', light: '#fffdd0' }),
      edit(photo, { op: 'duotone', shadows: 'navy', highlights: '#fffdd0' }),
    ],
    isDone: ({ applied }) =>
      JSON.stringify(applied).includes('fffdd0') || JSON.stringify(applied).includes('navy'),
  },
  {
    wish: 'Sharpen it.',
    firstCalls: [edit(photo, { op: 'sharpen' }), edit(photoUrl, { op: 'sharpen', amount: 0.6 })],
    isDone: did('sharpen'),
  },
  {
    wish: 'Blur the upper left quarter.',
    firstCalls: [
      edit(photo, { op: 'blur', where: [{ x: 0, y: 0, width: 320, height: 240 }], amount: 12 }),
      edit(photo, { op: 'blur', box: { x: 0, y: 0, width: 320, height: 240 } }),
    ],
    isDone: all(isSized(640, 480), ({ applied }) => JSON.stringify(applied).includes('240')),
  },
  {
    wish: 'Black out the strip at the bottom so that nothing can be read there.',
    firstCalls: [
      edit(photo, { op: 'redact', where: [{ x: 0, y: 400, width: 640, height: 80 }] }),
      edit(photo, { op: 'redact', box: { x: 0, y: 400, width: 640, height: 80 }, color: 'black' }),
    ],
    isDone: did('redact'),
  },
];

const drawingJobs = ({ photo, logo }: World): Job[] => [
  {
    wish: 'Write "SALE" big and white at the bottom.',
    firstCalls: [
      edit(photo, { op: 'text', text: 'SALE', gravity: 'south', size: 96, color: 'white' }),
      edit(photo, { op: 'text', text: 'SALE', position: 'bottom', font_size: 96, color: '#fff' }),
    ],
    isDone: did('text'),
  },
  {
    wish: 'Set our logo into the lower right corner, a fifth of the width, half transparent.',
    firstCalls: [
      edit(photo, { op: 'overlay', image: logo, gravity: 'southeast', width: '20%', opacity: 0.5 }),
      edit(photo, { op: 'overlay', image: logo, position: 'bottom-right', width: 128, opacity: 50 }),
    ],
    isDone: all(isSized(640, 480), did('overlay')),
  },
  {
    wish: 'Draw a red frame around the boat at 200, 150, 120 by 80.',
    firstCalls: [
      edit(photo, {
        op: 'shape',
        type: 'rect',
        box: { x: 200, y: 150, width: 120, height: 80 },
        stroke: 'red',
        width: 4,
      }),
      edit(photo, {
        op: 'shape',
        type: 'rectangle',
        box: { x: 200, y: 150, width: 120, height: 80 },
        stroke: { color: 'red', width: 4 },
      }),
    ],
    isDone: did('shape'),
  },
  {
    wish: 'An arrow from the corner to the middle.',
    firstCalls: [
      edit(photo, {
        op: 'shape',
        type: 'arrow',
        points: [
          [20, 20],
          [320, 240],
        ],
        stroke: 'yellow',
      }),
      edit(photo, { op: 'shape', type: 'arrow', from: [20, 20], to: [320, 240], color: 'yellow' }),
    ],
    isDone: did('shape'),
  },
  {
    wish: 'Add a QR code to https://example.com in the upper right.',
    firstCalls: [
      edit(photo, { op: 'qr', text: 'https://example.com', gravity: 'northeast', width: 120 }),
      edit(photo, { op: 'qr', text: 'https://example.com', gravity: 'top-right', size: 120 }),
    ],
    isDone: did('qr'),
  },
  {
    wish: 'A soft shadow behind the logo on transparency.',
    firstCalls: [
      edit(logo, { op: 'shadow' }),
      edit(logo, { op: 'shadow', blur: 12, color: 'rgba(0,0,0,0.4)', x: 0, y: 6 }),
    ],
    isDone: did('shadow'),
  },
  {
    wish: 'Say on the picture that AI made it.',
    firstCalls: [
      edit(photo, { op: 'ai_label' }),
      edit(photo, { op: 'ai_label', style: 'text', corner: 'bottom_right' }),
    ],
    isDone: did('ai_label'),
  },
];

const documentJobs = ({ photo, logo }: World): Job[] => [
  {
    wish: 'Before and after side by side.',
    firstCalls: [
      compose(
        { width: 1280, height: 480 },
        [
          { type: 'image', image: photo },
          { type: 'image', image: photo },
        ],
        { layout: { type: 'row' } },
      ),
      compose({ width: 1280, height: 480 }, [
        { type: 'image', image: photo, box: { x: 0, y: 0, width: 640, height: 480 } },
        { type: 'image', image: photo, box: { x: 640, y: 0, width: 640, height: 480 } },
      ]),
    ],
    isDone: all(isSized(1280, 480), drew(2)),
  },
  {
    wish: 'A contact sheet of four with numbers.',
    firstCalls: [
      compose({ width: 1000, height: 800 }, Array(4).fill({ type: 'image', image: photo }), {
        layout: { type: 'grid', columns: 2, numbers: true },
      }),
      compose(
        { width: 1000, height: 800, background: '#fff' },
        Array(4).fill({ type: 'image', image: photo }),
        {
          layout: { type: 'grid', columns: 2, gap: 20, padding: 20, numbers: true, captions: true },
        },
      ),
    ],
    isDone: all(isSized(1000, 800), drew(4)),
  },
  {
    wish: 'A business card of 85 by 55 mm with name, phone number and logo.',
    firstCalls: [
      compose({ width: 85, height: 55, unit: 'mm' }, [
        { type: 'image', image: logo, gravity: 'west', margin: '5mm', width: '20mm' },
        { type: 'text', text: 'Ada Lovelace\n+44 20 7946 0000', gravity: 'east', margin: '5mm', size: '4mm' },
      ]),
      compose({ width: '85mm', height: '55mm', dpi: 300 }, [
        { type: 'image', image: logo, box: { x: '5mm', y: '15mm', width: '20mm', height: '20mm' } },
        { type: 'text', text: 'Ada Lovelace', box: { x: '30mm', y: '15mm', width: '50mm', height: '10mm' } },
        {
          type: 'text',
          text: '+44 20 7946 0000',
          box: { x: '30mm', y: '30mm', width: '50mm', height: '6mm' },
        },
      ]),
    ],
    isDone: all(isSized(1004, 650), drew(2)),
  },
  {
    wish: 'An Instagram quote: white serif text, centred, on dark green, 1080 by 1080.',
    firstCalls: [
      compose({ width: 1080, height: 1080, background: '#0b3d2e' }, [
        {
          type: 'text',
          text: 'Less, but better.',
          font: 'serif',
          color: 'white',
          align: 'center',
          gravity: 'centre',
          size: 96,
        },
      ]),
      compose({ width: 1080, height: 1080, background: 'darkgreen' }, [
        {
          type: 'text',
          text: 'Less, but better.',
          font: 'Playfair Display',
          color: '#ffffff',
          gravity: 'center',
          size: 96,
        },
      ]),
    ],
    isDone: all(isSized(1080, 1080), drew(1)),
  },
  {
    wish: 'Greet in Arabic and Japanese on one banner of 1200 by 300.',
    firstCalls: [
      compose({ width: 1200, height: 300 }, [
        { type: 'text', text: 'مرحبا', gravity: 'west', margin: 40, size: 90 },
        { type: 'text', text: 'こんにちは', gravity: 'east', margin: 40, size: 90 },
      ]),
      compose({ width: 1200, height: 300, background: 'white' }, [
        { type: 'text', text: 'مرحبا こんにちは' },
      ]),
    ],
    isDone: all(isSized(1200, 300), ({ layers }) =>
      layers.every((one: Answer) => !one.missing_glyphs?.length),
    ),
  },
  {
    wish: 'All the sizes for social media.',
    firstCalls: [
      ['make_variants', { image: photo, set: 'social' }],
      ['make_variants', { image: photo, set: 'social_media', format: 'jpeg' }],
    ],
    isDone: ({ files }) => files.length > 3,
  },
  {
    wish: 'Favicons for my web page from the logo.',
    firstCalls: [
      ['make_variants', { image: logo, set: 'favicon' }],
      ['make_variants', { image: logo, set: 'favicons' }],
    ],
    isDone: ({ files }) => files.length > 2,
  },
  {
    wish: 'Take the bird at 300, 100 out of the sky.',
    firstCalls: [
      ['erase_object', { image: photo, where: [{ x: 300, y: 100, width: 40, height: 30 }] }],
      ['erase_object', { image: photo, box: { x: 300, y: 100, width: 40, height: 30 } }],
    ],
    isDone: all(isSized(640, 480), ({ areas }) => areas.length === 1),
  },
];
