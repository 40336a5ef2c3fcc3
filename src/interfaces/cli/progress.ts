import { type Output, replaceControls } from './terminal.ts';

const BAR_WIDTH = 24;

export interface ProgressView {
  show(fraction: number, message: string): void;
  /** Removes the bar from the screen. */
  clear(): void;
}

/** A bar that redraws itself on a terminal; otherwise one line for each new message. */
export const progressView = (output: Output): ProgressView => (output.isTTY ? bar(output) : lines(output));

function bar(output: Output): ProgressView {
  let isShown = false;
  return {
    show(fraction, message) {
      isShown = true;
      const full = Math.round(clampFraction(fraction) * BAR_WIDTH);
      const drawn = `[${'█'.repeat(full)}${' '.repeat(BAR_WIDTH - full)}] ${percent(fraction)}  ${oneLine(message)}`;
      output.write(`\r\u001b[2K${drawn.slice(0, (output.columns ?? 80) - 1)}`);
    },
    clear() {
      if (isShown) output.write('\r\u001b[2K');
      isShown = false;
    },
  };
}

function lines(output: Output): ProgressView {
  let last = '';
  return {
    show(fraction, message) {
      if (message === last) return;
      last = message;
      output.write(`${percent(fraction)}  ${oneLine(message)}\n`);
    },
    clear() {},
  };
}

const clampFraction = (fraction: number): number => (fraction > 0 ? Math.min(fraction, 1) : 0);
const percent = (fraction: number): string => `${Math.round(clampFraction(fraction) * 100)}%`.padStart(4);
const oneLine = (message: string): string => replaceControls(message).replaceAll('\n', ' ');
