import { inlineImage } from '../content/inline_image.ts';
import { type ColorSpace, RGB, readColorSpace, replacedByDefault } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { END, Lexer } from '../pdf/lexer.ts';
import { Operator, type PdfDictionary, type PdfStream, type PdfValue } from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import type { Cmyk, PressColors } from './press_colors.ts';
import { writeName, writeNumber } from './write_value.ts';

/** What a piece of content needs to be converted. */
export interface ContentKit {
  readonly document: PdfDocument;
  readonly colors: PressColors;
  /** The colour spaces of its resources. */
  readonly spaces: PdfDictionary | undefined;
  /** Bytes of an inline image, where its dictionary tells. */
  lengthOf(dictionary: PdfDictionary): number | undefined;
  /** An inline image as a resource of its own: its name; undefined where it stays as it is. */
  imageNamed(stream: PdfStream): Promise<string | undefined>;
  onColor(): void;
  /** A colour in CMYK took too much ink. */
  onReduced(): void;
  onLeft(what: string): void;
}

/** Spaces set for filling and stroking, where they are those of a screen or in CMYK. */
interface Spaces {
  readonly fill: ColorSpace | undefined;
  readonly stroke: ColorSpace | undefined;
}

const NO_SPACES: Spaces = { fill: undefined, stroke: undefined };
const STATES_MAX = 256;

const inkText = (inks: Cmyk, operator: string): string => `${inks.map(writeNumber).join(' ')} ${operator}`;

export const isScreenSpace = ({ basis, family }: ColorSpace): boolean =>
  (basis === 'rgb' || basis === 'lab') && family !== 'Pattern';

const isInkSpace = ({ basis, family }: ColorSpace): boolean =>
  basis === 'cmyk' && /^(DeviceCMYK|ICCBased|CMYK)$/.test(family);

/**
 * The content of a page, form or pattern with colours of the screen written in inks. Everything else stays byte for byte as it is.
 * @throws WorkSpent
 */
export async function convertContent(data: Uint8Array, kit: ContentKit): Promise<Uint8Array> {
  const lexer = new Lexer(data, kit.document.work);
  const pieces: Uint8Array[] = [];
  const states: Spaces[] = [];
  let spaces = NO_SPACES;
  let operands: PdfValue[] = [];
  let [copied, start] = [0, 0];
  for (let value = lexer.value(); value !== END; value = lexer.value()) {
    if (!(value instanceof Operator)) {
      if (operands.length < 64) operands.push(value);
      continue;
    }
    kit.document.work.spend(COST.operator);
    const { text } = value;
    if (text === 'q' && states.length < STATES_MAX) states.push(spaces);
    if (text === 'Q') spaces = states.pop() ?? NO_SPACES;
    const changed = text === 'BI' ? await inlined(lexer, kit) : changeOf(text, operands, { kit, spaces });
    if (changed?.spaces) spaces = changed.spaces;
    if (changed?.text !== undefined) {
      pieces.push(data.subarray(copied, start), Buffer.from(`\n${changed.text}\n`, 'latin1'));
      copied = lexer.at;
    }
    start = lexer.at;
    operands = [];
  }
  pieces.push(data.subarray(copied));
  return Buffer.concat(pieces);
}

async function inlined(lexer: Lexer, kit: ContentKit): Promise<{ spaces?: Spaces; text?: string }> {
  const stream = inlineImage(lexer, (dictionary) => kit.lengthOf(dictionary));
  const name = stream && (await kit.imageNamed(stream));
  return name === undefined ? {} : { text: `${writeName(name)} Do` };
}

/** What one operator becomes: other text, other spaces; nothing where it stays. */
function changeOf(
  operator: string,
  operands: readonly PdfValue[],
  { kit, spaces }: { kit: ContentKit; spaces: Spaces },
): { text?: string; spaces?: Spaces } | undefined {
  const which = operator === operator.toLowerCase() ? 'fill' : 'stroke';
  const ink = which === 'fill' ? 'k' : 'K';
  const numbers = operands.filter((one): one is number => typeof one === 'number');
  switch (operator) {
    case 'rg':
    case 'RG': {
      kit.onColor();
      const space = replacedByDefault(kit.document, RGB, kit.spaces);
      const inks = kit.colors.inksIn(space, numbers) ?? kit.colors.inksOf(numbers);
      return { text: inkText(inks, ink), spaces: { ...spaces, [which]: undefined } };
    }
    case 'g':
    case 'G':
      return { spaces: { ...spaces, [which]: undefined } };
    case 'k':
    case 'K': {
      const inks = kit.colors.limited(numbers);
      if (inks) kit.onReduced();
      return { ...(inks && { text: inkText(inks, operator) }), spaces: { ...spaces, [which]: undefined } };
    }
    case 'cs':
    case 'CS': {
      const space = readColorSpace(kit.document, operands.at(-1), kit.spaces);
      if (space.base && space.family === 'Pattern' && isScreenSpace(space.base))
        kit.onLeft('a pattern that is coloured in RGB where it is used');
      if (!isScreenSpace(space))
        return { spaces: { ...spaces, [which]: isInkSpace(space) ? space : undefined } };
      return { text: `/DeviceCMYK ${operator}`, spaces: { ...spaces, [which]: space } };
    }
    case 'sc':
    case 'scn':
    case 'SC':
    case 'SCN': {
      const space = spaces[which];
      const isInk = space !== undefined && isInkSpace(space);
      const inks = space && (isInk ? kit.colors.limited(numbers) : kit.colors.inksIn(space, numbers));
      if (!inks) return undefined;
      if (isInk) kit.onReduced();
      else kit.onColor();
      return { text: inkText(inks, operator) };
    }
    default:
      return undefined;
  }
}
