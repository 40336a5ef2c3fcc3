import { styleText } from 'node:util';

/** Input and output of a command; a test passes its own. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** All of standard input. */
  readStdin(): Promise<Uint8Array>;
  /** Asks a yes/no question at the terminal. Absent if the terminal is not interactive. */
  confirm?(question: string): Promise<boolean>;
  /** Asks for a line of text. Undefined if the input ends. Absent if the terminal is not interactive. */
  ask?(question: string): Promise<string | undefined>;
}

export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
  write(text: string | Uint8Array): unknown;
}

/** Replaces control characters, which could move the cursor or rewrite the screen. */
export const replaceControls = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');

/** JSON for people and programs; control characters of terminals are escaped. */
export const printableJson = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;

/**
 * Rows with aligned columns and the first column bold; on a terminal the last column is truncated to its
 * width.
 */
export function table(rows: readonly (readonly string[])[], output: Output): string {
  const { isTTY, columns } = output;
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]!.length)));
  const lineLength = isTTY && columns ? columns - 1 : Number.POSITIVE_INFINITY;
  return rows
    .map((row) => row.map((text, at) => (at === row.length - 1 ? text : text.padEnd(widths[at]!))).join('  '))
    .map((line) => (line.length > lineLength ? `${line.slice(0, lineLength - 1)}…` : line))
    .map((line) => line.trimEnd())
    .map((line) => `${paint(output, 'bold', line.slice(0, widths[0]))}${line.slice(widths[0])}\n`)
    .join('');
}

/** Coloured text, if the output has colours: a terminal, unless NO_COLOR is set. */
export const paint = (output: Output, format: Format, text: string): string =>
  output.hasColors?.() ? styleText(format, text, { validateStream: false }) : text;
type Format = 'bold' | 'dim' | 'red' | 'green';
