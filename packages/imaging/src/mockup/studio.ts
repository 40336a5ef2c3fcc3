import { smoothStep } from './light.ts';

/**
 * Lighting of the studio: a large softbox at the top left, a weaker one on the right, distant white walls, a white table. Directions are in
 * camera coordinates: x to the right, y down, z away from the camera; a surface facing the camera has z = -1.
 */

/** Direction of the centre of the softbox. */
const KEY = normalise(-0.62, -0.5, -0.6);
/** Wrap lighting: a broad softbox reaches around the edge of a form. */
const WRAP = 0.3;
const [KEY_SHARE, ROOM_SHARE] = [0.68, 0.32];
const FACING = keyLight(0, 0, -1);

/** Diffuse light, 1 on a surface that faces the camera. The normal is a unit vector. */
export function diffuseLight(x: number, y: number, z: number): number {
  // The ceiling is brighter than the floor, which reflects a part of its light.
  const room = 0.86 - 0.26 * y - 0.14 * z + 0.1 * Math.max(0, y) + 0.24 * Math.max(0, x);
  return (KEY_SHARE * keyLight(x, y, z)) / FACING + ROOM_SHARE * room;
}

function keyLight(x: number, y: number, z: number): number {
  const facing = (x * KEY[0] + y * KEY[1] + z * KEY[2] + WRAP) / (1 + WRAP);
  return facing <= 0 ? 0 : facing ** 1.25;
}

/** Environment map: light of softboxes, room and table in a direction. */
export function environmentLight(x: number, y: number, z: number): number {
  const turn = Math.atan2(x, -z);
  const rise = Math.asin(Math.max(-1, Math.min(1, -y)));
  const tall = smoothStep(-1.15, -0.75, rise) * smoothStep(1.25, 0.8, rise);
  const box = smoothStep(-1.9, -1.35, turn) * smoothStep(-0.3, -0.95, turn) * tall;
  const strip = smoothStep(0.95, 1.5, turn) * smoothStep(2.1, 1.6, turn) * tall;
  const ceiling = smoothStep(0.5, 1.4, rise);
  const table = smoothStep(-0.2, -0.7, rise);
  return 0.34 + 2.6 * box + 1.5 * strip + 0.8 * ceiling + 0.3 * table;
}

const GLAZE = 0.04;

/** Fresnel reflectance of glass, glaze or varnish by the cosine of the viewing angle (Schlick, 1994). */
export const fresnel = (facing: number): number =>
  GLAZE + (1 - GLAZE) * (1 - Math.max(0, Math.min(1, facing))) ** 5;

/** Specular reflection of the room in a smooth coat, seen along `way`; both are unit vectors. */
export function reflectEnvironment(normal: readonly number[], direction: readonly number[]): number {
  const [nx, ny, nz] = normal as [number, number, number];
  const [wx, wy, wz] = direction as [number, number, number];
  const into = nx * wx + ny * wy + nz * wz;
  const room = environmentLight(wx - 2 * into * nx, wy - 2 * into * ny, wz - 2 * into * nz);
  return fresnel(-into) * room;
}

export function normalise(x: number, y: number, z: number): [x: number, y: number, z: number] {
  const length = Math.sqrt(x * x + y * y + z * z) || 1;
  return [x / length, y / length, z / length];
}
