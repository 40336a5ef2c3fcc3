import { blurField, type Field, fieldOf } from '../field.ts';
import { smoothStep } from '../light.ts';
import { latticeNoise } from '../noise.ts';
import type { View } from '../view.ts';
import { BODY, mugDistance, type Spheres } from './mug_shape.ts';

/** The softbox relative to the centre of the base, in upright camera coordinates: left, above, in front. */
const KEY = { x: -760, y: -2500, z: -60, width: 1500, depth: 1300 };
const RAYS = 12;
const STEPS = 26;

/**
 * Shadow and ambient occlusion of a mug on a table: rays from table points to points of a broad softbox, marched past the mug, so that the
 * shadow is sharp at the base and fades out.
 */
export function mugShadow(view: View, spheres: Spheres, yaw: number): Field {
  const direction = new Float64Array(3);
  const [cos, sin] = [Math.cos(yaw), Math.sin(yaw)];
  const side = 200;
  const field = fieldOf((x, y) => {
    view.ray(x, y, direction);
    if (direction[1]! <= 0) return 0;
    const along = (BODY.bottom - view.eye[1]) / direction[1]!;
    const [px, pz] = [view.eye[0] + along * direction[0]!, view.eye[2] + along * direction[2]!];
    const away = Math.hypot(px, pz);
    if (along < 0 || away > 1500) return 0;
    let dark = 0;
    const position = Math.imul(Math.round(x * 7), 31) + Math.round(y * 7);
    for (let ray = 0; ray < RAYS; ray += 1) {
      const lampX = KEY.x + KEY.width * (((ray % 4) + 0.5 + 0.5 * latticeNoise(position, ray, 3)) / 4 - 0.5);
      const lampZ =
        KEY.z + KEY.depth * ((Math.floor(ray / 4) + 0.5 + 0.5 * latticeNoise(position, ray, 4)) / 3 - 0.5);
      // The lamp does not rotate with the mug.
      const [lx, lz] = [cos * lampX - sin * lampZ, sin * lampX + cos * lampZ];
      if (isBlocked(spheres, [px, BODY.bottom - 0.5, pz], [lx - px, KEY.y - BODY.bottom, lz - pz]))
        dark += 1 / RAYS;
    }
    const gap = Math.max(0, mugDistance(spheres, px, BODY.bottom - 4, pz));
    const room = 0.3 * Math.exp(-gap / 120) + 0.34 * Math.exp(-gap / 14);
    const fade = smoothStep(1000, 350, away);
    return fade * (1 - (1 - 0.36 * dark) * (1 - room));
  }, side);
  return blurField(field, 5);
}

function isBlocked(spheres: Spheres, [px, py, pz]: readonly number[], direction: readonly number[]): boolean {
  const length = Math.hypot(...direction);
  const [wx, wy, wz] = direction.map((value) => value / length);
  let along = 2;
  for (let step = 0; step < STEPS; step += 1) {
    const y = py! + along * wy!;
    if (y < BODY.top - 60) return false;
    const distance = mugDistance(spheres, px! + along * wx!, y, pz! + along * wz!);
    if (distance < 0.5) return true;
    along += Math.max(3, distance);
  }
  return false;
}
