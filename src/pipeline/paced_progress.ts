import { PROGRESS_STEP_PERCENT } from './limits.ts';

/**
 * Passes on only what is news to whoever watches: whole percents, never the same twice nor backwards, and between two of
 * the same words (numbers aside) at least PROGRESS_STEP_PERCENT.
 */
export function pacedProgress(
  report: (fraction: number, message: string) => void,
): (fraction: number, message: string) => void {
  let last = { percent: -1, words: '' };
  return (fraction, message) => {
    const percent = Math.floor(Math.min(Math.max(fraction, 0), 1) * 100 + 1e-9);
    const words = message.replace(/\d+/g, '#');
    const step = words === last.words && percent < 100 ? PROGRESS_STEP_PERCENT : 1;
    if (!(percent >= last.percent + step)) return;
    last = { percent, words };
    report(percent / 100, message);
  };
}
