import type { Perform } from './context.ts';
import { blur, pixelate, redact } from './operations/area.ts';
import { adjust, curve, lut, tone } from './operations/color.ts';
import { crop, resize, trim } from './operations/cut.ts';
import { denoise, sharpen } from './operations/detail.ts';
import { qr, shape, text } from './operations/draw.ts';
import { background, border, pad, round, shadow } from './operations/extend.ts';
import { aiLabel, flatten, mask, opacity, overlay } from './operations/layer.ts';
import { flip, perspective, rotate, straighten } from './operations/turn.ts';
import type { OperationName, OperationOf } from './operations.ts';

/** What carries out each operation. */
export const PERFORM: { readonly [Name in OperationName]: Perform<OperationOf<Name>> } = {
  crop,
  trim,
  rotate,
  straighten,
  flip,
  resize,
  pad,
  border,
  round,
  shadow,
  background,
  adjust,
  curve,
  tone,
  lut,
  sharpen,
  denoise,
  blur,
  pixelate,
  redact,
  overlay,
  mask,
  opacity,
  flatten,
  perspective,
  text,
  shape,
  qr,
  ai_label: aiLabel,
};
