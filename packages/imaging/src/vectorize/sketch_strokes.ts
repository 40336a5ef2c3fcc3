import { oklabDistance, oklabOf } from '../pixels/oklab.ts';
import type { Raster } from '../pixels/raster.ts';
import { OPAQUE_MIN } from './partition.ts';
import type { Color } from './reduce_colors.ts';
import type { Physical } from './sheet_size.ts';
import type { OnProgress, Sketch } from './sketch.ts';
import { sketchColors } from './sketch_colors.ts';
import { sketchInk } from './sketch_ink.ts';

interface StrokeSettings {
  readonly areaMin: number;
  readonly palette: readonly Color[];
  readonly onProgress: OnProgress;
}

/** Whether a drawing is of lines along the middle of strokes. */
export const isStroked = ({ purpose }: Physical): boolean => purpose === 'plot' || purpose === 'engrave';

/** Colours of a palette nearer to the paper than this (ΔE_OK) are the paper. */
const PAPER_ALIKE = 0.1;

/** The ink of a picture, to be drawn as lines: what is dark, or with a palette, what is nearer to one of its colours than to the paper. */
export function sketchStrokes(picture: Raster, settings: StrokeSettings): Sketch {
  const { areaMin, palette, onProgress } = settings;
  if (palette.length === 0) return sketchInk(picture, areaMin);
  const paper = paperOf(picture);
  const lab = oklabOf(...paper);
  const pens = palette.filter((color) => oklabDistance(oklabOf(...color), lab) >= PAPER_ALIKE);
  const wanted = { areaMin, colorPrecision: 4, palette: [...pens, paper], gradients: false, onProgress };
  const withPaper = (sketch: Sketch): Sketch => ({
    ...sketch,
    picture: onlyInk(sketch, paper),
    paper,
    coarsen: (share) => withPaper(sketch.coarsen(share)),
  });
  return withPaper(sketchColors(picture, wanted));
}

/** The colour along the edge of a picture: the median of each channel, of what is opaque there. */
function paperOf({ width, height, data: rgba }: Raster): Color {
  const channels: number[][] = [[], [], []];
  const see = (pixel: number): void => {
    if (rgba[4 * pixel + 3]! < OPAQUE_MIN) return;
    for (const [channel, values] of channels.entries()) values.push(rgba[4 * pixel + channel]!);
  };
  for (let x = 0; x < width; x++) {
    see(x);
    see((height - 1) * width + x);
  }
  for (let y = 0; y < height; y++) {
    see(y * width);
    see(y * width + width - 1);
  }
  const [red, green, blue] = channels.map(
    (values) => values.sort((one, other) => one - other)[values.length >> 1] ?? 255,
  );
  return [red!, green!, blue!];
}

/** What the lines are held against: every ink in its own colour, and nothing where the paper is. */
function onlyInk({ picture, areas, fills }: Sketch, paper: Color): Raster {
  const data = new Uint8Array(picture.data.length);
  for (const [pixel, label] of areas.labels.entries()) {
    const fill = fills[label];
    if (!fill || !('color' in fill) || fill.color.every((value, channel) => value === paper[channel]))
      continue;
    data.set([...fill.color.map(Math.round), 255], 4 * pixel);
  }
  return { ...picture, data };
}
