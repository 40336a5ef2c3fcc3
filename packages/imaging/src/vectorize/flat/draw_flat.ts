import type { Raster } from '../../pixels/raster.ts';
import { type RasterError, rasterError, renderFills } from '../fill_layers.ts';
import { flattenOnWhite } from '../fill_shapes.ts';
import { findRegions } from '../regions.ts';
import { visibleParts } from '../visible_parts.ts';
import { hex, nodesOf, pathData, type Shape } from '../write_svg.ts';
import { drawPixels, isPixelArt } from './draw_pixels.ts';
import {
  type ColorTable,
  countMeetings,
  type FlatAreas,
  findFlatAreas,
  tabulateColors,
} from './flat_colors.ts';
import { writeShape } from './recognise_shape.ts';
import { restoreFlat } from './restore_flat.ts';
import { type FlatShape, stackFlat } from './stack_flat.ts';
import { EXACT, NOISY, type Precision, traceFlat } from './trace_flat.ts';

/** Flat artwork as shapes that give its pixels again. */
export interface FlatDrawing {
  readonly shapes: readonly Shape[];
  /** The same as elements of SVG, in a named group for each run of one colour. */
  readonly elements: string;
  readonly nodeCount: number;
  readonly error: RasterError;
  /** The drawing's pixels on white, three numbers each. */
  readonly shown: Float32Array;
}

/** Share of gradient steps among colour boundaries above which an image is shaded, not flat. */
const STEPS_MAX = 0.15;
/** Tolerance of a flat drawing: a difference above one shade of a soft edge (8-bit steps) in this share of pixels. */
const SHADE = 32;
const OFF_MAX = 0.01;

/**
 * Draws flat artwork exactly: pixel art along its pixels, logos, icons and diagrams along the edges determined by their
 * antialiasing. Undefined for other images: shaded, noisy, lossily compressed, or finer than their pixels.
 */
export function drawFlat(picture: Raster): FlatDrawing | undefined {
  const table = tabulateColors(picture);
  if (table === undefined) return undefined;
  const meetings = countMeetings(table);
  if (isPixelArt(table, meetings)) return verifyDrawing(picture, table, drawPixels(table), true);
  if (meetings.steps > STEPS_MAX * meetings.unlike) return undefined;
  const areas = findFlatAreas(table);
  if (areas === undefined) return undefined;
  return verifyDrawing(picture, table, shapesOf(areas, EXACT), false);
}

/**
 * Restores and draws flat artwork that was lossily compressed or enlarged. Undefined if the image is shaded or too
 * noisy. The error is measured against the image.
 */
export function drawRestored(picture: Raster): FlatDrawing | undefined {
  const restored = restoreFlat(picture);
  if (restored === undefined) return undefined;
  const { areas } = restored;
  const isAlongPixels = areas.isMixed.every((mixed) => mixed === 0);
  const shapes = isAlongPixels ? drawPixels(areas.table) : shapesOf(areas, NOISY);
  const drawn = verifyDrawing(restored.picture, areas.table, shapes, isAlongPixels);
  return drawn && { ...drawn, error: rasterError(drawn.shown, flattenOnWhite(picture)) };
}

function shapesOf(areas: FlatAreas, precision: Precision): FlatShape[] {
  const { width, height, values } = areas.table;
  const flat = traceFlat(areas, width, height, precision);
  const { labels } = findRegions(areas.labels, width);
  const isDrawn = (core: number): boolean => values[4 * areas.cores[core]! + 3]! > 0;
  return stackFlat(flat, isDrawn, labels).map((shape) => ({ ...shape, core: areas.cores[shape.core]! }));
}

/** Returns the drawing if it matches the image. */
function verifyDrawing(
  picture: Raster,
  { values }: ColorTable,
  drawn: readonly FlatShape[],
  isAlongPixels: boolean,
): FlatDrawing | undefined {
  const colorOf = (core: number) => [0, 1, 2].map((channel) => Math.round(values[4 * core + channel]!));
  const shapes = drawn.map(({ core, outlines }) => ({ outlines, fill: { color: colorOf(core) } }));
  const target = flattenOnWhite(picture);
  const parts = visibleParts(shapes, picture);
  const shown = renderFills(
    shapes.map(({ fill }) => fill),
    parts,
    target.length,
    picture.width,
  );
  if (offShare(shown, target) > OFF_MAX) return undefined;
  return {
    shapes,
    elements: writeElements(drawn, colorOf, isAlongPixels),
    nodeCount: shapes.reduce((sum, { outlines }) => sum + nodesOf(outlines), 0),
    shown,
    error: rasterError(shown, target),
  };
}

function offShare(shown: Float32Array, target: Float32Array): number {
  let off = 0;
  for (let at = 0; at < target.length; at += 3)
    if (
      Math.abs(shown[at]! - target[at]!) > SHADE ||
      Math.abs(shown[at + 1]! - target[at + 1]!) > SHADE ||
      Math.abs(shown[at + 2]! - target[at + 2]!) > SHADE
    )
      off++;
  return (3 * off) / target.length;
}

/** Thousandths of a pixel: at hundredths, edges change their shades. */
const STEPS = 1000;

function writeElements(
  drawn: readonly FlatShape[],
  colorOf: (core: number) => readonly number[],
  isAlongPixels: boolean,
): string {
  const groups: { core: number; elements: string[] }[] = [];
  for (const { core, outlines, simple } of drawn) {
    if (groups.at(-1)?.core !== core) groups.push({ core, elements: [] });
    const d = () => outlines.map((outline) => pathData(outline, STEPS)).join('');
    groups.at(-1)!.elements.push(simple ? writeShape(simple, '') : `<path d="${d()}"/>`);
  }
  const named = new Map<string, number>();
  const crisp = isAlongPixels ? ' shape-rendering="crispEdges"' : '';
  return groups
    .map(({ core, elements }) => {
      const color = hex(colorOf(core));
      const times = (named.get(color) ?? 0) + 1;
      named.set(color, times);
      const id = `color-${color.slice(1)}${times > 1 ? `-${times}` : ''}`;
      return `<g id="${id}" fill="${color}"${crisp}>\n${elements.join('\n')}\n</g>\n`;
    })
    .join('');
}
