import { EngineError } from '../errors/engine_error.ts';
import { COORDINATE_PX_MAX, PATH_CHARACTERS_MAX } from './limits.ts';
import type { PathCommand } from './outline.ts';

/** Number of arguments of each SVG path command. */
const NUMBERS: Readonly<Record<string, number>> = {
  m: 2,
  l: 2,
  h: 1,
  v: 1,
  c: 6,
  s: 4,
  q: 4,
  t: 2,
  a: 7,
  z: 0,
};
const PIECE = /([mlhvcsqtaz])|([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d{1,3})?)|[\s,]+/giy;
/** The two flags of an arc need no separator after them. */
const FLAG = /[\s,]*([01])/y;

/**
 * Parses SVG path data (SVG 2, section 9.3) into absolute lines and curves.
 * @throws EngineError invalid_input with the position of the error
 */
export function parsePath(data: string): PathCommand[] {
  if (data.length > PATH_CHARACTERS_MAX)
    throw invalid(`has ${data.length} characters. The limit is ${PATH_CHARACTERS_MAX}.`);
  const pen = new Pen();
  let letter = '';
  let at = 0;
  let values: number[] = [];
  const finish = () => {
    if (letter !== '' && NUMBERS[letter.toLowerCase()]! > 0 && values.length !== 0)
      throw invalid(`has too few numbers after "${letter}", at character ${at + 1}.`);
  };
  while (at < data.length) {
    PIECE.lastIndex = at;
    const piece = PIECE.exec(data);
    if (!piece)
      throw invalid(
        `has no command or number at character ${at + 1}. Write data such as "M0 0 L10 0 L10 10 Z".`,
      );
    at = PIECE.lastIndex;
    if (piece[1]) {
      finish();
      letter = piece[1];
      values = [];
      if (letter.toLowerCase() === 'z') pen.add(letter, []);
      else if (pen.isEmpty && letter.toLowerCase() !== 'm') throw invalid('does not start with M.');
    } else if (piece[2]) {
      const count = NUMBERS[letter.toLowerCase()] ?? 0;
      if (count === 0) throw invalid(`has a number that belongs to no command, at character ${at}.`);
      values.push(coordinate(piece[2]));
      at = readFlags(data, at, letter, values);
      if (values.length < count) continue;
      pen.add(letter, values);
      values = [];
      // Further pairs after a move command are lines.
      if (letter === 'M') letter = 'L';
      if (letter === 'm') letter = 'l';
    }
  }
  finish();
  return pen.commands;
}

function readFlags(data: string, at: number, letter: string, values: number[]): number {
  if (letter.toLowerCase() !== 'a' || values.length !== 3) return at;
  let end = at;
  while (values.length < 5) {
    FLAG.lastIndex = end;
    const flag = FLAG.exec(data);
    if (!flag) throw invalid(`has no flag 0 or 1 at character ${end + 1}.`);
    values.push(Number(flag[1]));
    end = FLAG.lastIndex;
  }
  return end;
}

function coordinate(text: string): number {
  const value = Number(text);
  if (Math.abs(value) <= COORDINATE_PX_MAX) return value;
  throw invalid(`has the number ${text.slice(0, 20)}. Numbers may be up to ${COORDINATE_PX_MAX}.`);
}

const invalid = (message: string): EngineError => new EngineError('invalid_input', `path ${message}`);

/** Current point, and the commands so far. */
class Pen {
  readonly commands: PathCommand[] = [];
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;
  /** Control point of the last curve, for smooth continuations. */
  #control: { readonly type: 'C' | 'Q'; readonly x: number; readonly y: number } | undefined;

  get isEmpty(): boolean {
    return this.commands.length === 0;
  }

  add(letter: string, sent: readonly number[]): void {
    const isRelative = letter === letter.toLowerCase();
    const type = letter.toUpperCase();
    const [dx, dy] = isRelative ? [this.#x, this.#y] : [0, 0];
    const values = type === 'A' ? sent.slice(5) : sent;
    const points = values.map((value, at) => value + (at % 2 === 0 ? dx : dy));
    if (type === 'H') this.#line(sent[0]! + dx, this.#y);
    else if (type === 'V') this.#line(this.#x, sent[0]! + dy);
    else if (type === 'A') this.#arc(arcOf(sent), points[0]!, points[1]!);
    else if (type === 'Z') this.#close();
    else if (type === 'M') this.#move(points[0]!, points[1]!);
    else if (type === 'L') this.#line(points[0]!, points[1]!);
    else if (type === 'S') this.#curve('C', [...this.#reflected('C'), ...points]);
    else if (type === 'T') this.#curve('Q', [...this.#reflected('Q'), ...points]);
    else this.#curve(type as 'C' | 'Q', points);
  }

  #move(x: number, y: number): void {
    [this.#startX, this.#startY] = [x, y];
    this.#push('M', [x, y]);
  }

  #line(x: number, y: number): void {
    this.#push('L', [x, y]);
  }

  #close(): void {
    if (this.isEmpty) return;
    this.#push('Z', []);
    [this.#x, this.#y] = [this.#startX, this.#startY];
  }

  #curve(type: 'C' | 'Q', values: readonly number[]): void {
    this.#push(type, values);
    const [x, y] = values.slice(-4);
    this.#control = { type, x: x!, y: y! };
  }

  #reflected(type: 'C' | 'Q'): [number, number] {
    if (this.#control?.type !== type) return [this.#x, this.#y];
    return [2 * this.#x - this.#control.x, 2 * this.#y - this.#control.y];
  }

  #push(type: PathCommand['type'], values: readonly number[]): void {
    // A command after a closed subpath starts at the subpath's start point.
    if (this.commands.at(-1)?.type === 'Z' && type !== 'M' && type !== 'Z')
      this.commands.push({ type: 'M', values: [this.#startX, this.#startY] });
    this.commands.push({ type, values });
    this.#control = undefined;
    const [x, y] = values.slice(-2);
    if (x !== undefined && y !== undefined) [this.#x, this.#y] = [x, y];
  }

  /** Converts an arc to cubic curves of at most 90° each. Source: SVG 2, appendix B.2.4. */
  #arc({ rx: sentX, ry: sentY, turn, isLarge, isSweep }: Arc, x: number, y: number): void {
    const [x0, y0] = [this.#x, this.#y];
    let [rx, ry] = [Math.abs(sentX), Math.abs(sentY)];
    if (rx === 0 || ry === 0 || (x0 === x && y0 === y)) {
      this.#line(x, y);
      return;
    }
    const phi = (turn * Math.PI) / 180;
    const [cos, sin] = [Math.cos(phi), Math.sin(phi)];
    const [hx, hy] = [(x0 - x) / 2, (y0 - y) / 2];
    const [u, v] = [cos * hx + sin * hy, cos * hy - sin * hx];
    const scale = Math.sqrt((u / rx) ** 2 + (v / ry) ** 2);
    if (scale > 1) [rx, ry] = [rx * scale, ry * scale];
    const rest = (rx * ry) ** 2 / ((rx * v) ** 2 + (ry * u) ** 2) - 1;
    const k = (isLarge === isSweep ? -1 : 1) * Math.sqrt(Math.max(0, rest));
    const [cu, cv] = [(k * rx * v) / ry, (-k * ry * u) / rx];
    const [cx, cy] = [cos * cu - sin * cv + (x0 + x) / 2, sin * cu + cos * cv + (y0 + y) / 2];
    const from = Math.atan2((v - cv) / ry, (u - cu) / rx);
    let sweep = Math.atan2((-v - cv) / ry, (-u - cu) / rx) - from;
    if (isSweep && sweep < 0) sweep += 2 * Math.PI;
    if (!isSweep && sweep > 0) sweep -= 2 * Math.PI;
    const count = Math.ceil(Math.abs(sweep) / (Math.PI / 2) - 1e-9);
    const step = sweep / count;
    const handle = (4 / 3) * Math.tan(step / 4);
    const onEllipse = (p: number, q: number): [number, number] => [
      cx + cos * rx * p - sin * ry * q,
      cy + sin * rx * p + cos * ry * q,
    ];
    for (let at = 0; at < count; at += 1) {
      const [a, b] = [from + at * step, from + (at + 1) * step];
      this.#push('C', [
        ...onEllipse(Math.cos(a) - handle * Math.sin(a), Math.sin(a) + handle * Math.cos(a)),
        ...onEllipse(Math.cos(b) + handle * Math.sin(b), Math.sin(b) - handle * Math.cos(b)),
        ...(at === count - 1 ? [x, y] : onEllipse(Math.cos(b), Math.sin(b))),
      ]);
    }
  }
}

interface Arc {
  readonly rx: number;
  readonly ry: number;
  readonly turn: number;
  readonly isLarge: boolean;
  readonly isSweep: boolean;
}

function arcOf(sent: readonly number[]): Arc {
  const [rx, ry, turn, isLarge, isSweep] = sent as [number, number, number, number, number];
  return { rx, ry, turn, isLarge: isLarge === 1, isSweep: isSweep === 1 };
}
