import { styleText } from 'node:util';

/** Where a command writes to and reads from; a test passes its own. */
export interface Terminal {
  readonly stdout: Output;
  readonly stderr: Output;
  /** All of standard input. */
  readStdin(): Promise<Uint8Array>;
  /** Asks the person at the terminal for yes or no. Absent where the terminal is not interactive. */
  confirm?(question: string): Promise<boolean>;
  /** Asks that person for a line. Undefined where the input ends. Absent where the terminal is not interactive. */
  ask?(question: string): Promise<string | undefined>;
}

export interface Output {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  hasColors?(): boolean;
  write(text: string | Uint8Array): unknown;
}

/** Text from elsewhere without the control characters that could move the cursor or rewrite the screen. */
export const replaceControls = (text: string): string =>
  text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, '�');

/** JSON for people and programs alike; characters a terminal would obey are escaped. */
export const printableJson = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).replace(
    /[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )}\n`;

/** Rows with their columns aligned and the first one bold; on a terminal the last one is cut to its width. */
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

/** Text in a colour, on an output that has colours: a terminal, unless NO_COLOR says otherwise. */
export const paint = (output: Output, format: Format, text: string): string =>
  output.hasColors?.() ? styleText(format, text, { validateStream: false }) : text;
type Format = 'bold' | 'dim' | 'red' | 'green';
