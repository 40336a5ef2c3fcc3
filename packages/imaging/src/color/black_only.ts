import type { PressProfile } from './press_profile.ts';

/** Shares of black ink whose lightness is looked up; between them it changes evenly. */
const STEPS = 256;

/** Black ink alone on the paper of a press. */
export interface BlackOnly {
  /** L* of the solid. */
  readonly darkest: number;
  /** The share of ink, 0 to 1, that alone looks as light as this; solid for what is darker than it can be. @param lightness L*, of paper 100 */
  inkFor(lightness: number): number;
}

/** How light black ink alone is on the paper of a press. */
export function blackOnlyOf(press: PressProfile): BlackOnly {
  const lightness = Float64Array.from({ length: STEPS + 1 }, (_, step) => {
    const inks = Float64Array.of(0, 0, 0, step / STEPS);
    return press.labOf(inks, 'relative')[0];
  });
  // More ink is never lighter; tables of some profiles waver by a hundredth near the solid.
  for (let step = 1; step <= STEPS; step += 1)
    lightness[step] = Math.min(lightness[step]!, lightness[step - 1]!);
  return {
    darkest: lightness[STEPS]!,
    inkFor(wanted) {
      if (wanted >= lightness[0]!) return 0;
      const step = lightness.findIndex((light) => light <= wanted);
      if (step < 0) return 1;
      const [lighter, darker] = [lightness[step - 1]!, lightness[step]!];
      return (step - (wanted - darker) / (lighter - darker)) / STEPS;
    },
  };
}
