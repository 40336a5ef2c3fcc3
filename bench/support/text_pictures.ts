import { composePicture } from '@atelier/imaging/composer/compose_picture.ts';
import type { Layer } from '@atelier/imaging/composer/layers.ts';
import sharp, { type Sharp } from 'sharp';
import { TEXT_RESOURCES } from '../../src/core/workers/text_resources.ts';

/** A generated poster or screen, and its text. */
export interface TextPicture {
  readonly name: string;
  readonly bytes: Uint8Array;
  /** Its lines from top to bottom. */
  readonly lines: readonly string[];
}

/** A line: left, top and size in pixels, its text, and its style. */
type Line = readonly [x: number, y: number, size: number, text: string, style?: Style];
interface Style {
  readonly font?: string;
  readonly weight?: number;
  readonly color?: string;
  readonly rotate?: number;
}

interface Design {
  readonly name: string;
  readonly size: readonly [width: number, height: number];
  readonly background: string;
  /** Default colour of lines. */
  readonly color: string;
  readonly font?: string;
  readonly lines: readonly Line[];
  readonly shapes?: readonly Layer[];
  /** Makes it look photographed or scanned. */
  readonly degrade?: (picture: Sharp) => Sharp;
}

const SERIF = 'Playfair Display';
const MONO = 'JetBrains Mono';
const bar = (x: number, y: number, width: number, height: number, fill: string): Layer => ({
  type: 'shape',
  shape: 'rect',
  box: { x, y, width, height },
  fill,
});
const disc = (x: number, y: number, side: number, fill: string): Layer => ({
  type: 'shape',
  shape: 'ellipse',
  box: { x, y, width: side, height: side },
  fill,
});

const POSTERS: readonly Design[] = [
  {
    name: 'sale',
    size: [1080, 1350],
    background: '#d7263d',
    color: '#ffffff',
    shapes: [disc(620, 60, 380, '#f46036')],
    lines: [
      [80, 150, 150, 'SUMMER', { weight: 800 }],
      [80, 330, 150, 'SALE', { weight: 800 }],
      [80, 560, 64, 'Up to 70% off everything'],
      [80, 680, 40, '14–27 July, in store and online'],
      [80, 1220, 32, 'www.example.com/summer'],
    ],
  },
  {
    name: 'concert',
    size: [1000, 1400],
    background: '#10142b',
    color: '#f3d27a',
    font: SERIF,
    lines: [
      [90, 120, 44, 'The City Orchestra presents'],
      [90, 240, 110, 'Night Music'],
      [90, 420, 52, 'Works by Mozart, Grieg and Holst'],
      [90, 1000, 46, 'Friday 3 October, 19:30'],
      [90, 1080, 46, 'Old Town Hall'],
      [90, 1240, 34, 'Tickets from 18 EUR at the door'],
    ],
  },
  {
    name: 'bakery',
    size: [1200, 1200],
    background: '#fbf3e4',
    color: '#5b3a1e',
    lines: [
      [150, 140, 120, 'Fresh Bread', { font: SERIF }],
      [150, 330, 56, 'baked every morning', { font: 'Caveat', weight: 700 }],
      [150, 520, 44, 'Sourdough 4.20'],
      [150, 600, 44, 'Rye loaf 3.90'],
      [150, 680, 44, 'Butter croissant 2.10'],
      [150, 1040, 36, 'Open Tuesday to Sunday, 7 to 18'],
    ],
  },
  {
    name: 'film',
    size: [900, 1350],
    background: '#0a0a0a',
    color: '#e8e8e8',
    shapes: [disc(180, 300, 540, '#b3001b')],
    lines: [
      [90, 930, 76, 'THE LAST HARBOUR', { weight: 800 }],
      [90, 1050, 34, 'A film by Ines Moreau'],
      [90, 1180, 28, 'IN CINEMAS 12 NOVEMBER'],
    ],
  },
  {
    name: 'tilted',
    size: [1100, 1100],
    background: '#0b6e4f',
    color: '#fff8e7',
    lines: [
      [200, 300, 90, 'Green Market', { rotate: -12 }],
      [200, 520, 54, 'every Saturday morning', { rotate: -12 }],
      [120, 950, 40, 'Bring your own bag'],
    ],
  },
  {
    name: 'photographed',
    size: [1200, 1600],
    background: '#f2f2ee',
    color: '#202020',
    lines: [
      [120, 160, 90, 'Lost Cat', { weight: 800 }],
      [120, 330, 48, 'Grey, white paws, answers to Miso'],
      [120, 430, 48, 'Last seen near Station Road'],
      [120, 1300, 60, 'Call 555 0142'],
    ],
    degrade: (picture) =>
      picture.rotate(4, { background: '#777' }).blur(1.2).modulate({ brightness: 0.8 }).jpeg({ quality: 60 }),
  },
  {
    name: 'pale',
    size: [1000, 1000],
    background: '#e9ecef',
    color: '#8d99a6',
    lines: [
      [100, 220, 80, 'Quiet Rooms'],
      [100, 360, 40, 'An exhibition of small drawings'],
      [100, 780, 30, '1 March to 30 April'],
    ],
  },
  {
    name: 'label',
    size: [800, 1000],
    background: '#f5efe0',
    color: '#1f3b2c',
    font: SERIF,
    shapes: [bar(80, 80, 640, 6, '#1f3b2c'), bar(80, 900, 640, 6, '#1f3b2c')],
    lines: [
      [130, 160, 72, 'Orchard Cider'],
      [130, 300, 36, 'Dry, from wild apples'],
      [130, 640, 30, '6.5% vol. 750 ml'],
      [130, 720, 30, 'Bottled 2025, batch 0417'],
    ],
  },
  {
    name: 'vertical',
    size: [900, 900],
    background: '#ffffff',
    color: '#0d3b66',
    lines: [
      [80, 200, 70, 'Harbour Tours'],
      [80, 340, 40, 'Boats leave every hour'],
      [500, 408, 56, 'DEPARTURES', { rotate: 90, weight: 700 }],
    ],
  },
  {
    name: 'hand',
    size: [1000, 700],
    background: '#fffdf4',
    color: '#23305a',
    font: 'Caveat',
    lines: [
      [90, 90, 90, 'Shopping list'],
      [90, 230, 64, 'milk and honey'],
      [90, 330, 64, 'twelve eggs'],
      [90, 430, 64, 'a bunch of parsley'],
    ],
  },
];

const SCREENS: readonly Design[] = [
  {
    name: 'dialog',
    size: [640, 360],
    background: '#f0f0f0',
    color: '#222222',
    shapes: [bar(400, 290, 100, 40, '#0a66c2'), bar(0, 0, 640, 40, '#dfe3e8')],
    lines: [
      [16, 10, 16, 'Save changes'],
      [24, 90, 18, 'Do you want to save the changes to report.docx?'],
      [24, 130, 14, 'Your changes will be lost if you do not save them.'],
      [430, 300, 16, 'Save', { color: '#ffffff' }],
      [530, 300, 16, 'Cancel'],
    ],
  },
  {
    name: 'terminal',
    size: [1000, 520],
    background: '#0c0c0c',
    color: '#d0d0d0',
    font: MONO,
    lines: [
      [24, 24, 18, '$ npm run build'],
      [24, 64, 18, '> shop@2.4.1 build'],
      [24, 104, 18, 'Compiled 148 modules in 3.27 s', { color: '#4ec16f' }],
      [24, 144, 18, 'error: cannot find module "./price"', { color: '#ff6b6b' }],
      [24, 184, 18, 'at src/cart/total.ts:42:17'],
    ],
  },
  {
    name: 'dashboard',
    size: [1280, 720],
    background: '#ffffff',
    color: '#1b1f24',
    shapes: [
      bar(0, 0, 220, 720, '#14213d'),
      bar(260, 120, 300, 160, '#eef2f7'),
      bar(600, 120, 300, 160, '#eef2f7'),
    ],
    lines: [
      [32, 40, 26, 'Northwind', { color: '#ffffff', weight: 700 }],
      [260, 50, 28, 'Sales overview'],
      [32, 120, 16, 'Orders', { color: '#cbd5e1' }],
      [280, 140, 15, 'Revenue this month'],
      [620, 140, 15, 'New customers'],
      [32, 160, 16, 'Invoices', { color: '#cbd5e1' }],
      [280, 180, 44, '48,215'],
      [620, 180, 44, '1,306'],
      [32, 200, 16, 'Settings', { color: '#cbd5e1' }],
    ],
  },
  {
    name: 'slide',
    size: [1280, 720],
    background: '#ffffff',
    color: '#222222',
    lines: [
      [80, 60, 52, 'Results of the third quarter', { weight: 700 }],
      [100, 190, 30, 'Revenue grew by 12% to 4.8 million'],
      [100, 260, 30, 'Three new markets: Norway, Chile, Japan'],
      [100, 330, 30, 'Returns fell from 6.1% to 3.9%'],
      [100, 400, 30, 'Next step: hire two engineers in Lyon'],
      [80, 660, 18, 'Confidential, page 7 of 24'],
    ],
  },
  {
    name: 'receipt',
    size: [520, 900],
    background: '#fdfdfd',
    color: '#111111',
    font: MONO,
    lines: [
      [110, 40, 30, 'CORNER SHOP'],
      [40, 120, 22, '12/08/2026 17:45'],
      [40, 180, 22, 'Apples 1.2 kg'],
      [360, 180, 22, '3.48'],
      [40, 220, 22, 'Oat milk'],
      [360, 220, 22, '1.99'],
      [40, 260, 22, 'Dark chocolate'],
      [360, 260, 22, '2.75'],
      [40, 340, 26, 'TOTAL'],
      [360, 340, 26, '8.22'],
      [40, 420, 22, 'Thank you for shopping'],
    ],
    degrade: (picture) => picture.blur(0.7).jpeg({ quality: 55 }),
  },
  {
    name: 'article',
    size: [900, 1100],
    background: '#ffffff',
    color: '#202124',
    font: SERIF,
    lines: [
      [80, 60, 44, 'A short history of paper'],
      [80, 150, 20, 'Paper was made in China nearly two thousand years ago. The first'],
      [80, 184, 20, 'sheets were pressed from bark, hemp and old fishing nets. From there'],
      [80, 218, 20, 'the craft travelled west along the trade routes and reached Europe in'],
      [80, 252, 20, 'the twelfth century, where mills were driven by water and rags were'],
      [80, 286, 20, 'the raw material. Wood took over only in the nineteenth century.'],
    ],
  },
  {
    name: 'phone',
    size: [750, 1334],
    background: '#f7f7f8',
    color: '#0f172a',
    shapes: [bar(40, 260, 520, 110, '#ffffff'), bar(190, 420, 520, 110, '#2563eb')],
    lines: [
      [60, 120, 44, 'Messages', { weight: 700 }],
      [70, 295, 30, 'Are you still coming at six?'],
      [220, 455, 30, 'Yes, I will bring the tickets', { color: '#ffffff' }],
      [60, 1240, 28, 'Type a message'],
    ],
  },
  {
    name: 'settings',
    size: [1280, 800],
    background: '#1e1e1e',
    color: '#cccccc',
    lines: [
      [60, 40, 24, 'Preferences'],
      [60, 110, 14, 'Automatically check for updates'],
      [60, 150, 14, 'Show line numbers in the editor'],
      [60, 190, 14, 'Send anonymous usage statistics'],
      [60, 230, 14, 'Default zoom level: 110%'],
      [60, 270, 12, 'Changes take effect after a restart.'],
    ],
  },
  {
    name: 'sign',
    size: [1400, 700],
    background: '#005c3c',
    color: '#ffffff',
    lines: [
      [100, 90, 96, 'Airport', { weight: 700 }],
      [1000, 90, 96, '12 km', { weight: 700 }],
      [100, 270, 96, 'City Centre', { weight: 700 }],
      [1000, 270, 96, '8 km', { weight: 700 }],
      [100, 480, 64, 'Exit 24B'],
    ],
    degrade: (picture) => picture.resize(700).blur(0.8).jpeg({ quality: 50 }),
  },
  {
    name: 'table',
    size: [1000, 500],
    background: '#ffffff',
    color: '#1a1a1a',
    font: 'Atkinson Hyperlegible',
    lines: [
      [60, 40, 22, 'City'],
      [400, 40, 22, 'Population'],
      [700, 40, 22, 'Area in km²'],
      [60, 100, 20, 'Lisbon'],
      [400, 100, 20, '545,923'],
      [700, 100, 20, '100.05'],
      [60, 150, 20, 'Ghent'],
      [400, 150, 20, '265,086'],
      [700, 150, 20, '156.18'],
      [60, 200, 20, 'Bergen'],
      [400, 200, 20, '291,940'],
      [700, 200, 20, '464.71'],
    ],
  },
];

/** Twenty images with legible text: ten posters, ten screens. */
export async function textPictures(): Promise<TextPicture[]> {
  const pictures: TextPicture[] = [];
  for (const design of [...POSTERS, ...SCREENS]) pictures.push(await draw(design));
  return pictures;
}

async function draw({
  name,
  size,
  background,
  color,
  font = 'Inter',
  lines,
  shapes = [],
  degrade,
}: Design): Promise<TextPicture> {
  const [width, height] = size;
  const texts = lines.map(
    ([x, y, pixels, text, style]): Layer => ({
      type: 'text',
      text,
      font,
      color,
      size: pixels,
      box: { x, y, width: width - Math.max(0, x), height: Math.ceil(1.5 * pixels) },
      ...style,
    }),
  );
  const { bytes } = await composePicture(
    {
      canvas: { width, height, dpi: 72, background },
      layers: [...shapes, ...texts],
      images: {},
      format: 'png',
    },
    { ...TEXT_RESOURCES, readImage: () => Promise.reject(new Error('no images')) },
  );
  const degraded = degrade ? await degrade(sharp(bytes)).toBuffer() : bytes;
  return { name, bytes: degraded, lines: lines.map(([, , , text]) => text) };
}
