import { sharp } from '@atelier/imaging/codecs/sharp.ts';

/** Random sources of an edit. */
export interface Chance {
  /** From 0 (inclusive) to 1 (exclusive). */
  number(): number;
  /** Another image, which is in no index. */
  other(): Promise<Rgb>;
}

/** Makes a file of a copy. */
export type Edit = (picture: Rgb, chance: Chance) => Promise<Buffer>;
type Step = (picture: Rgb, chance: Chance) => Promise<Rgb>;

const openRgb = ({ data, width, height }: Rgb) => sharp(data, { raw: { width, height, channels: 3 } });

async function rgbOf(picture: ReturnType<typeof sharp>): Promise<Rgb> {
  const { data, info } = await picture
    .removeAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  // A Buffer's `slice` would not copy.
  const own = new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return { data: own, width: info.width, height: info.height };
}

/** Decodes a file, and reduces it if its longer side exceeds `side`. */
export const readRgb = (bytes: Uint8Array, side: number): Promise<Rgb> =>
  rgbOf(
    sharp(bytes)
      .rotate()
      .resize(side, side, { fit: 'inside', withoutEnlargement: true })
      .flatten({ background: '#fff' }),
  );

const between = ({ number }: Chance, low: number, high: number): number => low + number() * (high - low);

/** A random crop with the proportions of the image. @param share of its area */
function cropTo(picture: Rgb, share: number, chance: Chance): Promise<Rgb> {
  const [width, height] = [picture.width, picture.height].map((side) =>
    Math.max(16, Math.round(side * Math.sqrt(share))),
  ) as [number, number];
  const left = Math.floor(chance.number() * (picture.width - width + 1));
  const top = Math.floor(chance.number() * (picture.height - height + 1));
  return rgbOf(openRgb(picture).extract({ left, top, width, height }));
}

/** Rotates the image, and crops it to its own pixels. */
async function turned(picture: Rgb, degrees: number): Promise<Rgb> {
  const [cos, sin] = [Math.cos, Math.sin].map((of) => Math.abs(of((degrees * Math.PI) / 180))) as [
    number,
    number,
  ];
  const { width, height } = picture;
  const share = Math.min(width / (width * cos + height * sin), height / (width * sin + height * cos));
  const [w, h] = [Math.floor(width * share), Math.floor(height * share)];
  const whole = await rgbOf(openRgb(picture).rotate(degrees));
  const [left, top] = [(whole.width - w) >> 1, (whole.height - h) >> 1];
  return rgbOf(openRgb(whole).extract({ left, top, width: w, height: h }));
}

function noisy({ data, width, height }: Rgb, deviation: number, { number }: Chance): Rgb {
  const spoiled = Uint8ClampedArray.from(data, (sample) => {
    // The sum of three uniform values approximates a normal one.
    return sample + (number() + number() + number() - 1.5) * 2 * deviation;
  });
  return { data: new Uint8Array(spoiled.buffer), width, height };
}

/** Changes the perspective: each corner moves inwards by up to `most` of the side. */
function slanted(picture: Rgb, most: number, chance: Chance): Rgb {
  const { data, width, height } = picture;
  const inset = (side: number) => chance.number() * most * side;
  const from = [
    [inset(width), inset(height)],
    [width - 1 - inset(width), inset(height)],
    [width - 1 - inset(width), height - 1 - inset(height)],
    [inset(width), height - 1 - inset(height)],
  ] as [number, number][];
  const place = squareToQuad(from);
  const out = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [u, v] = place(x / (width - 1), y / (height - 1));
      const [left, top] = [Math.min(width - 2, Math.floor(u)), Math.min(height - 2, Math.floor(v))];
      const [a, b] = [u - left, v - top];
      for (let channel = 0; channel < 3; channel++) {
        const at = (top * width + left) * 3 + channel;
        const upper = data[at]! * (1 - a) + data[at + 3]! * a;
        const lower = data[at + width * 3]! * (1 - a) + data[at + width * 3 + 3]! * a;
        out[(y * width + x) * 3 + channel] = upper * (1 - b) + lower * b;
      }
    }
  }
  return { data: out, width, height };
}

/** The projective map of the unit square onto four corners (Heckbert, "Fundamentals of Texture Mapping", 1989, section 2.2.3). */
function squareToQuad(corners: readonly [number, number][]): (u: number, v: number) => [number, number] {
  const [[x0, y0], [x1, y1], [x2, y2], [x3, y3]] = corners as [
    [number, number],
    [number, number],
    [number, number],
    [number, number],
  ];
  const [dx1, dx2, dx3] = [x1 - x2, x3 - x2, x0 - x1 + x2 - x3];
  const [dy1, dy2, dy3] = [y1 - y2, y3 - y2, y0 - y1 + y2 - y3];
  const under = dx1 * dy2 - dx2 * dy1;
  const [g, h] = [(dx3 * dy2 - dx2 * dy3) / under, (dx1 * dy3 - dx3 * dy1) / under];
  const [a, b, d, e] = [x1 - x0 + g * x1, x3 - x0 + h * x3, y1 - y0 + g * y1, y3 - y0 + h * y3];
  return (u, v) => {
    const depth = g * u + h * v + 1;
    return [(a * u + b * v + x0) / depth, (d * u + e * v + y0) / depth];
  };
}

/** Overlays an image on another, within its borders. */
function lay(under: Rgb, over: Buffer, left: number, top: number): Promise<Rgb> {
  return rgbOf(openRgb(under).composite([{ input: over, left: Math.round(left), top: Math.round(top) }]));
}

const WHITE = [255, 255, 255] as const;
const RED = [221, 0, 0] as const;
const BLACK = [0, 0, 0] as const;

/**
 * Steps by the kinds that the data set names (Douze et al., "The 2021 Image Similarity Dataset and
 * Challenge", 2021, table 2; made with AugLy).
 */
const STEPS: Record<string, Step> = {
  crop: (picture, chance) => cropTo(picture, between(chance, 0.3, 0.7), chance),
  rotate: (picture, chance) => turned(picture, between(chance, -45, 45)),
  flip: (picture) => rgbOf(openRgb(picture).flop()),
  blur: (picture, chance) => rgbOf(openRgb(picture).blur(between(chance, 2, 6))),
  noise: async (picture, chance) => noisy(picture, between(chance, 10, 40), chance),
  'emoji laid over': async (picture, chance) => {
    const side = Math.round(between(chance, 0.2, 0.5) * Math.min(picture.width, picture.height));
    const [left, top] = [picture.width, picture.height].map((room) => chance.number() * (room - side));
    return withFace(picture, { left: left!, top: top!, width: side, height: side });
  },
  'text laid over': async (picture, chance) => {
    const height = Math.round(between(chance, 0.1, 0.25) * picture.height);
    const top = chance.number() * (picture.height - height);
    const color = chance.number() < 0.5 ? WHITE : RED;
    return withWords(picture, { left: 0, top, width: picture.width, height }, color);
  },
  meme: async (picture) => {
    const bar = Math.round(picture.height / 5);
    const taller = await rgbOf(openRgb(picture).extend({ top: bar, background: '#fff' }));
    return withWords(taller, { left: 0, top: 0, width: picture.width, height: bar }, BLACK);
  },
  padding: (picture, chance) => {
    const [x, y] = [picture.width, picture.height].map((side) =>
      Math.round(between(chance, 0.05, 0.25) * side),
    );
    return rgbOf(openRgb(picture).extend({ top: y!, bottom: y!, left: x!, right: x!, background: '#000' }));
  },
  'laid on another picture': async (picture, chance) => {
    const under = await chance.other();
    const share = between(chance, 0.4, 0.75);
    const [width, height] = [under.width, under.height].map((side) => Math.round(side * share));
    const small = openRgb(picture).resize(width, height, { fit: 'inside' });
    const { data, info } = await small.png().toBuffer({ resolveWithObject: true });
    const [left, top] = [under.width - info.width, under.height - info.height].map(
      (room) => chance.number() * room,
    );
    return lay(under, data, left!, top!);
  },
  'collage of four': async (picture, chance) => {
    const [width, height] = [picture.width >> 1, picture.height >> 1];
    const tiles = [picture, await chance.other(), await chance.other(), await chance.other()];
    const own = Math.floor(chance.number() * 4);
    [tiles[0], tiles[own]] = [tiles[own]!, tiles[0]!];
    const input = await Promise.all(
      tiles.map((tile) => openRgb(tile).resize(width, height, { fit: 'cover' }).png().toBuffer()),
    );
    const placed = input.map((tile, at) => ({
      input: tile,
      left: (at % 2) * width,
      top: (at >> 1) * height,
    }));
    return rgbOf(openRgb(picture).composite(placed));
  },
  'another picture shines through': async (picture, chance) => {
    const part = between(chance, 0.2, 0.5);
    const { width, height } = picture;
    const other = await rgbOf(openRgb(await chance.other()).resize(width, height, { fit: 'fill' }));
    const data = picture.data.map((sample, at) => sample * (1 - part) + other.data[at]! * part);
    return { data, width, height };
  },
  'colour jitter': (picture, chance) =>
    rgbOf(
      openRgb(picture)
        .modulate({
          brightness: between(chance, 0.6, 1.5),
          saturation: between(chance, 0.3, 2),
          hue: Math.round(between(chance, -60, 60)),
        })
        .linear(between(chance, 0.7, 1.4), 0),
    ),
  greyscale: async (picture) => {
    const data = picture.data.slice();
    for (let at = 0; at < data.length; at += 3) {
      data.fill(0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!, at, at + 3);
    }
    return { ...picture, data };
  },
  perspective: async (picture, chance) => slanted(picture, 0.2, chance),
  'other proportions': (picture, chance) => {
    const share = chance.number() < 0.5 ? between(chance, 0.5, 0.8) : between(chance, 1.25, 2);
    return rgbOf(openRgb(picture).resize(Math.round(picture.width * share), picture.height, { fit: 'fill' }));
  },
  pixels: async (picture, chance) => {
    const { width, height } = picture;
    const small = Math.round(width / between(chance, 6, 14));
    const coarse = await rgbOf(openRgb(picture).resize(small, undefined, { kernel: 'nearest' }));
    return rgbOf(openRgb(coarse).resize(width, height, { kernel: 'nearest', fit: 'fill' }));
  },
};

const jpeg = (picture: Rgb, quality: number): Promise<Buffer> =>
  openRgb(picture).jpeg({ quality }).toBuffer();

/** Two to four different steps in sequence. */
async function combined(picture: Rgb, chance: Chance): Promise<Rgb> {
  const left = Object.values(STEPS);
  let copy = picture;
  for (let steps = 2 + Math.floor(chance.number() * 3); steps > 0; steps--) {
    const [step] = left.splice(Math.floor(chance.number() * left.length), 1);
    copy = await step!(copy, chance);
  }
  return copy;
}

/**
 * Automatic equivalent of the manual "strong" copies of Copydays: changed perspective, cropped, faded,
 * degraded like a print and scan.
 */
async function strong(picture: Rgb, chance: Chance): Promise<Rgb> {
  const cut = await cropTo(slanted(picture, 0.12, chance), between(chance, 0.5, 0.9), chance);
  const faded = openRgb(cut)
    .linear(between(chance, 0.5, 0.8), between(chance, 20, 60))
    .blur(between(chance, 0.8, 2));
  return noisy(await rgbOf(faded), 10, chance);
}

const quarter = (picture: Rgb): Promise<Rgb> =>
  rgbOf(openRgb(picture).resize(Math.max(16, Math.round(picture.width / 4))));

/** The query transformations of DISC21, single and combined; all are saved as JPEG of quality 75. */
export const DISC21: Record<string, Edit> = {
  ...Object.fromEntries(
    Object.entries(STEPS).map(([name, step]): [string, Edit] => [
      name,
      async (picture, chance) => jpeg(await step(picture, chance), 75),
    ]),
  ),
  'JPEG 10 to 30': (picture, chance) => jpeg(picture, Math.round(between(chance, 10, 30))),
  'two to four together': async (picture, chance) => jpeg(await combined(picture, chance), 75),
};

/**
 * As Copydays defines them (Jégou, Douze, Schmid, "Hamming Embedding and Weak Geometric Consistency", 2008):
 * crops by the share of the area that is lost; JPEG of the image with a sixteenth of its pixels.
 */
export const COPYDAYS: Record<string, Edit> = {
  ...Object.fromEntries(
    [10, 15, 20, 30, 40, 50, 60, 70, 80].map((lost): [string, Edit] => [
      `crop ${lost} %`,
      async (picture, chance) => jpeg(await cropTo(picture, 1 - lost / 100, chance), 75),
    ]),
  ),
  ...Object.fromEntries(
    [75, 50, 30, 20, 15, 10, 8, 5, 3].map((quality): [string, Edit] => [
      `1/16 of the pixels, JPEG ${quality}`,
      async (picture) => jpeg(await quarter(picture), quality),
    ]),
  ),
  strong: async (picture, chance) => jpeg(await strong(picture, chance), 75),
};

/** An image during editing: RGB, 8 bits. */
export interface Rgb {
  readonly data: Uint8Array;
  readonly width: number;
  readonly height: number;
}

type Color = readonly [number, number, number];
type Paint = (x: number, y: number) => Color | undefined;

/**
 * Paints the pixels of an area; where `paint` returns undefined the image stays. `x` and `y` range from 0 to
 * 1.
 */
function painted(picture: Rgb, area: Area, paint: Paint): Rgb {
  const data = picture.data.slice();
  const { left, top, width, height } = area;
  for (let row = 0; row < Math.floor(height); row++) {
    for (let column = 0; column < Math.floor(width); column++) {
      const color = paint((column + 0.5) / width, (row + 0.5) / height);
      const at = ((Math.floor(top) + row) * picture.width + Math.floor(left) + column) * 3;
      if (color) data.set(color, at);
    }
  }
  return { ...picture, data };
}

/** In pixels, within the image. */
interface Area {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** A yellow face with eyes and a mouth, as emoji have. */
const withFace = (picture: Rgb, area: Area): Rgb =>
  painted(picture, area, (x, y) => {
    const [u, v] = [2 * x - 1, 2 * y - 1];
    if (Math.hypot(u, v) > 0.96) return undefined;
    if (Math.hypot(Math.abs(u) - 0.35, v + 0.25) < 0.16) return [68, 34, 0];
    if (v > 0.15 && Math.hypot(u, v - 0.15) < 0.55) return [170, 34, 34];
    return [255, 204, 51];
  });

/** Seven rows of five dots; the leftmost is the highest bit. */
const LETTERS: Record<string, readonly number[]> = {
  A: [14, 17, 17, 31, 17, 17, 17],
  E: [31, 16, 16, 30, 16, 16, 31],
  H: [17, 17, 17, 31, 17, 17, 17],
  I: [14, 4, 4, 4, 4, 4, 14],
  K: [17, 18, 20, 24, 20, 18, 17],
  L: [16, 16, 16, 16, 16, 16, 31],
  N: [17, 25, 21, 21, 19, 17, 17],
  O: [14, 17, 17, 17, 17, 17, 14],
  S: [15, 16, 16, 14, 1, 1, 30],
  T: [31, 4, 4, 4, 4, 4, 4],
};
const SENTENCE = 'LOOK AT THIS ONE';

/** A line of capitals as wide as the area. */
const withWords = (picture: Rgb, area: Area, color: Color): Rgb =>
  painted(picture, area, (x, y) => {
    const [column, row] = [Math.floor(x * SENTENCE.length * 6), Math.floor(y * 9) - 1];
    const dots = LETTERS[SENTENCE[Math.floor(column / 6)]!]?.[row] ?? 0;
    return (dots >> (4 - (column % 6))) & 1 ? color : undefined;
  });
