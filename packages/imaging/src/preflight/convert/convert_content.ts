import { inlineImage } from '../content/inline_image.ts';
import type { FontUse } from '../fonts/replace_fonts.ts';
import { OPERANDS_MAX } from '../limits.ts';
import { TEXT_START, type TextOutlines, type TextState } from '../outline/outline_text.ts';
import { OutliningError } from '../outline/outlined_fonts.ts';
import { CMYK, type ColorSpace, RGB, readColorSpace, replacedByDefault } from '../pdf/color_space.ts';
import type { PdfDocument } from '../pdf/document.ts';
import { END, Lexer } from '../pdf/lexer.ts';
import {
  nameOf,
  Operator,
  type PdfDictionary,
  type PdfStream,
  PdfText,
  type PdfValue,
} from '../pdf/values.ts';
import { COST } from '../work_budget.ts';
import type { PressColors } from './press_colors.ts';
import { writeName, writeNumber } from './write_value.ts';

/** Dependencies for converting a content stream. */
export interface ContentContext {
  readonly document: PdfDocument;
  readonly colors: PressColors;
  /** Colour spaces of the resources. */
  readonly spaces: PdfDictionary | undefined;
  /** Data length of an inline image in bytes, if its dictionary determines it. */
  lengthOf(dictionary: PdfDictionary): number | undefined;
  /** Adds an inline image as XObject resource and returns its name. Undefined if it stays inline. */
  imageNamed(stream: PdfStream): Promise<string | undefined>;
  /** Returns a font of the resources that is not embedded. Undefined for embedded fonts. */
  fontNamed(name: string): FontUse | undefined;
  /** Called for text in a font set outside this content stream. */
  onInheritedFont(): void;
  /** Converts text to outlines. Absent: text stays text. */
  readonly outlines?: TextOutlines | undefined;
  onColor(): void;
  /** Called for a CMYK or DeviceN colour that was reduced to the ink limit. */
  onReduced(): void;
  onUnconverted(what: string): void;
}

/** Current state. */
interface State {
  /** Fill and stroke colour spaces that need conversion or an ink limit. */
  readonly fill: ColorSpace | undefined;
  readonly stroke: ColorSpace | undefined;
  /** A font that is not embedded; `inherited` before the first `Tf`. */
  readonly font: FontUse | 'inherited' | undefined;
  readonly isInvisible: boolean;
  readonly text: TextState;
}

const START: State = {
  fill: undefined,
  stroke: undefined,
  font: 'inherited',
  isInvisible: false,
  text: TEXT_START,
};
const INVISIBLE = 3;
const STATES_MAX = 256;

const inkText = (inks: readonly number[], operator: string): string =>
  `${inks.map(writeNumber).join(' ')} ${operator}`;

export const isRgbOrLab = ({ basis, family }: ColorSpace): boolean =>
  (basis === 'rgb' || basis === 'lab') && family !== 'Pattern';

const isInkSpace = ({ basis, family }: ColorSpace): boolean =>
  (basis === 'cmyk' && /^(DeviceCMYK|ICCBased|CMYK)$/.test(family)) || family === 'DeviceN';

/**
 * Converts the RGB and Lab colours of a page, form or pattern to inks. All other bytes stay unchanged.
 * @throws WorkBudgetExceeded
 */
export async function convertContent(data: Uint8Array, context: ContentContext): Promise<Uint8Array> {
  const lexer = new Lexer(data, context.document.work);
  const pieces: Uint8Array[] = [];
  const states: State[] = [];
  let state = START;
  let operands: PdfValue[] = [];
  let [copied, start] = [0, 0];
  for (let value = lexer.value(); value !== END; value = lexer.value()) {
    if (!(value instanceof Operator)) {
      if (operands.length === OPERANDS_MAX) operands.shift();
      operands.push(value);
      continue;
    }
    context.document.work.spend(COST.operator);
    const { text } = value;
    if (text === 'q') pushState(states, state, context);
    if (text === 'Q') state = states.pop() ?? state;
    const changed =
      text === 'BI' ? await convertInlineImage(lexer, context) : changeOf(text, operands, { context, state });
    if (changed?.state) state = { ...state, ...changed.state };
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

/** Beyond the limit, the font after `Q` is unknown. */
function pushState(states: State[], state: State, context: ContentContext): void {
  if (states.length < STATES_MAX) states.push(state);
  else if (context.outlines) throw new OutliningError('it nests graphics states too deeply');
  else context.onInheritedFont();
}

async function convertInlineImage(lexer: Lexer, context: ContentContext): Promise<Change> {
  const stream = inlineImage(lexer, (dictionary) => context.lengthOf(dictionary));
  const name = stream && (await context.imageNamed(stream));
  return name === undefined ? {} : { text: `${writeName(name)} Do` };
}

interface Change {
  readonly text?: string;
  readonly state?: Partial<State>;
}

/** Returns the replacement text and state change of one operator. Undefined if unchanged. */
function changeOf(
  operator: string,
  operands: readonly PdfValue[],
  { context, state }: { context: ContentContext; state: State },
): Change | undefined {
  if (/^(T.|BT|ET|['"])$/.test(operator)) return textChange(operator, operands, { context, state });
  const which = operator === operator.toLowerCase() ? 'fill' : 'stroke';
  const ink = which === 'fill' ? 'k' : 'K';
  const numbers = operands.filter((one): one is number => typeof one === 'number');
  switch (operator) {
    case 'rg':
    case 'RG': {
      context.onColor();
      const space = replacedByDefault(context.document, RGB, context.spaces);
      const inks = context.colors.inksIn(space, numbers) ?? context.colors.inksOf(numbers);
      return { text: inkText(inks, ink), state: { [which]: undefined } };
    }
    case 'g':
    case 'G':
      return { state: { [which]: undefined } };
    case 'k':
    case 'K': {
      const inks = context.colors.limit(CMYK, numbers);
      if (inks) context.onReduced();
      return { ...(inks && { text: inkText(inks, operator) }), state: { [which]: undefined } };
    }
    case 'cs':
    case 'CS': {
      const space = readColorSpace(context.document, operands.at(-1), context.spaces);
      if (space.base && space.family === 'Pattern' && isRgbOrLab(space.base))
        context.onUnconverted('an uncoloured pattern used with an RGB colour');
      if (!isRgbOrLab(space)) return { state: { [which]: isInkSpace(space) ? space : undefined } };
      return { text: `/DeviceCMYK ${operator}`, state: { [which]: space } };
    }
    case 'sc':
    case 'scn':
    case 'SC':
    case 'SCN': {
      const space = state[which];
      const isInk = space !== undefined && isInkSpace(space);
      const inks =
        space && (isInk ? context.colors.limit(space, numbers) : context.colors.inksIn(space, numbers));
      if (!inks) return undefined;
      if (isInk) context.onReduced();
      else context.onColor();
      return { text: inkText(inks, operator) };
    }
    default:
      return undefined;
  }
}

/** Records the codes shown in fonts that are not embedded. The text itself stays. */
function textChange(
  operator: string,
  operands: readonly PdfValue[],
  { context, state }: { context: ContentContext; state: State },
): Change | undefined {
  if (context.outlines) {
    const outlined = context.outlines.perform(operator, operands, state.text);
    return outlined && { ...outlined, state: { text: { ...state.text, ...outlined.state } } };
  }
  const last = operands.at(-1);
  if (operator === 'Tf') {
    const name = operands.map(nameOf).findLast((one) => one !== undefined);
    return { state: { font: name === undefined ? undefined : context.fontNamed(name) } };
  }
  if (operator === 'Tr') return { state: { isInvisible: last === INVISIBLE } };
  if (!/^(T[jJ]|['"])$/.test(operator) || state.font === undefined || state.isInvisible) return undefined;
  if (state.font === 'inherited') {
    context.onInheritedFont();
    return undefined;
  }
  for (const part of Array.isArray(last) ? last : [last])
    if (part instanceof PdfText) state.font.recordCodes(part.bytes);
  return undefined;
}
