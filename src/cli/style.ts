import { styleText } from 'node:util';
import type { Output } from './terminal.ts';

type Format = 'bold' | 'dim' | 'red' | 'green';

/** Text in a colour, on an output that has colours: a terminal, unless NO_COLOR says otherwise. */
export const paint = (output: Output, format: Format, text: string): string =>
  output.hasColors?.() ? styleText(format, text, { validateStream: false }) : text;
