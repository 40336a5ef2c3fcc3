/** Size of a work in centimetres, if stated by its museum. */
export interface WorkSize {
  readonly height_cm?: number;
  readonly width_cm?: number;
  readonly depth_cm?: number;
  readonly diameter_cm?: number;
}

type Side = keyof WorkSize;

const CENTIMETRES: Readonly<Record<string, number>> = { mm: 0.1, cm: 1, m: 100, in: 2.54 };
/** No museum shows anything larger; larger values are errors in its data. */
const CM_MAX = 65_000;
/** Parts of a text that measure something other than the work: frame, mount, case or weight. */
const NOT_THE_WORK =
  /\b(frame|framed|with frame|mount|mounted|mat|base|pedestal|case|lijst|passe-partout|cadre|rahmen|ramme|weight|gewicht|poids)\b/;
const NUMBER = '(\\d{1,5}(?:\\.\\d{1,4})?)';
const INCHES = '(\\d{1,4}(?:\\.\\d{1,4})?(?: \\d{1,2}/\\d{1,2})?|\\d{1,2}/\\d{1,2})';
const BY = ' ?x ?';
/** "80.3 x 67.3 cm", "33 cm x 24 cm x 2 cm": height, width, depth. */
const UNIT = '(?: ?(?:mm|cm|m)\\b)?';
const METRIC = new RegExp(`${NUMBER}${UNIT}${BY}${NUMBER}${UNIT}(?:${BY}${NUMBER})? ?(mm|cm|m)\\b`);
const IMPERIAL = new RegExp(
  `${INCHES} ?(?:in\\.?|")?${BY}${INCHES} ?(?:in\\.?|")?(?:${BY}${INCHES})? ?(in\\b|")`,
);
const NAMES: readonly (readonly [side: Side, names: string])[] = [
  ['height_cm', 'height|hauteur|hoogte|h'],
  ['width_cm', 'width|largeur|breedte|bredde|w|b'],
  ['depth_cm', 'depth|profondeur|diepte|dybde|d|t'],
  ['diameter_cm', 'diameter|diametre|diam|dm'],
];
/** "H. 15 3/16 in. (38.6 cm)", "hoogte 379.5 cm", "height: 30 cm". Allows up to 24 characters in between. */
const NAMED = NAMES.map(
  ([side, names]) =>
    [
      side,
      new RegExp(`(?:^|[^a-z])(?:${names})[.:]{0,2} ?[^a-z]{0,24}?(?:in\\.? \\()?${NUMBER} ?(mm|cm|m)\\b`),
    ] as const,
);
const PARTS_MAX = 12;

/**
 * Parses the dimensions of a work from the museum's text; without labels, height precedes width. Skips
 * frames, mounts and weights unless nothing else is measured. Undefined if no size is found.
 * @param dimensions as in a record; at most 1,000 characters
 */
export function sizeOfWork(dimensions: string): WorkSize | undefined {
  const parts = plainParts(dimensions);
  const own = parts.filter((part) => !NOT_THE_WORK.test(part));
  for (const some of [own, parts]) {
    for (const part of some) {
      const size = bySides(part, METRIC, (match) => match[4]!) ?? bySides(part, IMPERIAL, () => 'in');
      if (size) return size;
    }
    const size = byNames(some.join(' ; '));
    if (size) return size;
  }
  return undefined;
}

/** Single measurements in lower case, with decimal points, and x between sides. */
const plainParts = (text: string): string[] =>
  ascii(text.slice(0, 1000).toLowerCase())
    .replace(/(\d),(\d{1,2})(?!\d)/g, '$1.$2')
    .replace(/[×*]/g, 'x')
    .replace(/ +/g, ' ')
    .split(/[;\r\n]+/)
    .slice(0, PARTS_MAX);

/** Removes diacritics, and writes "½" as "1/2". */
const ascii = (text: string): string =>
  /^[\0-~]*$/.test(text)
    ? text
    : text
        .replace(/(\d)(?=[\u00bc-\u00be\u2150-\u215e])/g, '$1 ')
        .normalize('NFKD')
        .replace(/\p{M}/gu, '')
        .replaceAll('\u2044', '/');

function bySides(
  part: string,
  form: RegExp,
  unitOf: (match: RegExpExecArray) => string,
): WorkSize | undefined {
  const match = form.exec(part);
  if (!match) return undefined;
  const factor = CENTIMETRES[unitOf(match)]!;
  const [height, width, depth] = [match[1], match[2], match[3]].map((text) => inCm(text, factor));
  if (height === undefined || width === undefined) return undefined;
  return { height_cm: height, width_cm: width, ...(depth !== undefined && { depth_cm: depth }) };
}

function byNames(text: string): WorkSize | undefined {
  const found = NAMED.flatMap(([side, form]) => {
    const match = form.exec(text);
    const size = match ? inCm(match[1], CENTIMETRES[match[2]!]!) : undefined;
    return size === undefined ? [] : [[side, size] as const];
  });
  return found.length > 0 ? (Object.fromEntries(found) as WorkSize) : undefined;
}

/** Value in cm, rounded to tenths of a millimetre; undefined if it is not a size. */
function inCm(text: string | undefined, factor: number): number | undefined {
  if (text === undefined) return undefined;
  const [whole = '', fraction] = text.includes('/') && !text.includes(' ') ? ['0', text] : text.split(' ');
  const [above, below] = (fraction ?? '0/1').split('/').map(Number) as [number, number];
  const size = Math.round((Number(whole) + (below > 0 ? above / below : 0)) * factor * 100) / 100;
  return size > 0 && size <= CM_MAX ? size : undefined;
}
