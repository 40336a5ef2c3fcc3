import { connectedComponents } from '../pixels/connected_components.ts';
import { dilateMask } from '../pixels/dilate_mask.ts';
import { type Plane, planeOf, type Size } from '../pixels/plane.ts';
import type { Region } from './letterbox.ts';

/** In pixels. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** Selects one of several subjects: the one at a point, or those inside a box. */
export type SubjectSelector = Point | Region;

export const isPoint = (where: SubjectSelector): where is Point => 'x' in where;

/** Scales a selection to another image size. */
export function scaleSelector(where: SubjectSelector, from: Size, to: Size): SubjectSelector {
  const [across, down] = [to.width / from.width, to.height / from.height];
  if (isPoint(where)) return { x: where.x * across, y: where.y * down };
  return {
    left: where.left * across,
    top: where.top * down,
    width: where.width * across,
    height: where.height * down,
  };
}

/** Tolerance around a component for a point, as a fraction of the longest side. */
const POINT_TOLERANCE = 0.02;
/** Fraction of a component that must be inside a box. */
const INSIDE_MIN = 0.5;
/** Components below this fraction of the mask are specks and are never selected. */
const SPECK_SHARE = 0.002;
/** Width of the soft edges around a component, as a fraction of the longest side. */
const SOFT_EDGE_WIDTH = 0.015;

/**
 * Keeps the connected components of a mask that `where` selects. Soft edges belong to the nearest component.
 * @param where in pixels of the mask
 * @returns undefined if no component is selected
 */
export function selectSubject(mask: Plane, where: SubjectSelector): Plane | undefined {
  const longest = Math.max(mask.width, mask.height);
  const selected = planeOf(mask);
  const others = planeOf(mask);
  const solid = Uint8Array.from(mask.data, (value) => (value > 0.5 ? 1 : 0));
  const reach = Math.max(1, POINT_TOLERANCE * longest);
  let isFound = false;
  for (const patch of connectedComponents(solid, mask.width)) {
    const isSpeck = patch.length < SPECK_SHARE * mask.data.length;
    const isSelected = isPoint(where)
      ? patch.some(
          (at) => Math.hypot((at % mask.width) - where.x, Math.floor(at / mask.width) - where.y) <= reach,
        )
      : patch.filter((at) => isInside(where, at, mask.width)).length >= INSIDE_MIN * patch.length;
    isFound ||= isSelected && !isSpeck;
    for (const at of patch) (isSelected ? selected : others).data[at] = 1;
  }
  if (!isFound) return undefined;
  const near = dilateMask(selected, Math.max(1, Math.round(SOFT_EDGE_WIDTH * longest))).data;
  const keepsValue = (at: number) => selected.data[at] === 1 || (near[at] === 1 && others.data[at] === 0);
  return { ...mask, data: mask.data.map((value, at) => (keepsValue(at) ? value : 0)) };
}

const isInside = ({ left, top, width, height }: Region, at: number, columns: number): boolean => {
  const [x, y] = [at % columns, Math.floor(at / columns)];
  return x >= left && x < left + width && y >= top && y < top + height;
};

/** Largest number of subjects listed; an image with more shows a crowd. */
const SUBJECTS_MAX = 6;

/** Bounding boxes of the connected components of a mask, largest first, as fractions of its width and height. */
export function subjectBoxes(mask: Plane): Region[] {
  const solid = Uint8Array.from(mask.data, (value) => (value > 0.5 ? 1 : 0));
  const found: { pixels: number; box: Region }[] = [];
  for (const patch of connectedComponents(solid, mask.width)) {
    if (patch.length < SPECK_SHARE * mask.data.length) continue;
    found.push({ pixels: patch.length, box: boxOf(patch, mask) });
  }
  return found
    .sort((one, other) => other.pixels - one.pixels)
    .slice(0, SUBJECTS_MAX)
    .map(({ box }) => box);
}

function boxOf(patch: Int32Array, { width, height }: Size): Region {
  let [left, top, right, bottom] = [width, height, 0, 0];
  for (const at of patch) {
    const [x, y] = [at % width, Math.floor(at / width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + 1), Math.max(bottom, y + 1)];
  }
  return {
    left: left / width,
    top: top / height,
    width: (right - left) / width,
    height: (bottom - top) / height,
  };
}
