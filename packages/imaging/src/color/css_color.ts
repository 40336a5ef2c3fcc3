import { linearToSrgb } from '../pixels/srgb_transfer.ts';

/** Encoded sRGB and alpha; each 0 to 1. */
export type Rgba = readonly [red: number, green: number, blue: number, alpha: number];

export const TRANSPARENT: Rgba = [0, 0, 0, 0];

/** CSS Color Module Level 4, section 6.1. */
const NAMES = new Map(
  `aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc bisque ffe4c4 black 000000
  blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e
  coral ff7f50 cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b darkcyan 008b8b darkgoldenrod b8860b
  darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00
  darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b darkslategray 2f4f4f darkslategrey 2f4f4f
  darkturquoise 00ced1 darkviolet 9400d3 deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff
  firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc ghostwhite f8f8ff gold ffd700 goldenrod daa520
  gray 808080 green 008000 greenyellow adff2f grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0
  khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd lightblue add8e6 lightcoral f08080
  lightcyan e0ffff lightgoldenrodyellow fafad2 lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a
  lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 lightsteelblue b0c4de lightyellow ffffe0
  lime 00ff00 limegreen 32cd32 linen faf0e6 magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3
  mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a mediumturquoise 48d1cc
  mediumvioletred c71585 midnightblue 191970 mintcream f5fffa mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080
  oldlace fdf5e6 olive 808000 olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa palegreen 98fb98
  paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6
  purple 800080 rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 salmon fa8072 sandybrown f4a460
  seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090
  snow fffafa springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 turquoise 40e0d0 violet ee82ee
  wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 yellowgreen 9acd32`
    .split(/\s+/)
    .flatMap((word, at, words) => (at % 2 === 0 ? [[word, words[at + 1]!] as const] : [])),
);

const COLOR_CHARACTERS_MAX = 100;

/**
 * Parses a CSS Color 4 colour: a name, `transparent`, hex digits (# optional), rgb(), hsl(), hwb(), lab(), lch(), oklab() or oklch().
 * Values outside sRGB are clipped. Undefined for anything else.
 */
export function parseCssColor(text: string): Rgba | undefined {
  const sent = text.trim().toLowerCase();
  if (sent.length > COLOR_CHARACTERS_MAX) return undefined;
  if (sent === 'transparent' || sent === 'none') return TRANSPARENT;
  const hex = NAMES.get(sent) ?? /^#?([0-9a-f]{8}|[0-9a-f]{6}|[0-9a-f]{3,4})$/.exec(sent)?.[1];
  if (hex !== undefined) return ofHex(hex);
  const [, name, body] = /^([a-z]{3,5})\(([^()]*)\)$/.exec(sent) ?? [];
  const model = name === undefined ? undefined : MODELS[name];
  return model && body !== undefined ? ofFunction(model, body) : undefined;
}

function ofHex(digits: string): Rgba {
  const long = digits.length < 6 ? digits.replace(/./g, '$&$&') : digits.padEnd(8, 'f');
  const [red, green, blue, alpha] = [0, 2, 4, 6].map(
    (at) => Number.parseInt(long.slice(at, at + 2) || 'ff', 16) / 255,
  );
  return [red!, green!, blue!, alpha!];
}

interface Model {
  /** Value of 100 % for each component; `hue` is an angle. */
  readonly whole: readonly (number | 'hue')[];
  rgbOf(numbers: readonly number[]): readonly [number, number, number];
}

const MODELS: Readonly<Record<string, Model>> = {
  rgb: { whole: [255, 255, 255], rgbOf: ([r, g, b]) => [r! / 255, g! / 255, b! / 255] },
  rgba: { whole: [255, 255, 255], rgbOf: ([r, g, b]) => [r! / 255, g! / 255, b! / 255] },
  hsl: { whole: ['hue', 100, 100], rgbOf: ([h, s, l]) => ofHsl(h!, s! / 100, l! / 100) },
  hsla: { whole: ['hue', 100, 100], rgbOf: ([h, s, l]) => ofHsl(h!, s! / 100, l! / 100) },
  hwb: { whole: ['hue', 100, 100], rgbOf: ([h, w, b]) => ofHwb(h!, w! / 100, b! / 100) },
  lab: { whole: [100, 125, 125], rgbOf: ([l, a, b]) => ofLab(l!, a!, b!) },
  lch: { whole: [100, 150, 'hue'], rgbOf: ([l, c, h]) => ofLab(l!, ...polar(c!, h!)) },
  oklab: { whole: [1, 0.4, 0.4], rgbOf: ([l, a, b]) => ofOklab(l!, a!, b!) },
  oklch: { whole: [1, 0.4, 'hue'], rgbOf: ([l, c, h]) => ofOklab(l!, ...polar(c!, h!)) },
};

function ofFunction({ whole, rgbOf }: Model, body: string): Rgba | undefined {
  const parts = body.trim().split(/\s*[,/]\s*|\s+/);
  if (parts.length < 3 || parts.length > 4) return undefined;
  const numbers = parts.map((part, at) => numberOf(part, at === 3 ? 1 : whole[at]!));
  if (numbers.some((number) => number === undefined)) return undefined;
  const [red, green, blue] = rgbOf(numbers as number[]).map(clip);
  return [red!, green!, blue!, clip(numbers[3] ?? 1)];
}

const clip = (value: number): number => Math.min(1, Math.max(0, value));

const TURNS: Readonly<Record<string, number>> = { deg: 1, grad: 0.9, rad: 180 / Math.PI, turn: 360 };

function numberOf(part: string, whole: number | 'hue'): number | undefined {
  if (part === 'none') return 0;
  const [, digits, unit = ''] =
    /^([+-]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))(%|deg|grad|rad|turn)?$/.exec(part) ?? [];
  if (digits === undefined) return undefined;
  const number = Number(digits);
  if (whole === 'hue') return unit === '%' ? undefined : number * (TURNS[unit] ?? 1);
  if (unit === '%') return (number / 100) * whole;
  return unit === '' ? number : undefined;
}

const polar = (chroma: number, hue: number): [number, number] => [
  chroma * Math.cos((hue * Math.PI) / 180),
  chroma * Math.sin((hue * Math.PI) / 180),
];

/** CSS Color 4, section 7.1. */
function ofHsl(hue: number, saturation: number, lightness: number): [number, number, number] {
  const channel = (at: number): number => {
    const place = (at + (((hue % 360) + 360) % 360) / 30) % 12;
    const reach = saturation * Math.min(lightness, 1 - lightness);
    return lightness - reach * Math.max(-1, Math.min(place - 3, 9 - place, 1));
  };
  return [channel(0), channel(8), channel(4)];
}

/** CSS Color 4, section 8.1. */
function ofHwb(hue: number, white: number, black: number): [number, number, number] {
  if (white + black >= 1) {
    const grey = white / (white + black);
    return [grey, grey, grey];
  }
  const [red, green, blue] = ofHsl(hue, 1, 0.5);
  const mix = (value: number): number => value * (1 - white - black) + white;
  return [mix(red), mix(green), mix(blue)];
}

const encode = (light: number): number => linearToSrgb(light) / 255;

/** Source: Björn Ottosson, "A perceptual color space for image processing", 2020. */
function ofOklab(lightness: number, a: number, b: number): [number, number, number] {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    encode(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    encode(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    encode(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** CIE 15, with the white point D50 and the matrix of CSS Color 4 to sRGB. */
function ofLab(lightness: number, a: number, b: number): [number, number, number] {
  const fy = (lightness + 16) / 116;
  const light = (f: number): number => (f ** 3 > 216 / 24389 ? f ** 3 : (116 * f - 16) / (24389 / 27));
  const x = light(fy + a / 500) * 0.9642956764;
  const y = lightness > 8 ? fy ** 3 : lightness / (24389 / 27);
  const z = light(fy - b / 200) * 0.8251046025;
  return [
    encode(3.1341359569 * x - 1.6173863321 * y - 0.490661946 * z),
    encode(-0.9787954734 * x + 1.9162543773 * y + 0.0334428627 * z),
    encode(0.0719553799 * x - 0.2289767598 * y + 1.4053860351 * z),
  ];
}
