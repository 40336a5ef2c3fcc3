import type { Figure } from './find_figure.ts';
import { findHorizon, type Horizon } from './find_horizon.ts';
import { findPattern, type Pattern } from './find_pattern.ts';
import { findTextLines } from './find_text.ts';
import type { Planes } from './planes.ts';

/** What can be said of the subject without knowing what things are. */
export interface Subject {
  readonly horizon?: Horizon;
  readonly pattern?: Pattern;
  /** Lines of marks as small and regular as writing. */
  readonly textLines: number;
  readonly figure?: Figure;
}

/** @param fine the picture at up to 640 pixels @param coarse half of it */
export function measureSubject(fine: Planes, coarse: Planes, figure: Figure | undefined): Subject {
  const horizon = findHorizon(coarse);
  const pattern = findPattern(coarse);
  return {
    ...(horizon && { horizon }),
    ...(pattern && { pattern }),
    textLines: findTextLines(fine),
    ...(figure && { figure }),
  };
}
