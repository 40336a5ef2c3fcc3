import { coverage, hypot2, type LinearRgb, smoothStep } from '../light.ts';
import { roundedRectangle } from '../outline.ts';

/** The camera cut-out: its centre on the back of the phone, and its size. */
export const CAMERA = { x: -98, y: -314, width: 186, height: 192, radius: 50 };
const LENSES = [
  { x: -43, y: -45, radius: 37 },
  { x: -43, y: 45, radius: 37 },
  { x: 45, y: 0, radius: 37 },
] as const;
const FLASH = { x: 46, y: -63, radius: 12 };
const MICROPHONE = { x: 46, y: 62, radius: 4 };

/** Antialiasing width, matched to the resolution of the camera maps. */
const SOFT = 0.7;

/** The phone's glass in the cut-out, with three lenses and a flash: light at a point relative to its centre. */
export function cameraLight(x: number, y: number): [red: number, green: number, blue: number] {
  const cut = roundedRectangle(x, y, CAMERA);
  const well = (1 - 0.65 * Math.exp(cut / 7)) * (1 - 0.35 * Math.exp(cut / 20) * smoothStep(30, -60, x + y));
  const sheen = 0.035 * smoothStep(150, -150, x * 0.6 + y);
  let [red, green, blue] = [0.026 + sheen, 0.027 + sheen, 0.029 + sheen].map((value) => value * well) as [
    ...[number, number, number],
  ];
  const put = (cover: number, light: LinearRgb) => {
    red += cover * (light[0] - red);
    green += cover * (light[1] - green);
    blue += cover * (light[2] - blue);
  };
  for (const lens of LENSES) {
    const [lx, ly] = [x - lens.x, y - lens.y];
    const radius = hypot2(lx, ly);
    const under = hypot2(lx - 4, ly - 6) - lens.radius - 2;
    put(0.6 * smoothStep(9, -2, under), [0.004, 0.004, 0.005]);
    if (radius < lens.radius + 4) lensLight(lx, ly, { radius, rim: lens.radius, put });
  }
  const flash = hypot2(x - FLASH.x, y - FLASH.y) - FLASH.radius;
  put(coverage(flash, SOFT), [0.28, 0.27, 0.24]);
  put(coverage(flash + 2.2, SOFT), [0.72, 0.68, 0.54]);
  put(coverage(flash + 7, 5), [0.86, 0.83, 0.72]);
  put(coverage(hypot2(x - MICROPHONE.x, y - MICROPHONE.y) - MICROPHONE.radius, SOFT), [0.002, 0.002, 0.002]);
  return [red, green, blue];
}

interface LensPaint {
  readonly radius: number;
  readonly rim: number;
  readonly put: (cover: number, light: LinearRgb) => void;
}

/** A steel ring, a stepped black barrel, and coated glass that reflects the softbox. */
function lensLight(x: number, y: number, { radius, rim, put }: LensPaint): void {
  const turn = (-x * 0.62 - y * 0.78) / Math.max(1, radius);
  put(coverage(radius - rim, SOFT), steel(turn, 0.42));
  put(coverage(radius - rim + 3.2, SOFT), steel(-turn, 0.13));
  put(coverage(radius - rim + 5.5, SOFT), [0.006, 0.006, 0.007]);
  const ring = 0.5 + 0.5 * Math.cos((radius - 19) * 1.1);
  const barrel = 0.004 + 0.007 * ring * smoothStep(-0.6, 1, -turn);
  put(coverage(radius - 29, SOFT), [barrel, barrel, barrel * 1.1]);
  put(coverage(radius - 18.5, 1.4), [0.005, 0.007, 0.011]);
  // Coatings reflect a green or violet tint.
  const inner = smoothStep(16, 2, hypot2(x - 3, y - 4));
  put(0.75 * smoothStep(15.5, 12, radius) * inner, [0.012, 0.018, 0.05]);
  put(0.5 * smoothStep(9, 3, hypot2(x - 6, y - 7)), [0.06, 0.03, 0.1]);
  const pane = coverage(
    roundedRectangle(x * 0.9 + y * 0.2 + 8.5, y * 0.9 - x * 0.2 + 9.5, { width: 9, height: 7, radius: 3 }),
    3,
  );
  put(0.62 * pane, [0.52, 0.57, 0.66]);
  put(0.1 * smoothStep(-8, -24, x * 0.6 + y * 0.8) * coverage(radius - 30, 2), [0.4, 0.42, 0.45]);
}

const steel = (turn: number, brightness: number): LinearRgb => {
  const value = brightness * (0.5 + 0.5 * turn) ** 2.2 + 0.02;
  return [value, value, value * 1.02];
};
