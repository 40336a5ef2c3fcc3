import type { AppliedOperation } from '@atelier/imaging/editor/edit_picture.ts';
import { z } from 'zod';

export const appliedField = z
  .array(
    z.looseObject({
      op: z.string(),
      box: z.record(z.string(), z.number()).optional(),
      boxes: z.array(z.record(z.string(), z.number())).optional(),
      reason: z.string().optional(),
      result_width: z.int().min(1).max(100_000),
      result_height: z.int().min(1).max(100_000),
    }),
  )
  .describe(
    'Each operation as applied, with the boxes it chose, in px of the canvas before it, and the reason.',
  );

const boxOf = ({ left, top, width, height }: AppliedOperation['boxes'][number]) => ({
  x: left,
  y: top,
  width,
  height,
});

/** An applied operation in the response: its values, boxes and reason, without images and files. */
export function appliedOf({ op, used, boxes, reason, width, height }: AppliedOperation, sent: object = {}) {
  const {
    image: _,
    box: __,
    where: ___,
    file: ____,
    ...fields
  } = { ...sent, ...used } as Record<string, unknown>;
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return {
    ...Object.fromEntries(given),
    op,
    ...(boxes.length === 1 && { box: boxOf(boxes[0]!) }),
    ...(boxes.length > 1 && { boxes: boxes.map(boxOf) }),
    ...(reason !== undefined && { reason }),
    result_width: width,
    result_height: height,
  };
}
