import { did, isSized } from './checks.ts';
import type { Answer, FirstCall, Job, World } from './job.ts';

/** Files that the requests refer to; one image may serve several. */
type BlindFiles = Pick<World, 'photo' | 'logo'>;

const isFormat = (format: string) => (answer: Answer) => answer.format === format;
const all =
  (...checks: ((answer: Answer) => boolean)[]) =>
  (answer: Answer) =>
    checks.every((check) => check(answer)) && !(answer.warnings ?? []).some(isAboutField);
/** A field of an operation or a layer that was ignored although it was sent on purpose. */
const isAboutField = (warning: string): boolean => warning.includes('was ignored');

const edit = (image: string, operations: object[], more: object = {}): FirstCall => [
  'edit_image',
  { image, operations, ...more },
];
const compose = (canvas: object, layers: object[], more: object = {}): FirstCall => [
  'compose_image',
  { canvas, layers, ...more },
];

/**
 * Thirty-two requests by a person who had not seen the tools. The first calls were written before any was
 * played, by a person who knows the tools: they show what the tools can do rather than what a new user would
 * send. On 26 November 2026, without a face detection network, 24 succeeded at the first try, and all 32
 * after fixes: `sheet` was added to the call of the name tags together with the field itself, and the refusal
 * to blur faces without a detector counts as success.
 */
export const blindJobs = (files: BlindFiles): Job[] => [
  ...socialJobs(files),
  ...sheetJobs(files),
  ...shopJobs(files),
  ...repairJobs(files),
  ...cardJobs(files),
  ...webJobs(files),
];

const socialJobs = ({ photo }: BlindFiles): Job[] => [
  {
    wish: 'crop this to a square 1080x1080 for instagram, keep her face in the middle',
    firstCalls: [
      edit(photo, [
        { op: 'crop', aspect: '1:1', gravity: 'faces' },
        { op: 'resize', width: 1080, height: 1080, fit: 'cover' },
      ]),
    ],
    isDone: all(isSized(1080, 1080), did('crop')),
  },
  {
    wish: 'the horizon is crooked, straighten it. looks like about 3 degrees, right side is lower. no black corners please',
    firstCalls: [edit(photo, [{ op: 'straighten' }])],
    isDone: all(did('straighten')),
  },
  {
    wish: 'put SUMMER SALE -30% on this picture, big white letters at the bottom, readable',
    firstCalls: [
      edit(photo, [
        {
          op: 'text',
          text: 'SUMMER SALE -30%',
          gravity: 'south',
          size: '12%',
          color: 'white',
          weight: 'bold',
          shadow: true,
        },
      ]),
    ],
    // On one line in the lower third, with contrast to the background.
    isDone: all(
      did('text'),
      ({ applied: [{ box }], height }) => box.y >= (2 / 3) * height - 1,
      ({ applied: [{ reason, shadow }] }) => reason.startsWith('1 line') && shadow !== undefined,
    ),
  },
  {
    wish: 'split this panorama into 3 for an instagram swipe carousel',
    firstCalls: [edit(photo, [{ op: 'crop', width: '33.3333%', height: '100%', gravity: 'west' }])],
    isDone: all(did('crop'), ({ width, original_width: whole }) => Math.abs(3 * width - whole) <= 2),
  },
  {
    wish: 'fit this panorama in a square without cropping, blurry background',
    firstCalls: [
      edit(photo, [
        { op: 'pad', aspect: '1:1', background: 'blur' },
        { op: 'resize', width: 1080, height: 1080 },
      ]),
    ],
    isDone: all(did('pad'), ({ width, height }) => width === height),
  },
  {
    wish: 'i need our poster in all the social sizes: insta post, insta story, facebook cover, twitter header, linkedin. dont cut the text off',
    firstCalls: [['make_variants', { image: photo, set: 'social', fit: 'pad' }]],
    isDone: all(({ files }) => files.length >= 5),
  },
  {
    wish: 'duotone in our colours navy #10214B and pink #FF8FA3, like the spotify thing',
    firstCalls: [edit(photo, [{ op: 'tone', style: 'duotone', colors: ['#10214B', '#FF8FA3'] }])],
    isDone: all(({ applied: [tone] }) => /10214b/i.test(tone.dark) && /ff8fa3/i.test(tone.light)),
  },
];

const sheetJobs = ({ photo, logo }: BlindFiles): Job[] => [
  {
    wish: 'add our logo bottom right corner of all these, small, like 15% of the width, with a bit of margin',
    firstCalls: [
      edit(photo, [{ op: 'overlay', image: logo, gravity: 'southeast', width: '15%', margin: '2%' }]),
    ],
    isDone: all(did('overlay')),
  },
  {
    wish: 'make a collage of these 4 photos, 2x2, white gaps 20px, 2000x2000 total',
    firstCalls: [
      compose(
        { width: 2000, height: 2000, background: 'white' },
        Array(4).fill({ type: 'image', image: photo, fit: 'cover' }),
        { layout: { type: 'grid', columns: 2, gap: 20 } },
      ),
    ],
    isDone: all(isSized(2000, 2000), ({ layers: [{ box }] }) => box.width === 970 && box.height === 970),
  },
  {
    wish: 'contact sheet of the whole folder please, 5 per row, with the filename under each one. A4 so i can print it',
    firstCalls: [
      compose(
        { width: 210, height: 297, unit: 'mm', dpi: 150 },
        Array.from({ length: 23 }, (_, at) => ({
          type: 'image',
          image: photo,
          name: `1987-00${at + 10}.jpg`,
        })),
        { layout: { type: 'grid', columns: 5, captions: true }, format: 'pdf', output: 'url' },
      ),
    ],
    isDone: all(
      isFormat('pdf'),
      ({ pages, layers }) => pages === 1 && layers.length === 23,
      ({ layers: [{ type, caption }] }) => type === 'image' && caption === '1987-0010.jpg',
    ),
  },
  {
    wish: 'before / after side by side with labels',
    firstCalls: [
      compose({ width: 1920, height: 720 }, [
        { type: 'image', image: photo, box: { x: 0, y: 0, width: 958, height: 720 }, fit: 'cover' },
        { type: 'image', image: photo, box: { x: 962, y: 0, width: 958, height: 720 }, fit: 'cover' },
        {
          type: 'text',
          text: 'BEFORE',
          box: { x: 30, y: 30, width: 260, height: 60 },
          color: 'white',
          background: 'rgba(0,0,0,0.6)',
        },
        {
          type: 'text',
          text: 'AFTER',
          box: { x: 992, y: 30, width: 260, height: 60 },
          color: 'white',
          background: 'rgba(0,0,0,0.6)',
        },
      ]),
    ],
    isDone: all(isSized(1920, 720), ({ layers }) => layers.length === 4),
  },
  {
    wish: 'write the welcome in 4 languages on the photo: Welcome, أهلا وسهلا, ようこそ, स्वागत है',
    firstCalls: [
      edit(photo, [
        {
          op: 'text',
          text: 'Welcome\nأهلا وسهلا\nようこそ\nस्वागत है',
          gravity: 'centre',
          size: '10%',
          color: 'white',
          align: 'center',
          shadow: true,
        },
      ]),
    ],
    isDone: all(({ applied: [text] }) => text.reason.startsWith('4 lines') && !/no font/.test(text.reason)),
  },
  {
    wish: 'put a white border around all my pictures like a polaroid, with the caption from the list',
    firstCalls: [
      edit(photo, [
        { op: 'pad', top: 60, left: 60, right: 60, bottom: 200, background: 'white' },
        {
          op: 'text',
          text: 'Summer at the lake',
          gravity: 'south',
          margin: 70,
          color: '#222',
          font: 'hand',
          size: 80,
        },
      ]),
    ],
    isDone: all(did('pad', 'text')),
  },
  {
    wish: 'watermark all over please so people cant steal it. "© Foto Reiter 2025" diagonal, faint',
    firstCalls: [
      edit(photo, [
        {
          op: 'text',
          text: '© Foto Reiter 2025',
          tile: true,
          rotate: -30,
          opacity: 0.25,
          color: 'white',
          size: '5%',
        },
      ]),
    ],
    isDone: all(
      ({ applied: [text] }) => (text.boxes?.length ?? 0) >= 8 || /repeated/.test(text.reason ?? ''),
    ),
  },
];

const shopJobs = ({ photo, logo }: BlindFiles): Job[] => [
  {
    wish: 'remove the background from this mug, i want it transparent',
    firstCalls: [['remove_background', { image: logo }]],
    isDone: all(isFormat('png'), ({ found_by: by }) => by !== undefined),
  },
  {
    wish: 'white background for amazon pls, main image, 2000x2000, product should fill 85%',
    firstCalls: [
      edit(
        logo,
        [
          { op: 'trim' },
          { op: 'resize', width: 1700, height: 1700, fit: 'contain', enlarge: true, background: 'white' },
          { op: 'pad', width: 2000, height: 2000, background: 'white' },
          { op: 'flatten', background: 'white' },
        ],
        { format: 'jpeg' },
      ),
    ],
    isDone: all(isSized(2000, 2000), isFormat('jpeg')),
  },
  {
    wish: 'make a favicon from this logo',
    firstCalls: [['make_variants', { image: logo, set: 'favicon' }]],
    isDone: all(({ files }) => files.some(({ name }: Answer) => name.endsWith('.ico'))),
  },
  {
    wish: 'png to jpg, white bg',
    firstCalls: [['convert_image', { image: logo, format: 'jpeg', background: '#ffffff' }]],
    isDone: all(isFormat('jpeg')),
  },
  {
    wish: 'remove the trash can from the lawn',
    firstCalls: [['erase_object', { image: photo, where: [{ x: 310, y: 300, width: 40, height: 60 }] }]],
    isDone: all(isSized(640, 480)),
  },
];

const repairJobs = ({ photo, logo }: BlindFiles): Job[] => [
  {
    wish: 'too dark, make it brighter but dont blow out the window',
    firstCalls: [edit(photo, [{ op: 'adjust', shadows: 0.8, brightness: 0.2, highlights: -0.3 }])],
    isDone: all(did('adjust')),
  },
  {
    wish: 'blur the kids faces, all of them, this goes on the school website',
    firstCalls: [edit(photo, [{ op: 'blur', where: 'faces' }])],
    isDone: all(did('blur')),
    isHonestRefusal: ({ detail, try: tried }) =>
      /no network that finds faces.*models pull.*boxes/.test(detail) && tried === undefined,
  },
  {
    wish: 'make this look like a proper scan. black and white, straight, no shadow, pdf',
    firstCalls: [
      edit(
        photo,
        [
          {
            op: 'perspective',
            corners: [
              ['10%', '10%'],
              ['90%', '8%'],
              ['95%', '92%'],
              ['6%', '94%'],
            ],
          },
          { op: 'tone', style: 'grayscale' },
          { op: 'adjust', auto: true, contrast: 0.4 },
        ],
        { format: 'pdf', output: 'url' },
      ),
    ],
    isDone: all(isFormat('pdf'), did('perspective', 'tone')),
  },
  {
    wish: 'black out the IBAN and the address on this, it has to be really gone',
    firstCalls: [
      edit(photo, [
        {
          op: 'redact',
          where: [
            { x: 40, y: 40, width: 200, height: 60 },
            { x: 300, y: 20, width: 300, height: 20 },
            { x: 300, y: 450, width: 300, height: 20 },
          ],
        },
      ]),
    ],
    isDone: all(({ applied: [redact] }) => redact.boxes.length === 3),
  },
  {
    wish: 'add a soft drop shadow and rounded corners to my screenshot for the docs',
    firstCalls: [
      edit(
        logo,
        [
          { op: 'round', radius: 16 },
          { op: 'shadow', blur: 30, y: 12 },
        ],
        { format: 'png' },
      ),
    ],
    isDone: all(did('round', 'shadow'), ({ width }) => width > 160),
  },
];

const cardJobs = ({ photo, logo }: BlindFiles): Job[] => [
  {
    wish: 'qr code for https://www.cafe-lindner.de/menu?t=12 to print on the table, 5cm',
    firstCalls: [
      compose({ width: 50, height: 50, unit: 'mm', dpi: 300 }, [
        {
          type: 'qr',
          text: 'https://www.cafe-lindner.de/menu?t=12',
          box: { x: 0, y: 0, width: '100%', height: '100%' },
        },
      ]),
    ],
    isDone: all(isSized(591, 591), ({ dpi }) => dpi === 300),
  },
  {
    wish: 'business card with my logo, name Amélie Østergaard, Konditormeisterin, +49 170 5550142, amelie@backstube.example . 85x55 mm, print ready with 3mm bleed',
    firstCalls: [
      compose(
        { width: 85, height: 55, unit: 'mm', bleed_mm: 3, background: 'white' },
        [
          { type: 'image', image: logo, box: { x: '5mm', y: '17mm', width: '20mm', height: '20mm' } },
          {
            type: 'text',
            text: 'Amélie Østergaard',
            weight: 'bold',
            size: '5mm',
            align: 'left',
            box: { x: '30mm', y: '12mm', width: '50mm', height: '8mm' },
          },
          {
            type: 'text',
            text: 'Konditormeisterin\n+49 170 5550142\namelie@backstube.example',
            size: '3mm',
            align: 'left',
            box: { x: '30mm', y: '23mm', width: '50mm', height: '18mm' },
          },
        ],
        { format: 'pdf', output: 'url' },
      ),
    ],
    isDone: all(isFormat('pdf'), ({ layers }) => layers[2].lines.length === 3),
  },
  {
    wish: 'name tags for everyone in the list, 90x55mm, logo top left, name big, company small underneath. 10 on an A4 page',
    firstCalls: [
      compose(
        { width: 90, height: 55, unit: 'mm' },
        [
          { type: 'image', image: logo, box: { x: '5mm', y: '5mm', width: '30mm', height: '10mm' } },
          {
            type: 'text',
            text: '{{name}}',
            weight: 700,
            box: { x: '5mm', y: '20mm', width: '80mm', height: '15mm' },
          },
          {
            type: 'text',
            text: '{{company}}',
            size: '4mm',
            box: { x: '5mm', y: '38mm', width: '80mm', height: '10mm' },
          },
        ],
        {
          data: [
            { name: 'Đặng Thị Hương', company: 'A' },
            { name: "O'Neill, Séan", company: 'B' },
          ],
          sheet: 'a4',
          format: 'pdf',
          output: 'url',
        },
      ),
    ],
    isDone: all(isFormat('pdf'), isSized(2480, 3508), ({ pages }) => pages === 1),
  },
  {
    wish: 'price cards for the counter from prices.csv, one picture each, A6 landscape, product name, price really big, euro with comma',
    firstCalls: [
      compose(
        { width: 148, height: 105, unit: 'mm', dpi: 300 },
        [
          {
            type: 'image',
            image: '{{photo}}',
            box: { x: 0, y: 0, width: '50%', height: '100%' },
            fit: 'cover',
          },
          { type: 'text', text: '{{name}}', box: { x: '54%', y: '10%', width: '42%', height: '20%' } },
          {
            type: 'text',
            text: '{{price}}',
            weight: 'bold',
            box: { x: '54%', y: '40%', width: '42%', height: '40%' },
          },
        ],
        {
          data: [
            { photo, name: 'Äpfel & Birnen', price: '4,90 €' },
            { photo: null, name: 'Möhren, Bund', price: '0,99 €' },
          ],
          output: 'url',
        },
      ),
    ],
    isDone: all(isSized(1748, 1240), ({ files }) => files.length === 2),
  },
  {
    wish: 'A3 poster pdf for the print shop, 3mm bleed, CMYK if you can, from this jpg',
    firstCalls: [
      [
        'print_ready',
        { image: photo, product_size: 'a3', bleed_mm: 3, output_format: 'pdf', dpi: 300, output: 'url' },
      ],
    ],
    isDone: all(
      ({ sheet_mm: { width, height }, color_mode: mode }) =>
        Math.min(width, height) === 303 && Math.max(width, height) === 426 && mode === 'CMYK',
    ),
  },
];

const webJobs = ({ photo }: BlindFiles): Job[] => [
  {
    wish: 'gif is 9 MB, discord only takes 8, make it smaller but still moving',
    firstCalls: [['convert_image', { image: photo, format: 'gif', max_bytes: 8_000_000 }]],
    isDone: all(isFormat('gif')),
  },
  {
    wish: 'upload form says jpg max 200 KB and at least 600 px wide. please convert my png',
    firstCalls: [['convert_image', { image: photo, format: 'jpeg', max_bytes: 200_000 }]],
    isDone: all(isFormat('jpeg'), ({ width, size_bytes: bytes }) => width >= 600 && bytes <= 200_000),
  },
  {
    wish: 'all these to webp, max 1600 px long side and under 300kb each, strip the gps',
    firstCalls: [
      edit(photo, [{ op: 'resize', width: 1600, height: 1600, fit: 'inside' }], {
        format: 'webp',
        max_bytes: 300_000,
      }),
    ],
    isDone: all(isFormat('webp'), isSized(640, 480), ({ size_bytes: bytes }) => bytes <= 300_000),
  },
];
