import type { Raster } from '../pixels/raster.ts';
import { drawDots } from './draw_dots.ts';
import type { DrawnStrokes, Strokes } from './draw_strokes.ts';
import { correctFills, type RasterError, rasterError, renderFills } from './fill_layers.ts';
import type { DotGroup } from './group_dots.ts';
import { OPAQUE_MIN } from './partition.ts';
import type { Sketch } from './sketch.ts';
import type { Layer } from './stack_areas.ts';
import { strokeCover } from './stroke_cover.ts';
import { visibleParts } from './visible_parts.ts';
import type { Shape } from './write_svg.ts';

interface Traced {
  readonly sketch: Sketch;
  readonly layers: readonly Layer[];
  readonly strokes?: DrawnStrokes;
}

interface Filled {
  readonly shapes: readonly Shape[];
  readonly dots: readonly DotGroup[];
  readonly strokes?: readonly Strokes[];
  /** Of the drawing, rendered, against what was traced. */
  readonly error: RasterError;
}

/** Gives layers their fills, corrected by how they look, adds at most so many dots, and says how far the drawing is from the picture. */
export function fillShapes({ sketch, layers, strokes }: Traced, dotsMax: number): Filled {
  const { picture, fills, correctable } = sketch;
  if (strokes)
    return { shapes: [], dots: [], strokes: strokes.pens, error: strokeError(strokes.pens, sketch) };
  const parts = visibleParts(layers, picture);
  const target = layOnWhite(picture);
  const planned = layers.map(({ area }) => fills[area]!);
  const meant = isOpaque(picture) ? target : layOnWhite(hardenOpacity(picture));
  const corrected = correctable ? correctFills(planned, parts, meant, picture.width) : planned;
  const drawn = renderFills(corrected, parts, target.length, picture.width);
  const drawing = drawDots(sketch, { fills: corrected, drawn }, parts, meant, dotsMax);
  return {
    shapes: layers.map(({ outlines }, index) => ({ outlines, fill: drawing.fills[index]! })),
    dots: drawing.dots,
    error: rasterError(drawing.drawn, target),
  };
}

function isOpaque({ data: rgba }: Raster): boolean {
  for (let at = 3; at < rgba.length; at += 4) if (rgba[at]! < 255) return false;
  return true;
}

/** What is half transparent is drawn in its own colour, not in one that is paler. */
function hardenOpacity(picture: Raster): Raster {
  const hard = new Uint8Array(picture.data);
  for (let at = 3; at < hard.length; at += 4) hard[at] = hard[at]! < OPAQUE_MIN ? 0 : 255;
  return { ...picture, data: hard };
}

/** What lines as wide as their strokes differ from the ink they stand for; on white, whatever the paper is. */
function strokeError(pens: readonly Strokes[], { picture }: Sketch): RasterError {
  const target = layOnWhite(picture);
  const fills = pens.map(({ color }) => ({ color }));
  return rasterError(renderFills(fills, strokeCover(pens, picture), target.length, picture.width), target);
}

function layOnWhite({ data: rgba }: Raster): Float32Array {
  const target = new Float32Array((3 * rgba.length) / 4);
  for (let pixel = 0; 4 * pixel < rgba.length; pixel++) {
    const share = rgba[4 * pixel + 3]! / 255;
    for (let channel = 0; channel < 3; channel++)
      target[3 * pixel + channel] = 255 + share * (rgba[4 * pixel + channel]! - 255);
  }
  return target;
}
