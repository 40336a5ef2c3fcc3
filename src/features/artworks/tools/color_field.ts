import { z } from 'zod';
import { hexOfCss } from '../../definitions/fields.ts';
import { withCoercion } from '../../definitions/spellings.ts';

const NAME_CHARACTERS_MAX = 40;

/**
 * Named colours as they look in paintings, by our own judgement: a painted blue differs from that of a
 * screen. Then names of CSS (Color Module Level 4) and of pigments. English names, with Dutch, German,
 * French, Spanish and Italian ones.
 */
const NAMES: readonly (readonly [hex: string, names: string])[] = [
  ['#16130f', 'black, zwart, schwarz, noir, negro, nero'],
  ['#f2efe6', 'white, wit, weiss, weiß, blanc, blanco, bianco'],
  ['#8a8782', 'gray, grey, grijs, grau, gris, grigio'],
  ['#b23527', 'red, rood, rot, rouge, rojo, rosso'],
  ['#d1702c', 'orange, oranje, naranja, arancione'],
  ['#ddb63c', 'yellow, geel, gelb, jaune, amarillo, giallo'],
  ['#4f7a42', 'green, groen, grün, vert, verde'],
  ['#3f7f80', 'teal, cyan, petrol'],
  ['#3a62a0', 'blue, blauw, blau, bleu, azul, blu'],
  ['#1f2f5c', 'navy, navy blue, midnight blue, prussian blue'],
  ['#8fb4d9', 'light blue, sky blue, azure, hemelsblauw, hellblau'],
  ['#6f4a8e', 'purple, violet, paars, lila, violett, morado, viola'],
  ['#d99aa5', 'pink, rose, roze, rosa'],
  ['#b2437f', 'magenta, fuchsia'],
  ['#6e4a2c', 'brown, bruin, braun, brun, marron, marrón, marrone'],
  ['#d9c3a0', 'beige, tan, sand, flesh, skin'],
  ['#efe3c4', 'cream, ivory, off white, parchment'],
  ['#bb9442', 'gold, golden, goud, or, oro, ochre, ocker, oker, mustard'],
  ['#b9b9b4', 'silver, zilver, silber, argent'],
  ['#6b2423', 'maroon, burgundy, wine, bordeaux, dark red'],
  ['#a5222f', 'crimson, scarlet, vermilion, carmine, ruby'],
  ['#76753b', 'olive, khaki'],
  ['#2b4a33', 'dark green, forest green, bottle green'],
  ['#a3bb8a', 'light green, sage, mint'],
  ['#3fa79b', 'turquoise, aquamarine, verdigris'],
  ['#2c3fa0', 'ultramarine, cobalt, lapis lazuli, royal blue'],
  ['#4a3aa0', 'indigo'],
  ['#a9532f', 'rust, terracotta, sienna, copper, brick'],
  ['#5b4632', 'sepia, umber, dark brown, chocolate'],
  ['#e39a7c', 'salmon, coral, peach'],
  ['#b9a3cf', 'lavender, lilac, mauve'],
  ['#45423e', 'charcoal, dark gray, dark grey, slate'],
  ['#c9c6c0', 'light gray, light grey'],
];

const lettersOf = (name: string): string =>
  name
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^a-z0-9#ß]/g, '');

const BY_NAME = new Map(
  NAMES.flatMap(([hex, names]) => names.split(',').map((name) => [lettersOf(name), hex] as const)),
);

const HEX = /^#?([0-9a-fA-F]{3}|[0-9a-fA-F]{6})$/;

/** Hex value of a colour name; undefined if unknown. */
const hexOfName = (name: string): string | undefined => BY_NAME.get(lettersOf(name));

/** A colour to search for: #rrggbb, #rgb, with or without #, or a name. Normalised to hex. */
export const colorField = withCoercion(
  z
    .string()
    .max(NAME_CHARACTERS_MAX)
    .transform((sent, { addIssue }) => {
      const hex = HEX.test(sent.trim()) ? sent.trim() : (hexOfName(sent) ?? hexOfCss(sent));
      if (hex !== undefined) return hex;
      addIssue('must be a hex colour such as #3a62a0, or a name such as blue, dark green, ochre or navy');
      return z.NEVER;
    }),
  hexOfCss,
);

/** Accepts comma-separated text for a list. */
export const colorsIn = (sent: unknown): unknown =>
  typeof sent === 'string' && /^[^[\]{}()]{1,1000}$/.test(sent)
    ? sent.split(/,|\band\b/).flatMap((color) => color.trim() || [])
    : undefined;
