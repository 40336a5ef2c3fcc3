import type { Measures } from '@atelier/imaging/analysis/analyse_picture.ts';
import sharp, { type Sharp } from 'sharp';
import { pixelText } from './pixel_text.ts';

/** A generated image, its ground truth, and the statement of the analyst; undefined if it makes none. */
export interface PictureWithTruth {
  readonly claim: string;
  readonly truth: string;
  bytes(): Promise<Buffer>;
  isRight(measures: Measures): boolean | undefined;
}

type Rgb = readonly [number, number, number];
/** Colour at a position, as fractions of width and height. */
type Painter = (x: number, y: number) => Rgb;

const [WIDTH, HEIGHT] = [360, 270];
const grey = (value: number): Rgb => [value, value, value];

/** One image for every statement of the analyst, generated with this seed, with counter-examples. */
export function picturesWithTruth(seed: number): PictureWithTruth[] {
  const random = randomFrom(seed);
  return [
    ...litPictures(random),
    ...symmetricPictures(random),
    ...palettes(random),
    ...placedThings(random),
    ...horizons(random),
    ...lines(random),
    ...writing(random),
    ...patterns(random),
    ...keys(random),
    ...temperatures(random),
    ...depths(random),
    ...flaws(random),
  ];
}

/** Mulberry32: small, and the same on every platform. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

function made(
  claim: string,
  truth: string,
  painter: Painter,
  isRight: (measures: Measures) => boolean | undefined,
  finish: (picture: Sharp) => Sharp = (picture) => picture.png(),
  size = { width: WIDTH, height: HEIGHT },
): PictureWithTruth {
  return { claim, truth, isRight, bytes: () => finish(painted(painter, size)).toBuffer() };
}

function painted(painter: Painter, { width, height }: { width: number; height: number }): Sharp {
  const samples = new Uint8Array(3 * width * height);
  for (let at = 0; at < width * height; at++) {
    const color = painter(((at % width) + 0.5) / width, (Math.floor(at / width) + 0.5) / height);
    color.forEach((value, channel) => {
      samples[3 * at + channel] = Math.max(0, Math.min(255, Math.round(value)));
    });
  }
  return sharp(samples, { raw: { width, height, channels: 3 } });
}

const SIDES = [
  'the right',
  'the lower right',
  'below',
  'the lower left',
  'the left',
  'the upper left',
  'above',
  'the upper right',
];

/** A ball, a bumpy relief and a graded background, each lit from eight directions by Lambert's law. */
function litPictures(random: () => number): PictureWithTruth[] {
  return SIDES.flatMap((side, index) => {
    const angle = (index * Math.PI) / 4;
    const light = [0.75 * Math.cos(angle), 0.75 * Math.sin(angle), 0.66] as const;
    const ground = 40 + 60 * random();
    const radius = 0.25 + 0.12 * random();
    const [bumps, phase] = [5 + 4 * random(), 6 * random()];
    const noise = randomFrom(Math.floor(1e9 * random()));
    const near =
      (claim: 'from' | 'lighterTowards') =>
      ({ light: { [claim]: claimed } }: Measures) =>
        claimed && turn(claimed.degrees, 45 * index) <= 30;
    const lit = (nx: number, ny: number, nz: number) =>
      Math.max(0, nx * light[0] + ny * light[1] + nz * light[2]);
    const ball: Painter = (x, y) => {
      const [dx, dy] = [((x - 0.5) * WIDTH) / HEIGHT / radius, (y - 0.5) / radius];
      const rest = 1 - dx * dx - dy * dy;
      return rest < 0 ? grey(ground) : grey(20 + 220 * lit(dx, dy, Math.sqrt(rest)) + 6 * (noise() - 0.5));
    };
    const relief: Painter = (x, y) => {
      const slope = [Math.sin(bumps * x * 4 + phase), Math.sin(bumps * y * 3 - phase)] as const;
      const length = Math.hypot(slope[0], slope[1], 1.4);
      const shade = lit(slope[0] / length, slope[1] / length, 1.4 / length);
      // Light falls off: a lamp is nearer to one edge.
      const near = 1 + 0.5 * ((x - 0.5) * light[0] + (y - 0.5) * light[1]);
      return grey(30 + 190 * shade * near + 6 * (noise() - 0.5));
    };
    const graded: Painter = (x, y) =>
      grey(128 + 150 * ((x - 0.5) * light[0] + (y - 0.5) * light[1]) + 10 * (noise() - 0.5));
    return [
      made('light from', `${side}, ball`, ball, near('from')),
      made('light from', `${side}, relief`, relief, near('from')),
      made('grows lighter', `towards ${side}`, graded, near('lighterTowards')),
      made('light from', `nowhere: a sky graded to ${side}`, graded, ({ light }) => light.from === undefined),
    ];
  }).concat(made('light from', 'nowhere', blobs(random, 14), ({ light }) => light.from === undefined));
}

const turn = (one: number, other: number): number => {
  const apart = Math.abs(one - other) % 360;
  return Math.min(apart, 360 - apart);
};

/** Discs of random colours on a background. */
function blobs(random: () => number, count: number): Painter {
  const ground = color(random);
  const discs = Array.from({ length: count }, () => ({
    x: random(),
    y: random(),
    radius: 0.03 + 0.1 * random(),
    color: color(random),
  }));
  return (x, y) =>
    discs.find((disc) => Math.hypot(((x - disc.x) * WIDTH) / HEIGHT, y - disc.y) < disc.radius)?.color ??
    ground;
}

const color = (random: () => number): Rgb => [255 * random(), 255 * random(), 255 * random()];

function symmetricPictures(random: () => number): PictureWithTruth[] {
  return [0, 1, 2]
    .flatMap(() => {
      const any = blobs(random, 16);
      return [
        made(
          'symmetry',
          'left and right',
          (x, y) => any(Math.min(x, 1 - x), y),
          ({ symmetry }) => symmetry.name === 'strong' && symmetry.axis === 'vertical',
        ),
        made(
          'symmetry',
          'top and bottom',
          (x, y) => any(x, Math.min(y, 1 - y)),
          ({ symmetry }) => symmetry.name === 'strong' && symmetry.axis === 'horizontal',
        ),
        made('symmetry', 'none', any, ({ symmetry }) => symmetry.name === 'none'),
      ];
    })
    .concat(
      made(
        'symmetry',
        'none: layers, as of sky, sea and sand',
        speckle(random, 30, (_, y) => grey(y < 0.4 ? 210 : y < 0.55 ? 90 : 150)),
        ({ symmetry }) => symmetry.name === 'none',
      ),
    );
}

/** Vertical stripes of flat colour with known shares. */
function palettes(random: () => number): PictureWithTruth[] {
  return [2, 3, 4, 5, 6].map((count) => {
    const hues = Array.from({ length: count }, (_, index) =>
      hsl((360 * index) / count + 30 * random(), 0.75, index % 2 ? 0.35 : 0.62),
    );
    const weights = hues.map(() => 0.3 + random());
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    const ends = weights.map(
      (_, index) => weights.slice(0, index + 1).reduce((sum, weight) => sum + weight, 0) / total,
    );
    const painter: Painter = (x) =>
      hues[
        Math.min(
          count - 1,
          ends.findIndex((end) => x < end),
        )
      ] ?? hues[count - 1]!;
    return made('palette', `${count} colours`, painter, ({ color: { palette } }) =>
      hues.every((wanted, index) => {
        const share = 100 * (ends[index]! - (ends[index - 1] ?? 0));
        const hex = `#${wanted.map((value) => Math.round(value).toString(16).padStart(2, '0')).join('')}`;
        const found = palette.find((entry) => entry.hex === hex);
        return found !== undefined && Math.abs(found.share - share) < 1;
      }),
    );
  });
}

function hsl(hue: number, saturation: number, lightness: number): Rgb {
  const channel = (shift: number) => {
    const k = (shift + hue / 30) % 12;
    return (
      255 *
      (lightness - saturation * Math.min(lightness, 1 - lightness) * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
    );
  };
  return [channel(0), channel(8), channel(4)];
}

/** One disc on a plain background: at each intersection of thirds, in the middle, and far to one side. */
function placedThings(random: () => number): PictureWithTruth[] {
  const disc = (atX: number, atY: number): Painter => {
    const [ground, thing] = [hsl(360 * random(), 0.2, 0.75), hsl(360 * random(), 0.8, 0.35)];
    const radius = 0.06 + 0.04 * random();
    return (x, y) => (Math.hypot(((x - atX) * WIDTH) / HEIGHT, y - atY) < radius ? thing : ground);
  };
  const jitter = () => 0.05 * (random() - 0.5);
  const thirds = (['upper left', 'upper right', 'lower left', 'lower right'] as const).map((name, index) =>
    made(
      'thirds',
      name,
      disc((index % 2 ? 2 : 1) / 3 + jitter(), (index > 1 ? 2 : 1) / 3 + jitter()),
      ({ focus }) => focus.third?.name === name,
    ),
  );
  return [
    ...thirds,
    made(
      'thirds',
      'not: centred',
      disc(0.5 + jitter(), 0.5 + jitter()),
      ({ focus }) => !focus.third && focus.isCentred,
    ),
    made('thirds', 'not: in a corner', disc(0.12, 0.14), ({ focus }) => !focus.third && !focus.isCentred),
    made('balance', 'left', disc(0.2, 0.5), ({ focus }) => focus.balance === 'heavier on the left'),
    made('balance', 'right', disc(0.8, 0.5), ({ focus }) => focus.balance === 'heavier on the right'),
    made('balance', 'balanced', disc(0.5, 0.5), ({ focus }) => focus.balance === 'balanced'),
    made(
      'figure on a plain ground',
      'yes',
      disc(0.5, 0.5),
      ({ subject }) => subject.figure?.place === 'centre',
    ),
    made('figure on a plain ground', 'no', blobs(random, 20), ({ subject }) => subject.figure === undefined),
    made('negative space', 'most of it', disc(0.5, 0.5), ({ space }) => space.empty > 0.8),
    made('negative space', 'none', speckle(random, 90), ({ space }) => space.empty < 0.05),
  ];
}

function speckle(random: () => number, strength: number, ground: Painter = () => grey(128)): Painter {
  const noise = randomFrom(Math.floor(1e9 * random()));
  return (x, y) => {
    const shift = strength * (noise() + noise() + noise() - 1.5);
    return ground(x, y).map((value) => value + shift) as unknown as Rgb;
  };
}

function horizons(random: () => number): PictureWithTruth[] {
  const found = [0.3, 0.42, 0.55, 0.68].map((height) => {
    const [sky, land] = [hsl(200 + 30 * random(), 0.5, 0.75), hsl(60 + 60 * random(), 0.4, 0.3)];
    const painter = speckle(random, 25, (_, y) => (y < height ? sky : land));
    return made(
      'horizon',
      `at ${height}`,
      painter,
      ({ subject }) => Math.abs((subject.horizon?.height ?? 0) - height) < 0.03,
    );
  });
  return [
    ...found,
    made('horizon', 'none: blobs', blobs(random, 18), ({ subject }) => !subject.horizon),
    made(
      'horizon',
      'none: a slope',
      (_, y) => grey(60 + 140 * y),
      ({ subject }) => !subject.horizon,
    ),
    made(
      'horizon',
      'none: stripes',
      (_, y) => grey(Math.floor(12 * y) % 2 ? 60 : 200),
      ({ subject }) => !subject.horizon,
    ),
  ];
}

function lines(random: () => number): PictureWithTruth[] {
  const stripes = (degrees: number): Painter => {
    const [c, s] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
    const phase = random();
    // The normal is perpendicular to the stripes.
    return (x, y) =>
      grey(Math.sin(2 * Math.PI * ((-s * x * WIDTH + c * y * HEIGHT) / 37 + phase)) > 0 ? 210 : 70);
  };
  const [vanishX, vanishY] = [0.35 + 0.3 * random(), 0.3 + 0.2 * random()];
  const rays: Painter = (x, y) => {
    const angle = Math.atan2((y - vanishY) * HEIGHT, (x - vanishX) * WIDTH);
    return grey(Math.floor((angle + 7) * 3.2) % 2 ? 200 : 70);
  };
  return [
    made('direction of edges', 'level', stripes(0), ({ lines: found }) => found.direction === 'level'),
    made('direction of edges', 'upright', stripes(90), ({ lines: found }) => found.direction === 'upright'),
    made(
      'direction of edges',
      'falling',
      stripes(45),
      ({ lines: found }) => found.direction === 'falling to the right',
    ),
    made(
      'direction of edges',
      'rising',
      stripes(-45),
      ({ lines: found }) => found.direction === 'rising to the right',
    ),
    made(
      'direction of edges',
      'none',
      () => grey(90),
      ({ lines: found }) => found.direction === 'none',
    ),
    made(
      'lines meet',
      'yes',
      rays,
      ({ lines: { meeting } }) =>
        meeting !== undefined && Math.hypot(meeting.x - vanishX, meeting.y - vanishY) < 0.05,
    ),
    made('lines meet', 'no: parallel', stripes(30), ({ lines: { meeting } }) => meeting === undefined),
    made('lines meet', 'no: blobs', blobs(random, 18), ({ lines: { meeting } }) => meeting === undefined),
    made(
      'lines meet',
      'no: grid',
      (x, y) => grey((Math.floor(10 * x) + Math.floor(8 * y)) % 2 ? 210 : 60),
      ({ lines: { meeting } }) => meeting === undefined,
    ),
  ];
}

function writing(random: () => number): PictureWithTruth[] {
  const size = { width: 560, height: 420 };
  const letters = () =>
    Array.from({ length: 22 }, () =>
      random() < 0.16 ? ' ' : String.fromCharCode(97 + Math.floor(26 * random())),
    ).join('');
  const page = (count: number): Painter => {
    const rows = Array.from({ length: count }, () => pixelText(letters(), 3));
    return (x, y) => {
      const [column, place] = [Math.floor(x * size.width) - 60, Math.floor(y * size.height) - 40];
      const row = rows[Math.floor(place / 40)];
      const within = place % 40;
      const isInk =
        row &&
        place >= 0 &&
        column >= 0 &&
        column < row.width &&
        within < row.height &&
        row.data[within * row.width + column];
      return isInk ? grey(30) : grey(235);
    };
  };
  return [
    made('writing', 'yes: 4 lines', page(4), ({ subject }) => subject.textLines >= 3, undefined, size),
    made('writing', 'yes: 8 lines', page(8), ({ subject }) => subject.textLines >= 6, undefined, size),
    made('writing', 'no: noise', speckle(random, 200), ({ subject }) => subject.textLines === 0),
    made('writing', 'no: blobs', blobs(random, 30), ({ subject }) => subject.textLines === 0),
    made('writing', 'no: tiles', tiles(random), ({ subject }) => subject.textLines === 0),
    made('writing', 'no: stars', stars(random), ({ subject }) => subject.textLines === 0),
  ];
}

/** A tiled wall: rows of marks as regular as writing, with joints between them. */
function tiles(random: () => number): Painter {
  const shades = Array.from({ length: 700 }, () => 90 + 60 * random());
  return (x, y) => {
    const [column, row] = [30 * x, 20 * y];
    const isJoint = column % 1 < 0.12 || row % 1 < 0.12;
    return grey(isJoint ? 40 : shades[30 * Math.floor(row) + Math.floor(column)]!);
  };
}

function stars(random: () => number): Painter {
  const noise = randomFrom(Math.floor(1e9 * random()));
  return () => grey(noise() < 0.04 ? 255 : 8 + 6 * noise());
}

function patterns(random: () => number): PictureWithTruth[] {
  const discs = Array.from({ length: 4 }, () => ({
    x: random(),
    y: random(),
    radius: 0.1 + 0.15 * random(),
  }));
  const tile: Painter = (x, y) =>
    grey(discs.some((disc) => Math.hypot(x - disc.x, y - disc.y) < disc.radius) ? 60 : 200);
  const repeated =
    (count: number): Painter =>
    (x, y) =>
      tile((x * count) % 1, (y * count) % 1);
  return [
    made(
      'repeating pattern',
      'yes: 5 across',
      repeated(5),
      ({ subject }) => Math.abs((subject.pattern?.likeness ?? 0) - 1) < 0.3,
    ),
    made('repeating pattern', 'yes: 8 across', repeated(8), ({ subject }) => subject.pattern !== undefined),
    made('repeating pattern', 'no: blobs', blobs(random, 40), ({ subject }) => !subject.pattern),
    made('repeating pattern', 'no: noise', speckle(random, 120), ({ subject }) => !subject.pattern),
    made(
      'repeating pattern',
      'no: a slope',
      (x) => grey(255 * x),
      ({ subject }) => !subject.pattern,
    ),
  ];
}

function keys(random: () => number): PictureWithTruth[] {
  const at = (level: number, spread: number): Painter => {
    const any = blobs(random, 30);
    return (x, y) => grey(level + spread * (any(x, y)[0] / 255 - 0.5));
  };
  return [
    made('tonal key', 'low', at(45, 60), ({ tone }) => tone.key === 'low key'),
    made('tonal key', 'middle', at(120, 80), ({ tone }) => tone.key === 'middle key'),
    made('tonal key', 'high', at(215, 60), ({ tone }) => tone.key === 'high key'),
    made(
      'contrast',
      'low',
      at(120, 50),
      ({ tone }) => tone.contrast === 'low' || tone.contrast === 'very low',
    ),
    made(
      'contrast',
      'very high',
      (x) => grey(Math.floor(8 * x) % 2 ? 255 : 0),
      ({ tone }) => tone.contrast === 'very high',
    ),
    made(
      'contrast',
      'none',
      () => grey(77),
      ({ tone, isBlank }) => tone.contrast === 'very low' && isBlank,
    ),
  ];
}

function temperatures(random: () => number): PictureWithTruth[] {
  const around = (hue: number, spread: number, saturation = 0.6): Painter => {
    const any = blobs(random, 25);
    return (x, y) =>
      hsl(
        (hue + spread * (any(x, y)[0] / 255 - 0.5) + 360) % 360,
        saturation,
        0.3 + (0.4 * any(x, y)[1]) / 255,
      );
  };
  const shift = random();
  const two = (hue: number): Painter => {
    const any = blobs(random, 25);
    return (x, y) =>
      hsl(any(x, y)[0] > 127 || x < 0.3 ? hue : (hue + 180) % 360, 0.6, 0.3 + (0.3 * any(x, y)[1]) / 255);
  };
  return [
    made('temperature', 'warm', around(25, 40), ({ color: { temperature } }) => temperature === 'warm'),
    made('temperature', 'cool', around(215, 40), ({ color: { temperature } }) => temperature === 'cool'),
    made(
      'temperature',
      'neutral',
      around(0, 0, 0),
      ({ color: { temperature } }) => temperature === 'neutral',
    ),
    made('harmony', 'one hue', around(120, 0), ({ color: { harmony } }) => harmony.scheme === 'one hue'),
    made(
      'harmony',
      'achromatic',
      around(0, 0, 0),
      ({ color: { harmony } }) => harmony.scheme === 'achromatic',
    ),
    made('harmony', 'two opposed', two(40), ({ color: { harmony } }) =>
      /complementary|opposed/.test(harmony.scheme),
    ),
    made(
      'harmony',
      'all around',
      (x, y) => hsl(360 * ((x + y / 8 + shift) % 1), 0.6, 0.5),
      ({ color: { harmony } }) => /circle/.test(harmony.scheme),
    ),
  ];
}

/** Ranges of hills, each paler and bluer than the one before it. */
function depths(random: () => number): PictureWithTruth[] {
  const ranges = Array.from({ length: 6 }, (_, index) => ({
    top: 0.15 + 0.14 * index,
    wave: 8 + 10 * random(),
    phase: 6 * random(),
  }));
  const hill = (x: number, y: number): number =>
    ranges.findLastIndex(({ top, wave, phase }) => y > top + 0.02 * Math.sin(wave * x + phase));
  const fading: Painter = (x, y) => {
    const near = (hill(x, y) + 1) / 6;
    return [210 - 190 * near, 220 - 150 * near, 240 - 210 * near];
  };
  return [
    made('depth by air', 'yes', fading, ({ space }) => space.depthCues.includes('paler towards the top')),
    made(
      'depth by air',
      'no: the same everywhere',
      blobs(random, 40),
      ({ space }) => space.depthCues.length <= 1,
    ),
  ];
}

function flaws(random: () => number): PictureWithTruth[] {
  const scene = blobs(random, 12);
  const has =
    (word: RegExp) =>
    ({ reproduction }: Measures) =>
      reproduction.flaws.some((flaw) => word.test(flaw));
  const lacks = (word: RegExp) => (measures: Measures) => !has(word)(measures);
  const margin: Painter = (x, y) => (x < 0.08 || x > 0.92 || y < 0.08 || y > 0.92 ? grey(250) : scene(x, y));
  const texture = speckle(random, 40, scene);
  return [
    made('flaw: noise', 'yes', speckle(random, 45, scene), has(/noise/)),
    made('flaw: noise', 'no', scene, lacks(/noise/)),
    made('flaw: softness', 'yes', texture, has(/soft/), (picture) => picture.blur(3).png()),
    made('flaw: softness', 'no', scene, lacks(/soft/)),
    made('flaw: blocks', 'yes', speckle(random, 20, scene), has(/blocks/), (picture) =>
      picture.jpeg({ quality: 6 }),
    ),
    made('flaw: blocks', 'no', texture, lacks(/blocks/), (picture) => picture.jpeg({ quality: 92 })),
    made('flaw: clipping', 'yes', (x, y) => (x < 0.2 ? grey(255) : scene(x, y)), has(/pure white/)),
    made(
      'flaw: clipping',
      'no',
      (x, y) => scene(x, y).map((value) => 20 + 0.8 * value) as unknown as Rgb,
      lacks(/pure/),
    ),
    made(
      'margins',
      'yes',
      margin,
      ({ reproduction }) => Math.abs((reproduction.margins?.left ?? 0) - 0.08) < 0.02,
    ),
    made('margins', 'no', texture, ({ reproduction }) => reproduction.margins === undefined),
  ];
}
