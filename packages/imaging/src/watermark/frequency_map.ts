/** Linear map of the pilot's frequencies: (xx · across + xy · down, yx · across + yy · down). */
export interface FrequencyMap {
  readonly xx: number;
  readonly xy: number;
  readonly yx: number;
  readonly yy: number;
}

/** Degrees of freedom of an edit: enlarged by a crop; enlarged and rotated; scaled along each axis separately; any. */
export type Ways = 'enlarged' | 'turned' | 'stretched' | 'free';

/** Changes a map by a small number: a factor of 1 + `by`, or an angle in radians. */
export type Move = (map: FrequencyMap, by: number) => FrequencyMap;

const enlarge: Move = ({ xx, xy, yx, yy }, by) => ({
  xx: xx * (1 + by),
  xy: xy * (1 + by),
  yx: yx * (1 + by),
  yy: yy * (1 + by),
});
const turn: Move = ({ xx, xy, yx, yy }, by) => ({
  xx: xx - by * yx,
  xy: xy - by * yy,
  yx: yx + by * xx,
  yy: yy + by * xy,
});
const widen: Move = (map, by) => ({ ...map, xx: map.xx * (1 + by), xy: map.xy * (1 + by) });
const heighten: Move = (map, by) => ({ ...map, yx: map.yx * (1 + by), yy: map.yy * (1 + by) });
const shearX: Move = (map, by) => ({ ...map, xx: map.xx + by * map.yx, xy: map.xy + by * map.yy });
const shearY: Move = (map, by) => ({ ...map, yx: map.yx + by * map.xx, yy: map.yy + by * map.xy });

/** Moves that refine a rough map. Fewer degrees of freedom make each one more reliable. */
export const MOVES: Record<Ways, readonly Move[]> = {
  enlarged: [enlarge],
  turned: [enlarge, turn],
  stretched: [widen, heighten],
  free: [widen, heighten, shearX, shearY],
};
