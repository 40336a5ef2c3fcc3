import { textProperty } from '../xmp/make_property.ts';
import type { XmlElement } from '../xmp/parse_xml.ts';
import type { XmpValue } from '../xmp/parse_xmp.ts';

/** A box in px of the upright image. */
export interface Region {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** A visible label in the pixels that discloses AI generation or alteration. */
export interface AiLabel {
  readonly words: string;
  /** icon or text. */
  readonly style: string;
  /** ISO 639-1. */
  readonly language: string;
  readonly region: Region;
}

/** No standard defines these properties. docs/concepts/rights_and_marks.md */
const PLACES = {
  words: 'atelier:AILabel',
  style: 'atelier:AILabelStyle',
  language: 'atelier:AILabelLanguage',
  region: 'atelier:AILabelRegion',
} as const;

/** The label's texts by XMP property. */
export const labelTexts = ({ region, ...label }: AiLabel): Record<string, string> => ({
  [PLACES.words]: label.words,
  [PLACES.style]: label.style,
  [PLACES.language]: label.language,
  [PLACES.region]: mediaFragment(region),
});

export const labelProperties = (label: AiLabel): XmlElement[] =>
  Object.entries(labelTexts(label)).map(([name, text]) => textProperty(name, text));

/** W3C Media Fragments 1.0, section 4.2.2. */
const mediaFragment = ({ x, y, width, height }: Region): string => `xywh=pixel:${x},${y},${width},${height}`;

const FRAGMENT = /^xywh=pixel:(\d{1,6}),(\d{1,6}),(\d{1,6}),(\d{1,6})$/;
const CHARACTERS_MAX = 100;

/** Undefined for a file without a label, or with an unknown one. */
export function readLabel(xmp: Readonly<Record<string, XmpValue>>): AiLabel | undefined {
  const text = (name: string): string => {
    const value = xmp[name];
    return typeof value === 'string' ? value.slice(0, CHARACTERS_MAX) : '';
  };
  const [words, style, language] = [text(PLACES.words), text(PLACES.style), text(PLACES.language)];
  const [, ...box] = FRAGMENT.exec(text(PLACES.region)) ?? [];
  if (words === '' || style === '' || language === '' || box.length === 0) return undefined;
  const [x, y, width, height] = box.map(Number) as [number, number, number, number];
  return { words, style, language, region: { x, y, width, height } };
}
