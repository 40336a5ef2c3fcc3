import { parseCssColor } from '@atelier/imaging/color/css_color.ts';
import { parseBoundedJson } from '../../../core/json/parse_bounded_json.ts';
import { handleIn, pictureIn } from '../images_in.ts';
import { hasSameLetters } from '../spellings.ts';
import {
  GRAVITY_SYNONYMS,
  OPERATION_FIELDS,
  OPERATION_NAMES,
  type OperationName,
} from './operation_fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Aliases of operations with the fields they imply: from sharp, Cloudinary, CSS, ImageMagick, Pillow and plain language. */
const ALIASES: Readonly<Record<string, readonly [OperationName, Fields?]>> = {
  extract: ['crop'],
  cut: ['crop'],
  clip: ['crop'],
  square: ['crop', { aspect: '1:1' }],
  autocrop: ['trim'],
  trim_borders: ['trim'],
  turn: ['rotate'],
  rotation: ['rotate'],
  rotate_left: ['rotate', { degrees: -90 }],
  rotate_right: ['rotate', { degrees: 90 }],
  mirror: ['flip'],
  flop: ['flip', { axis: 'horizontal' }],
  flip_horizontal: ['flip', { axis: 'horizontal' }],
  flip_vertical: ['flip', { axis: 'vertical' }],
  scale: ['resize'],
  thumbnail: ['resize'],
  fit: ['resize'],
  extend: ['pad'],
  canvas: ['pad'],
  letterbox: ['pad'],
  expand: ['pad'],
  frame: ['border'],
  round_corners: ['round'],
  rounded_corners: ['round'],
  corner_radius: ['round'],
  border_radius: ['round'],
  circle: ['round', { radius: '50%' }],
  drop_shadow: ['shadow'],
  box_shadow: ['shadow'],
  backdrop: ['background'],
  set_background: ['background'],
  remove_background: ['background', { remove: true }],
  deskew: ['straighten'],
  level: ['straighten'],
  ...Object.fromEntries(
    [
      'exposure',
      'brightness',
      'contrast',
      'saturation',
      'vibrance',
      'temperature',
      'tint',
      'highlights',
      'shadows',
      'gamma',
      'hue',
      'levels',
    ].map((name) => [name, ['adjust'] as const]),
  ),
  saturate: ['adjust'],
  modulate: ['adjust'],
  adjustments: ['adjust'],
  hue_rotate: ['adjust'],
  auto: ['adjust', { auto: true }],
  enhance: ['adjust', { auto: true }],
  auto_adjust: ['adjust', { auto: true }],
  auto_enhance: ['adjust', { auto: true }],
  normalize: ['adjust', { auto: true }],
  white_balance: ['adjust', { auto: true }],
  grayscale: ['tone', { style: 'grayscale' }],
  greyscale: ['tone', { style: 'grayscale' }],
  black_and_white: ['tone', { style: 'grayscale' }],
  monochrome: ['tone', { style: 'grayscale' }],
  sepia: ['tone', { style: 'sepia' }],
  duotone: ['tone', { style: 'duotone' }],
  invert: ['tone', { style: 'invert' }],
  negate: ['tone', { style: 'invert' }],
  threshold: ['tone', { style: 'threshold' }],
  posterize: ['tone', { style: 'posterize' }],
  curves: ['curve'],
  unsharp: ['sharpen'],
  unsharp_mask: ['sharpen'],
  noise_reduction: ['denoise'],
  gaussian_blur: ['blur'],
  blur_faces: ['blur', { where: 'faces' }],
  blur_background: ['blur', { where: 'background' }],
  mosaic: ['pixelate'],
  pixelize: ['pixelate'],
  pixelate_faces: ['pixelate', { where: 'faces' }],
  censor: ['redact'],
  black_out: ['redact'],
  composite: ['overlay'],
  watermark: ['overlay'],
  logo: ['overlay'],
  paste: ['overlay'],
  image: ['overlay'],
  layer: ['overlay'],
  caption: ['text'],
  title: ['text'],
  write: ['text'],
  annotate: ['text'],
  add_text: ['text'],
  draw_text: ['text'],
  label: ['text'],
  rect: ['shape', { type: 'rect' }],
  rectangle: ['shape', { type: 'rect' }],
  ellipse: ['shape', { type: 'ellipse' }],
  line: ['shape', { type: 'line' }],
  arrow: ['shape', { type: 'arrow' }],
  polygon: ['shape', { type: 'polygon' }],
  path: ['shape', { type: 'path' }],
  draw: ['shape'],
  qr_code: ['qr'],
  alpha: ['opacity'],
  distort: ['perspective'],
  keystone: ['perspective'],
  color_lut: ['lut'],
};

/** The field set by a bare value: `{"rotate": 90}`, `{op: "rotate", value: 90}`. */
const MAIN: Partial<Record<OperationName, string>> = {
  crop: 'aspect',
  rotate: 'degrees',
  straighten: 'max_degrees',
  flip: 'axis',
  resize: 'width',
  pad: 'aspect',
  border: 'width',
  round: 'radius',
  background: 'color',
  tone: 'style',
  curve: 'points',
  lut: 'file',
  sharpen: 'amount',
  denoise: 'amount',
  blur: 'amount',
  pixelate: 'amount',
  redact: 'where',
  overlay: 'image',
  mask: 'image',
  opacity: 'value',
  text: 'text',
  shape: 'type',
  qr: 'text',
  flatten: 'background',
  perspective: 'corners',
};

/** Aliases of fields, in all operations. The first field that the operation has is set. */
const FIELD_ALIASES: Readonly<Record<string, readonly string[]>> = {
  angle: ['degrees', 'rotate'],
  deg: ['degrees'],
  rotation: ['degrees', 'rotate'],
  direction: ['axis'],
  mode: ['fit', 'axis', 'blend', 'style'],
  w: ['width'],
  h: ['height'],
  size: ['width', 'radius', 'amount'],
  ratio: ['aspect'],
  aspect_ratio: ['aspect'],
  factor: ['scale', 'amount'],
  percent: ['scale'],
  position: ['gravity'],
  anchor: ['gravity'],
  align: ['gravity'],
  focus: ['gravity'],
  to: ['gravity'],
  placement: ['gravity'],
  region: ['box', 'where'],
  rect: ['box', 'where'],
  rectangle: ['box', 'where'],
  area: ['box', 'where'],
  bbox: ['box', 'where'],
  box: ['where'],
  boxes: ['where'],
  regions: ['where'],
  areas: ['where'],
  target: ['where', 'to'],
  background_color: ['background', 'color'],
  bg: ['background'],
  fill: ['background', 'color'],
  color: ['background'],
  colour: ['color', 'background'],
  sigma: ['amount', 'radius'],
  radius: ['amount'],
  strength: ['amount'],
  intensity: ['amount'],
  block_size: ['amount'],
  pixel_size: ['amount'],
  cell: ['amount'],
  threshold: ['tolerance'],
  fuzz: ['tolerance'],
  offset_x: ['x'],
  offset_y: ['y'],
  dx: ['x'],
  dy: ['y'],
  alpha: ['opacity', 'value'],
  opacity: ['value'],
  blend_mode: ['blend'],
  src: ['image', 'from'],
  url: ['image'],
  source: ['image', 'from'],
  source_points: ['from'],
  src_points: ['from'],
  dst: ['to'],
  destination: ['to'],
  dst_points: ['to'],
  destination_points: ['to'],
  target_points: ['to'],
  overlay: ['image'],
  logo: ['image'],
  layer: ['image'],
  input: ['image'],
  repeat: ['tile'],
  thickness: ['width'],
  points: ['corners'],
  from: ['corners'],
  quad: ['corners'],
  path: ['file'],
  cube: ['file'],
  upscale: ['enlarge'],
  font_size: ['size'],
  font_family: ['font'],
  font_weight: ['weight'],
  text_color: ['color'],
  font_color: ['color'],
  content: ['text'],
  caption: ['text'],
  data: ['text'],
  string: ['text'],
  line_height: ['leading'],
  letter_spacing: ['tracking'],
  stroke_width: ['width'],
  line_width: ['width'],
  stroke_color: ['stroke'],
  shape: ['type'],
  error_correction: ['level'],
  type: ['style'],
  shadow: ['dark'],
  shadows: ['dark'],
  highlight: ['light'],
  highlights: ['light'],
};

const WRAPPERS = ['params', 'parameters', 'options', 'args', 'arguments', 'settings', 'values'];
const NAME_FIELDS = ['op', 'operation', 'action', 'type', 'name', 'effect', 'filter', 'kind', 'method'];
/** Longer lists are left to the schema, which rejects them. */
const READ_MAX = 60;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.getPrototypeOf(value) === Object.prototype;

/**
 * Normalises operations to the schema where the meaning is unambiguous: aliases, `{"crop": {…}}`, "grayscale", numbers as text, boxes
 * as lists or corners. Everything else is left to validation.
 */
export function readOperations(sent: unknown): unknown {
  if (sent === undefined || sent === null) return sent;
  const opened = typeof sent === 'string' ? parsed(sent) : sent;
  const list = Array.isArray(opened) ? opened : [opened];
  if (list.length > READ_MAX) return list;
  return list.flatMap((one) => operationsIn(one).map(settled));
}

function parsed(text: string): unknown {
  if (!/^\s*[[{]/.test(text)) return text;
  try {
    return parseBoundedJson(text, { values: 5_000, names: 2_000 });
  } catch {
    return text;
  }
}

interface Named {
  readonly op: unknown;
  readonly fields: Fields;
}

/** One operation, or one per member of the object. */
function operationsIn(sent: unknown): Named[] {
  if (typeof sent === 'string') return [named(sent, {}) ?? { op: sent, fields: {} }];
  if (!isFields(sent)) return [{ op: undefined, fields: {} }];
  for (const name of NAME_FIELDS) {
    const value = sent[name];
    if (typeof value !== 'string') continue;
    const { [name]: _, ...fields } = sent;
    const found = named(value, fields);
    if (found) return [found];
    if (name === 'op') return [{ op: value, fields }];
  }
  const members = Object.entries(sent).map(([name, value]) => named(name, value));
  if (members.length > 0 && members.every((member) => member !== undefined)) return members;
  return [{ op: sent.op, fields: sent }];
}

function named(name: string, value: unknown): Named | undefined {
  const own = OPERATION_NAMES.find((op) => hasSameLetters(op, name));
  const alias = Object.entries(ALIASES).find(([word]) => hasSameLetters(word, name));
  const [op, said = {}] = own ? [own] : (alias?.[1] ?? []);
  if (!op) return undefined;
  if (isFields(value)) return { op, fields: { ...said, ...unwrapped(value, op, alias?.[0]) } };
  if (value === true || value === undefined || value === null) return { op, fields: said };
  // "brightness: 1.2" names a field; "rotate: 90" sets the main one.
  const field = alias && Object.hasOwn(OPERATION_FIELDS[op].shape, alias[0]) ? alias[0] : MAIN[op];
  return { op, fields: field ? { ...said, [field]: value } : said };
}

/** Merges `params` into the fields, and assigns a bare `value` to its field. */
function unwrapped(fields: Fields, op: OperationName, alias: string | undefined): Fields {
  const { shape } = OPERATION_FIELDS[op];
  let opened: Fields = fields;
  for (const name of WRAPPERS) {
    const inner = opened[name];
    if (Object.hasOwn(shape, name) || !isFields(inner)) continue;
    const { [name]: _, ...others } = opened;
    opened = { ...others, ...inner };
  }
  const spoken = alias && Object.hasOwn(shape, alias) ? alias : MAIN[op];
  const bare = ['value', 'amount', 'by'].find(
    (name) => opened[name] !== undefined && !Object.hasOwn(shape, name),
  );
  if (!bare || !spoken || opened[spoken] !== undefined) return opened;
  const { [bare]: value, ...others } = opened;
  return { ...others, [spoken]: value };
}

function settled({ op, fields }: Named): unknown {
  if (typeof op !== 'string' || !Object.hasOwn(OPERATION_FIELDS, op)) return { ...fields, op };
  const name = op as OperationName;
  const { shape } = OPERATION_FIELDS[name];
  const renamed: Record<string, unknown> = {};
  const read = name === 'shape' ? shapeFields(fields) : name === 'tone' ? toneFields(fields) : fields;
  for (const [sent, value] of Object.entries(read)) {
    if (value === null || value === undefined || sent === 'op' || sent === IMAGE_HANDLE) continue;
    const field = fieldOf(shape, sent, fields);
    if (!Object.hasOwn(renamed, field)) renamed[field] = value;
  }
  return { ...withImage(valuesOf(name, renamed)), op };
}

const SHAPE_WORDS: Readonly<Record<string, string>> = {
  rectangle: 'rect',
  square: 'rect',
  box: 'rect',
  circle: 'ellipse',
  oval: 'ellipse',
};
/** Shapes whose colour is their stroke. */
const LINES: readonly unknown[] = ['line', 'arrow', 'path'];

/** Normalises a stroke object, the ends of a line, and a single colour. */
function shapeFields(sent: Fields): Fields {
  const { from, to, stroke, color, ...others } = sent;
  const type = SHAPE_WORDS[String(others.type).toLowerCase()] ?? others.type;
  const hasEnds = from !== undefined && to !== undefined && others.points === undefined;
  const isColored = color !== undefined && stroke === undefined && others.fill === undefined;
  return {
    ...others,
    ...(type !== undefined && { type }),
    ...(hasEnds && { points: [from, to] }),
    ...(isFields(stroke) ? { stroke: stroke.color, width: others.width ?? stroke.width } : { stroke }),
    ...(isColored && { [LINES.includes(type) ? 'stroke' : 'fill']: color }),
  };
}

/** Assigns two colours in any order to shadows and highlights. */
function toneFields({ colors, colours = colors, palette = colours, ...others }: Fields): Fields {
  if (!Array.isArray(palette)) return { ...others, ...(palette !== undefined && { colors: palette }) };
  const lights = palette.map((text) => lightOf(text));
  if (palette.length !== 2 || lights.includes(undefined)) return { ...others, colors: palette };
  const [dark, light] = lights[0]! <= lights[1]! ? palette : [...palette].reverse();
  return { dark, light, ...others };
}

function lightOf(text: unknown): number | undefined {
  const [red, green, blue] = (typeof text === 'string' && parseCssColor(text)) || [];
  return red === undefined ? undefined : 0.2126 * red + 0.7152 * green! + 0.0722 * blue!;
}

/** Field with the handle of an image, which is lost when the image is loaded. */
export const IMAGE_HANDLE = '~image';

function withImage(fields: Fields): Fields {
  if (fields.image === undefined) return fields;
  const image = typeof fields.image === 'string' ? fields.image : (pictureIn([fields.image]) ?? fields.image);
  const handle = handleIn(image);
  return { ...fields, image, ...(handle !== undefined && { [IMAGE_HANDLE]: handle }) };
}

function fieldOf(shape: object, sent: string, fields: Fields): string {
  if (Object.hasOwn(shape, sent)) return sent;
  const same = Object.keys(shape).find((name) => hasSameLetters(name, sent));
  if (same) return same;
  const [, aliases = []] = Object.entries(FIELD_ALIASES).find(([word]) => hasSameLetters(word, sent)) ?? [];
  return aliases.find((name) => Object.hasOwn(shape, name) && fields[name] === undefined) ?? sent;
}

const NUMBERS = new Set(
  'degrees max_degrees scale tolerance exposure brightness contrast saturation vibrance temperature tint highlights shadows gamma hue threshold levels value opacity rotate'.split(
    ' ',
  ),
);
const BOOLEANS = new Set('expand enlarge inside auto tile invert remove'.split(' '));
const SHARES = new Set(
  'brightness contrast saturation vibrance temperature tint highlights shadows'.split(' '),
);

function valuesOf(op: OperationName, sent: Fields): Fields {
  const fields = Object.fromEntries(
    Object.entries(sent).map(([name, value]) => [name, readValue(op, name, value)]),
  );
  const { shape } = OPERATION_FIELDS[op];
  const corners = ['x', 'y', 'width', 'height'];
  // {op: "crop", x, y, width, height}: a box spread into the operation.
  const isSpread = 'box' in shape && fields.box === undefined && sent.x !== undefined;
  const [left, top] = [sent.left, sent.top];
  const hasCorner = op === 'crop' && fields.box === undefined && left !== undefined && top !== undefined;
  if (!isSpread && !hasCorner) return fields;
  const box = boxOf(hasCorner ? { ...fields, x: left, y: top } : fields);
  const rest = Object.entries(fields).filter(
    ([name]) => ![...corners, 'left', 'top', 'right', 'bottom'].includes(name),
  );
  return isFields(box) && box.width !== undefined ? { ...Object.fromEntries(rest), box } : fields;
}

function readValue(op: OperationName, name: string, sent: unknown): unknown {
  if (op === 'text' && (name === 'shadow' || name === 'stroke' || name === 'background') && !isFields(sent))
    return sent === true ? {} : sent === false ? undefined : { color: sent };
  if (op === 'shape' && name === 'shadow') return sent === true ? {} : sent === false ? undefined : sent;
  if (op === 'text' && name === 'weight')
    return sent === 'bold' ? 700 : sent === 'normal' ? 400 : numberOf(sent);
  if (op === 'text' && (name === 'align' || name === 'valign') && typeof sent === 'string')
    return sent.toLowerCase().replace(/^(centre|middle|center)$/, name === 'align' ? 'center' : 'middle');
  if (name === 'points' && op === 'shape') return cornersOf(sent);
  if (name === 'box') return boxOf(sent);
  if (name === 'where') return whereOf(sent);
  if (name === 'gravity' || name === 'axis' || name === 'blend' || name === 'fit' || name === 'style')
    return wordOf(name, sent);
  if (name === 'corners' || (op === 'perspective' && (name === 'from' || name === 'to')))
    return cornersOf(sent);
  if (BOOLEANS.has(name))
    return typeof sent === 'string'
      ? ({ true: true, yes: true, false: false, no: false }[sent.toLowerCase()] ?? sent)
      : sent;
  if (op === 'adjust' && SHARES.has(name)) return shareOf(sent);
  if (name === 'opacity' || (op === 'opacity' && name === 'value')) return partOf(sent);
  if (
    NUMBERS.has(name) ||
    (name === 'amount' && (op === 'sharpen' || op === 'denoise' || op === 'tone' || op === 'lut'))
  )
    return numberOf(sent);
  return sent;
}

/** Parses "45", "45deg" and, for fractions, "50%". */
function numberOf(sent: unknown): unknown {
  const [, digits, unit] =
    (typeof sent === 'string' && /^\s*([+-]?\d{1,7}(?:\.\d{1,9})?)\s*(?:(deg|°|%)\s*)?$/i.exec(sent)) || [];
  if (digits === undefined) return sent;
  return unit === '%' ? Number(digits) / 100 : Number(digits);
}

/** A fraction from 0 to 1. Whole numbers from 10 to 100 are percentages. */
function partOf(sent: unknown): unknown {
  const value = numberOf(sent);
  const isPercent = typeof value === 'number' && Number.isInteger(value) && value >= 10 && value <= 100;
  return isPercent ? value / 100 : value;
}

/** An adjustment from −1 to 1. Whole numbers from 2 to 100 are percentages; 1.2 is a factor, as in CSS and Pillow. */
function shareOf(sent: unknown): unknown {
  const value = numberOf(sent);
  if (typeof value !== 'number' || Math.abs(value) <= 1) return value;
  if (Number.isInteger(value) && Math.abs(value) <= 100) return value / 100;
  return value > 1 && value <= 2 ? Math.round((value - 1) * 1e6) / 1e6 : value;
}

const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  gravity: {
    ...GRAVITY_SYNONYMS,
    lefttop: 'northwest',
    righttop: 'northeast',
    leftbottom: 'southwest',
    rightbottom: 'southeast',
    upperleft: 'northwest',
    upperright: 'northeast',
    lowerleft: 'southwest',
    lowerright: 'southeast',
    centerleft: 'west',
    centerright: 'east',
    auto: 'attention',
    smart: 'attention',
    entropy: 'attention',
    person: 'subject',
    object: 'subject',
    people: 'faces',
  },
  axis: {
    h: 'horizontal',
    x: 'horizontal',
    leftright: 'horizontal',
    v: 'vertical',
    y: 'vertical',
    updown: 'vertical',
    topbottom: 'vertical',
  },
  blend: { over: 'normal', dodge: 'color-dodge', burn: 'color-burn', lighter: 'lighten', darker: 'darken' },
  fit: {
    crop: 'cover',
    stretch: 'fill',
    exact: 'fill',
    pad: 'contain',
    limit: 'inside',
    scaledown: 'inside',
    max: 'inside',
  },
  style: {
    greyscale: 'grayscale',
    gray: 'grayscale',
    grey: 'grayscale',
    blackandwhite: 'grayscale',
    bw: 'grayscale',
    mono: 'grayscale',
    negative: 'invert',
  },
};

function wordOf(name: string, sent: unknown): unknown {
  if (typeof sent !== 'string' || sent.length > 40) return sent;
  const letters = sent.toLowerCase().replace(/[^a-z]/g, '');
  const known = WORDS[name]?.[letters];
  if (known) return known;
  return name === 'blend'
    ? sent.toLowerCase().replaceAll('_', '-')
    : name === 'gravity'
      ? letters
      : sent.toLowerCase();
}

function whereOf(sent: unknown): unknown {
  if (typeof sent === 'string') return WHERE_WORDS[sent.toLowerCase()] ?? sent.toLowerCase();
  if (isFields(sent)) return [boxOf(sent)];
  if (!Array.isArray(sent)) return sent;
  const isOneBox =
    sent.length === 4 && sent.every((value) => typeof value === 'number' || typeof value === 'string');
  return isOneBox ? [boxOf(sent)] : sent.map(boxOf);
}

const WHERE_WORDS: Readonly<Record<string, string>> = {
  whole: 'all',
  everything: 'all',
  image: 'all',
  full: 'all',
  face: 'faces',
  people: 'faces',
  words: 'text',
  writing: 'text',
  bg: 'background',
};

const isNumber = (value: unknown): value is number => typeof value === 'number';

/**
 * A box from `[x, y, width, height]`, `{left, top, width, height}`, `{x1, y1, x2, y2}` or `{left, top, right, bottom}`. Fractions
 * become percentages.
 */
function boxOf(sent: unknown): unknown {
  if (Array.isArray(sent))
    return sent.length === 4 ? boxOf({ x: sent[0], y: sent[1], width: sent[2], height: sent[3] }) : sent;
  if (!isFields(sent)) return sent;
  const x = sent.x ?? sent.left ?? sent.x1 ?? sent.x_min ?? sent.xmin;
  const y = sent.y ?? sent.top ?? sent.y1 ?? sent.y_min ?? sent.ymin;
  const right = sent.right ?? sent.x2 ?? sent.x_max ?? sent.xmax;
  const bottom = sent.bottom ?? sent.y2 ?? sent.y_max ?? sent.ymax;
  const width = sent.width ?? sent.w ?? (isNumber(right) && isNumber(x) ? right - x : undefined);
  const height = sent.height ?? sent.h ?? (isNumber(bottom) && isNumber(y) ? bottom - y : undefined);
  const sides = [x, y, width, height];
  // Pixels are whole, so 0.25 is a quarter.
  const areShares =
    sides.every((side) => isNumber(side) && side >= 0 && side <= 1) &&
    sides.some((side) => !Number.isInteger(side));
  const [left, top, across, down] = areShares
    ? sides.map((side) => `${Math.round((side as number) * 1e8) / 1e6}%`)
    : sides;
  return { x: left, y: top, width: across, height: down };
}

/** Four points from pairs, `{x, y}`, eight numbers, or named corners. */
export function cornersOf(sent: unknown): unknown {
  if (isFields(sent)) {
    const at = (...names: string[]): unknown =>
      names.map((name) => sent[name]).find((value) => value !== undefined);
    return [
      at('top_left', 'topLeft', 'tl'),
      at('top_right', 'topRight', 'tr'),
      at('bottom_right', 'bottomRight', 'br'),
      at('bottom_left', 'bottomLeft', 'bl'),
    ].map(pointOf);
  }
  if (!Array.isArray(sent)) return sent;
  if (sent.length === 8) return [0, 2, 4, 6].map((at) => [sent[at], sent[at + 1]]);
  return sent.map(pointOf);
}

const pointOf = (point: unknown): unknown => (isFields(point) ? [point.x, point.y] : point);
