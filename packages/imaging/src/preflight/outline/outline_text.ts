import { IDENTITY, type Matrix, matrixOf, multiply, scaleOf, transformPoint } from '../content/matrix.ts';
import { writeName, writeValue } from '../convert/write_value.ts';
import { nameOf, PdfText, type PdfValue } from '../pdf/values.ts';
import { type OutlinedFont, OutliningError } from './outlined_fonts.ts';

/** Text state, saved by `q`. ISO 32000-1, 9.3 */
export interface TextState {
  /** Undefined before the first `Tf`. */
  readonly font: OutlinedFont | undefined;
  readonly name: string;
  readonly size: number;
  readonly characterSpace: number;
  readonly wordSpace: number;
  readonly stretch: number;
  readonly leading: number;
  readonly rise: number;
  readonly mode: number;
}

export const TEXT_START: TextState = {
  font: undefined,
  name: '',
  size: 0,
  characterSpace: 0,
  wordSpace: 0,
  stretch: 1,
  leading: 0,
  rise: 0,
  mode: 0,
};

/** Replacement of a text operator. */
interface Replacement {
  /** Replacement text. Absent: the operator stays. */
  readonly text?: string;
  readonly state?: Partial<TextState>;
}

/** Path-painting operator by rendering mode: fill, stroke, both, invisible. Modes from 4 on clip. */
const PAINT = ['f', 'S', 'B', ''];
const CHARACTERS_MAX = 64 * 1024 * 1024;

/**
 * Converts the text of a content stream to outlines. Operators that only set text state stay: they are allowed
 * anywhere.
 */
export class TextOutlines {
  /** Names of fonts whose text stays text. */
  readonly kept = new Set<string>();
  /** Text strings converted to outlines. */
  outlined = 0;
  readonly #fontNamed: (name: string) => OutlinedFont;
  #matrix: Matrix = IDENTITY;
  #line: Matrix = IDENTITY;
  #written = 0;

  constructor(fontNamed: (name: string) => OutlinedFont) {
    this.#fontNamed = fontNamed;
  }

  /** @throws OutliningError, WorkBudgetExceeded */
  perform(operator: string, operands: readonly PdfValue[], state: TextState): Replacement | undefined {
    const numbers = operands.filter((one): one is number => typeof one === 'number');
    const [first = 0, second = 0] = numbers;
    const set = Object.hasOwn(SETTING, operator) ? SETTING[operator] : undefined;
    if (set) return { state: { [set]: operator === 'Tz' ? first / 100 : first } };
    switch (operator) {
      case 'BT':
        this.#move(IDENTITY);
        return { text: '' };
      case 'ET':
        return { text: '' };
      case 'Tf': {
        const name = operands.map(nameOf).findLast((one) => one !== undefined) ?? '';
        return { text: '', state: { name, font: this.#fontNamed(name), size: first } };
      }
      case 'Td':
      case 'TD':
        this.#move(multiply([1, 0, 0, 1, first, second], this.#line));
        return { text: '', ...(operator === 'TD' && { state: { leading: -second } }) };
      case 'Tm':
        this.#move(matrixOf(numbers));
        return { text: '' };
      case 'T*':
        this.#nextLine(state);
        return { text: '' };
      default:
        return this.#shown(operator, operands, state);
    }
  }

  #shown(operator: string, operands: readonly PdfValue[], state: TextState): Replacement | undefined {
    const last = operands.at(-1) ?? null;
    if (operator === 'Tj' || operator === 'TJ') return { text: this.#show([last].flat(), state) };
    if (operator !== "'" && operator !== '"') return undefined;
    this.#nextLine(state);
    if (operator === "'") return { text: this.#show([last], state) };
    const [wordSpace = 0, characterSpace = 0] = operands.filter((one) => typeof one === 'number');
    const text = this.#show([last], { ...state, wordSpace, characterSpace });
    return {
      text: `${decimal(wordSpace, 6)} Tw ${decimal(characterSpace, 6)} Tc ${text}`,
      state: { wordSpace, characterSpace },
    };
  }

  #show(parts: readonly PdfValue[], state: TextState): string {
    const { font, mode } = state;
    if (!font) throw new OutliningError('a form uses the font of its page');
    if (mode > 3) throw new OutliningError('some of its text is used as a clipping path');
    const start = this.#matrix;
    const pieces: string[] = [];
    let isWhole = true;
    for (const part of parts) {
      if (typeof part === 'number') this.#advance((-part / 1000) * state.size * state.stretch);
      if (!(part instanceof PdfText)) continue;
      isWhole = this.#string(part.bytes, { font, state, pieces }) && isWhole;
    }
    if (PAINT[mode] === '') return '';
    if (isWhole) {
      this.outlined += 1;
      return pieces.length === 0 ? '' : `${pieces.join(' ')} ${PAINT[mode]}`;
    }
    this.kept.add(state.name);
    const set = `${writeName(state.name)} ${decimal(state.size, 8)} Tf`;
    return `BT ${set} ${start.map((one) => decimal(one, 8)).join(' ')} Tm ${writeValue([...parts])} TJ ET`;
  }

  /** @returns false if a glyph cannot be read */
  #string(
    bytes: Uint8Array,
    {
      font,
      state,
      pieces,
    }: { readonly font: OutlinedFont; readonly state: TextState; readonly pieces: string[] },
  ): boolean {
    const { step } = font;
    let isWhole = true;
    for (let at = 0; at < bytes.length; at += step) {
      const code = step === 2 ? (bytes[at]! << 8) | (bytes[at + 1] ?? 0) : bytes[at]!;
      const outline = font.outline(code);
      if (outline && outline.length > 0) this.#write(pathOf(outline, this.#place(state)), pieces);
      isWhole &&= outline !== undefined;
      const space = step === 1 && code === 32 ? state.wordSpace : 0;
      const width = (font.width(code) / 1000) * state.size + state.characterSpace + space;
      this.#advance(width * state.stretch);
    }
    return isWhole;
  }

  #write(path: string, pieces: string[]): void {
    pieces.push(path);
    this.#written += path.length;
    if (this.#written > CHARACTERS_MAX) throw new OutliningError('it has too much text on one page');
  }

  /** From em to content coordinates. ISO 32000-1, 9.4.4 */
  #place({ size, stretch, rise }: TextState): Matrix {
    return multiply([size * stretch, 0, 0, size, 0, rise], this.#matrix);
  }

  #advance(x: number): void {
    this.#matrix = multiply([1, 0, 0, 1, x, 0], this.#matrix);
  }

  #move(matrix: Matrix): void {
    [this.#matrix, this.#line] = [matrix, matrix];
  }

  #nextLine({ leading }: TextState): void {
    this.#move(multiply([1, 0, 0, 1, 0, -leading], this.#line));
  }
}

const SETTING: Readonly<Record<string, keyof TextState>> = {
  Tc: 'characterSpace',
  Tw: 'wordSpace',
  Tz: 'stretch',
  TL: 'leading',
  Ts: 'rise',
  Tr: 'mode',
};

const OPERATOR = { M: 'm', L: 'l', C: 'c', Q: '', Z: 'h' } as const;

/** Path operators, accurate to 0.0001 em. */
function pathOf(outline: Parameters<typeof drawn>[0], place: Matrix): string {
  const scale = Math.max(1e-9, scaleOf(place));
  return drawn(outline, place, Math.min(10, Math.max(0, 4 - Math.floor(Math.log10(scale)))));
}

function drawn(
  outline: readonly { readonly type: keyof typeof OPERATOR; readonly values: readonly number[] }[],
  place: Matrix,
  digits: number,
): string {
  return outline
    .map(({ type, values }) => {
      const points: string[] = [];
      for (let at = 0; at + 1 < values.length; at += 2)
        points.push(
          ...transformPoint(place, values[at]!, values[at + 1]!).map((one) => decimal(one, digits)),
        );
      return [...points, OPERATOR[type]].join(' ');
    })
    .join(' ');
}

/** No exponent: PDF has no exponential notation. */
function decimal(value: number, digits: number): string {
  const text = value.toFixed(digits);
  const short = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  return short === '-0' ? '0' : short;
}
