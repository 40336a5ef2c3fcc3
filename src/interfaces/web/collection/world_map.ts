import { readFileSync } from 'node:fs';
import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';

/** SVG units per degree: x from 180° west, y from the north pole (plate carrée). */
const UNITS = 5;

/**
 * Land as the path of an SVG, in these units. Natural Earth 1:110 million, public domain (https://www.naturalearthdata.com), by way of the npm
 * package world-atlas 2.0.2 (ISC); changed: rounded to 0.2 degrees, without Antarctica.
 */
const LAND = readFileSync(new URL('land.txt', import.meta.url), 'utf8').trim();

/** Visible part of the world, in degrees. */
export interface Frame {
  readonly west: number;
  readonly north: number;
  /** Degrees from west to east. */
  readonly width: number;
  readonly height: number;
}

/** Default view, without Antarctica. */
export const WORLD: Frame = { west: -180, north: 84, width: 360, height: 144 };
/** Aspect ratio of every map. */
const PROPORTION = WORLD.width / WORLD.height;

export interface Point {
  readonly latitude: number;
  readonly longitude: number;
}

/** A frame around all points with a margin. @param widthMin degrees */
export function frameAround(points: readonly Point[], widthMin: number): Frame {
  if (points.length === 0) return WORLD;
  const range = (of: (point: Point) => number) => {
    const all = points.map(of);
    return [Math.min(...all), Math.max(...all)] as const;
  };
  const [west, east] = range(({ longitude }) => longitude);
  const [south, north] = range(({ latitude }) => latitude);
  const width = Math.min(
    WORLD.width,
    Math.max(widthMin, 1.3 * (east - west), 1.3 * (north - south) * PROPORTION),
  );
  const height = width / PROPORTION;
  return {
    west: within((west + east - width) / 2, -180, 180 - width),
    north: within((north + south + height) / 2, height - 90, 90),
    width,
    height,
  };
}

const within = (value: number, least: number, most: number): number =>
  Math.max(least, Math.min(Math.max(least, most), value));

/** Position of a point in SVG units. */
export const unitsOf = ({ latitude, longitude }: Point): { readonly x: number; readonly y: number } => ({
  x: round((longitude + 180) * UNITS),
  y: round((90 - latitude) * UNITS),
});

const round = (value: number): number => Math.round(10 * value) / 10;

/** World map with content on top. @param label accessible name */
export const worldMap = ({ west, north, width, height }: Frame, on: Html, label: string): Html => {
  const { x, y } = unitsOf({ latitude: north, longitude: west });
  return html`<svg class="map" viewBox="${x} ${y} ${round(width * UNITS)} ${round(height * UNITS)}" role="group" aria-label="${label}"><path class="land" d="${LAND}"/>${on}</svg>`;
};

/** Radius of a dot in SVG units, independent of the frame. @param size from 0 to 1 */
export const radiusOf = ({ width }: Frame, size: number): number =>
  round((width / WORLD.width) * (8 + 34 * Math.sqrt(size)));
