import { type ColorLink, computeLink } from './color_link.ts';
import { D50, deltaE2000, type Lab, labOfSrgb, labOfXyz, srgbOfLab, xyzOfLab } from './lab.ts';
import type { Intent, PressProfile } from './press_profile.ts';

/** Black ink levels with tabulated lightness; values between them are interpolated linearly. */
const STEPS = 256;

/** Black ink alone on the paper of a printing condition. */
interface BlackOnly {
  /** L* of solid black ink. */
  readonly darkest: number;
  /**
   * Black ink fraction, 0 to 1, that matches a lightness; solid (1) for anything darker than that ink can print. @param lightness L*, paper
   * = 100
   */
  inkFor(lightness: number): number;
}

/** Measures the lightness of black ink alone on the paper of a profile. */
function blackOnlyOf(press: PressProfile): BlackOnly {
  const lightness = Float64Array.from({ length: STEPS + 1 }, (_, step) => {
    const inks = Float64Array.of(0, 0, 0, step / STEPS);
    return press.labOf(inks, 'relative')[0];
  });
  // More ink is never lighter; the tables of some profiles waver by a hundredth near the solid.
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

export interface Rendering {
  readonly intent: Intent;
  /** Maps the darkest colour of the source to the darkest of the destination, so that shadow detail is preserved. ISO 18619 */
  readonly blackPointCompensation: boolean;
  /** Neutral RGB colours are printed with black ink alone: text has no coloured fringes if plates are misregistered. */
  readonly keepsBlack?: boolean;
}

/** CIEDE2000 from which a colour counts as out of gamut: noticeable at a glance. */
export const OUT_OF_GAMUT_DELTA_E = 5;
/** Scale of the fifth output of a device link: four times the ΔE2000 to the nearest printable colour. */
export const MISS_SCALE = 4;

/**
 * Device link from sRGB to the inks of a profile (0 to 255 for 0 to 100 %), with a fifth output: CIEDE2000 to the nearest printable colour,
 * times MISS_SCALE.
 */
export function linkToPress(press: PressProfile, rendering: Rendering): ColorLink {
  const toInks = inkWriter(press, rendering);
  const black = rendering.keepsBlack ? blackOnlyOf(press) : undefined;
  const darkest = blackOf(press, 'relative');
  const inks = new Float64Array(4);
  return computeLink(3, 5, ([red, green, blue], out) => {
    const lab = labOfSrgb(red!, green!, blue!);
    out[4] = Math.min(255, MISS_SCALE * missOf(press, moveBlack(lab, 0, darkest)));
    // Neutral pixels lie on the grid diagonal and are interpolated from diagonal nodes only, so changing these suffices.
    if (black && red === green && green === blue)
      inks.set([0, 0, 0, black.inkFor(moveBlack(lab, 0, black.darkest)[0])]);
    else toInks(lab, inks);
    for (let ink = 0; ink < 4; ink += 1) out[ink] = 255 * inks[ink]!;
  });
}

/**
 * Device link between the inks of two profiles, in the format of `linkToPress`. Black-only colours stay black-only and solid black stays
 * solid: text would otherwise be printed in four inks, which need registration.
 */
export function linkBetweenPresses(from: PressProfile, to: PressProfile, rendering: Rendering): ColorLink {
  const darkest = rendering.blackPointCompensation ? blackOf(from, 'relative') : 0;
  const toInks = inkWriter(to, rendering);
  const [blackFrom, blackTo] = [blackOnlyOf(from), blackOnlyOf(to)];
  const [darkestFrom, darkestTo] = [blackOf(from, 'relative'), blackOf(to, 'relative')];
  const inks = new Float64Array(4);
  return computeLink(4, 5, (samples, out) => {
    for (let ink = 0; ink < 4; ink += 1) inks[ink] = samples[ink]! / 255;
    const seen = from.labOf(inks, 'relative');
    const lab = darkest > 0 ? moveBlack(seen, darkest, 0) : seen;
    out[4] = Math.min(255, MISS_SCALE * missOf(to, moveBlack(seen, darkestFrom, darkestTo)));
    if (samples[0] === 0 && samples[1] === 0 && samples[2] === 0)
      inks.set([0, 0, 0, blackTo.inkFor(moveBlack(seen, blackFrom.darkest, blackTo.darkest)[0])]);
    else toInks(rendering.intent === 'absolute' ? layOnPaper(seen, from.paper) : lab, inks);
    for (let ink = 0; ink < 4; ink += 1) out[ink] = 255 * inks[ink]!;
  });
}

/** Device link from inks to sRGB (soft proof). `paper` also simulates the paper tint and the true depth of black. */
export function linkFromPress(press: PressProfile, { paper }: { paper: boolean }): ColorLink {
  const inks = new Float64Array(4);
  const darkest = paper ? 0 : blackOf(press, 'relative');
  return computeLink(4, 3, (samples, out) => {
    for (let ink = 0; ink < 4; ink += 1) inks[ink] = samples[ink]! / 255;
    const seen = press.labOf(inks, 'relative');
    out.set(srgbOfLab(paper ? layOnPaper(seen, press.paper) : moveBlack(seen, darkest, 0)));
  });
}

/** Returns a function that writes the inks for an sRGB colour, 0 to 1. */
function inkWriter(press: PressProfile, { intent, blackPointCompensation }: Rendering) {
  const black = blackPointCompensation && intent !== 'absolute' ? blackOf(press, intent) : 0;
  return (lab: Readonly<Lab>, inks: Float64Array): void => {
    const wanted = intent === 'absolute' ? liftOffPaper(lab, press.paper) : moveBlack(lab, 0, black);
    press.inksFor(wanted, intent, inks);
  };
}

/**
 * Colour difference (ΔE2000) between a colour and the nearest printable one. Black point compensation applies: every print is lighter than
 * a screen's black, so that difference does not count.
 */
function missOf(press: PressProfile, lab: Readonly<Lab>): number {
  const inks = new Float64Array(4);
  press.inksFor(lab, 'relative', inks);
  return deltaE2000(lab, press.labOf(inks, 'relative'));
}

/** Lightness of the darkest colour of an intent: black, converted to inks and back. */
function blackOf(press: PressProfile, intent: Intent): number {
  const inks = new Float64Array(4);
  press.inksFor([0, 0, 0], intent, inks);
  return Math.min(50, Math.max(0, press.labOf(inks, 'relative')[0]));
}

/** Maps black of lightness `from` to lightness `to` and keeps white, linearly in XYZ. */
function moveBlack(lab: Readonly<Lab>, from: number, to: number): Lab {
  if (from === to) return [...lab];
  const [dark, wanted] = [xyzOfLab([from, 0, 0])[1], xyzOfLab([to, 0, 0])[1]];
  const scale = (1 - wanted) / (1 - dark);
  const [x, y, z] = xyzOfLab(lab);
  const moved = ([x, y, z] as const).map((value, axis) => {
    const white = D50[axis]!;
    return Math.max(0, white - (white - value) * scale);
  });
  return labOfXyz(moved as [number, number, number]);
}

/** Converts a colour from relative-to-paper to absolute, and back. */
const layOnPaper = (lab: Readonly<Lab>, paper: Readonly<Lab>): Lab =>
  scaleXyz(lab, (axis) => paper[axis]! / D50[axis]!);
const liftOffPaper = (lab: Readonly<Lab>, paper: Readonly<Lab>): Lab =>
  scaleXyz(lab, (axis) => D50[axis]! / paper[axis]!);

function scaleXyz(lab: Readonly<Lab>, factor: (axis: number) => number): Lab {
  const [x, y, z] = xyzOfLab(lab);
  return labOfXyz([x * factor(0), y * factor(1), z * factor(2)]);
}
