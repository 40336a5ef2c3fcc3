import type { Answer } from './job.ts';

export const isSized = (width: number, height: number) => (answer: Answer) =>
  answer.width === width && answer.height === height;

/** Whether all of these operations were applied. */
export const did =
  (...ops: string[]) =>
  ({ applied }: Answer) =>
    ops.every((op) => applied.some((one: { op: string }) => one.op === op));
