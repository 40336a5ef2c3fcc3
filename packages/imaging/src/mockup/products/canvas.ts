import type { Art } from '../art.ts';
import { type Box, convexDistance, cornersOf } from '../convex.ts';
import { evaluateMaps, type Layer, type Maps } from '../layer.ts';
import { type LinearRgb, smoothStep } from '../light.ts';
import { cached } from '../map_cache.ts';
import { layeredNoise } from '../noise.ts';
import { castShadows, fitArt, type Product, type ViewName } from '../scene.ts';
import { diffuseLight } from '../studio.ts';
import { primedCanvas } from '../texture.ts';
import { boundingBox, createView, intersectPlane, type Pose, type View } from '../view.ts';

const ROOM = { width: 720, height: 720 };
/** Depth of the stretcher, in scene units. */
const DEPTH = 46;
const FRONT: Pose = { x: 500, y: 490, yaw: 0.055, pitch: -0.045, distance: 1500 };
const ANGLE: Pose = { x: 492, y: 490, yaw: 0.52, pitch: 0.02, distance: 2000 };
const PRIMER: LinearRgb = [0.85, 0.85, 0.84];
/** Radius at which the canvas turns over the wood. */
const ROUND = 2.6;

/** A stretched canvas on a wall; the image wraps around its edges mirrored. */
export const canvas: Product = {
  placement: (size) => ({ box: fitArt(size, ROOM), fit: 'contain', background: '#ffffff' }),
  scene(art, { view: name, color = PRIMER, density }) {
    const view = createView(name === 'front' ? FRONT : ANGLE);
    const front = fitArt(art, ROOM);
    const { shadow, maps } = cached(
      `canvas ${name} ${front.width.toFixed(1)} ${front.height.toFixed(1)}`,
      () => canvasMaps(view, front, name),
    );
    const coat = coated({ art, front, color, density });
    return { shadow, layers: maps.map((one) => ({ maps: one, ...coat })) };
  },
};

function canvasMaps(view: View, front: Box, name: ViewName) {
  const back = convexDistance(cornersOf(front).map(([x, y]) => view.project(x, y, DEPTH + 6)));
  const reach = name === 'front' ? 1 : 0.75;
  return {
    shadow: castShadows(
      (x, y) => smoothStep(2, -2, back(x, y)),
      [
        { x: 3 * reach, y: 6, blur: 6, strength: 0.36 },
        { x: 14 * reach, y: 20, blur: 17, strength: 0.26 },
        { x: 34 * reach, y: 48, blur: 44, strength: 0.24 },
        { x: 20, y: 40, blur: 95, strength: 0.08 },
      ],
    ),
    maps: [
      edgeMaps(view, front, [1, 0]),
      ...(name === 'front' ? [edgeMaps(view, front, [0, 1])] : []),
      faceMaps(view, front),
    ],
  };
}

interface Cloth {
  readonly art: Art;
  readonly front: Box;
  readonly color: LinearRgb;
  readonly density: number;
}

const coated = ({ art, front, color, density }: Cloth): Omit<Layer, 'maps'> => ({
  color,
  texture: primedCanvas(density),
  print: { art, x: 0, y: 0, ...front, gain: 0.92, floor: 0.006, clampsToEdge: true },
});

/** The face: canvas that sags slightly between the stretcher bars and turns over them at the edges. */
function faceMaps(view: View, front: Box): Maps {
  const { width, height } = front;
  const outline = cornersOf(front).map(([x, y]) => view.project(x, y, 0));
  const [onOutline, hit] = [convexDistance(outline), intersectPlane(view)];
  return evaluateMaps(
    { box: boundingBox(outline), step: 2, hasGloss: true, hasSurfaceCoordinates: true },
    (x, y, node) => {
      const [across, down] = hit(x, y);
      const turn = (to: number) => 0.85 * Math.exp(-Math.max(0, to) / ROUND);
      const sag = (position: number, side: number) => 0.035 * Math.sin((2 * Math.PI * position) / side);
      const wave = 0.02 * layeredNoise(across / 160, down / 160, 2, 61);
      const nx = turn(width / 2 - across) - turn(across + width / 2) + sag(across, width) + wave;
      const ny = turn(height / 2 - down) - turn(down + height / 2) + sag(down, height) - wave;
      const length = Math.sqrt(1 + nx * nx + ny * ny);
      node.edge = onOutline(x, y);
      node.across = across;
      node.down = down;
      node.light =
        diffuseLight(...view.toCamera(nx / length, ny / length, -1 / length)) *
        (1.03 -
          0.07 * smoothStep(-height / 2, height / 2, down) -
          0.03 * smoothStep(-width / 2, width / 2, across));
      node.gloss = 0.003 + 0.006 * smoothStep(500, -500, across + down);
    },
  );
}

/** A visible edge, right or bottom: turned away from the light, darker towards the wall, with the image mirrored on it. */
function edgeMaps(view: View, { width, height }: Box, [right, below]: readonly [number, number]): Maps {
  const corners = right
    ? [-1, 1].map((sign) => [width / 2, (sign * height) / 2] as const)
    : [-1, 1].map((sign) => [(sign * width) / 2, height / 2] as const);
  const outline = [
    ...corners.map(([x, y]) => view.project(x, y, -0.5)),
    ...corners.reverse().map(([x, y]) => view.project(x, y, DEPTH)),
  ];
  const onOutline = convexDistance(outline);
  const direction = new Float64Array(3);
  const turned = diffuseLight(...view.toCamera(right, below, 0));
  return evaluateMaps({ box: boundingBox(outline), step: 1, hasSurfaceCoordinates: true }, (x, y, node) => {
    view.ray(x, y, direction);
    const along = right
      ? (width / 2 - view.eye[0]) / direction[0]!
      : (height / 2 - view.eye[1]) / direction[1]!;
    const deep = Math.max(0, Math.min(DEPTH, view.eye[2] + along * direction[2]!));
    const [px, py] = [view.eye[0] + along * direction[0]!, view.eye[1] + along * direction[1]!];
    node.edge = onOutline(x, y);
    node.across = right ? width / 2 - deep : px;
    node.down = right ? py : height / 2 - deep;
    const crest = 0.5 * (diffuseLight(...view.toCamera(0, 0, -1)) - turned) * Math.exp(-deep / ROUND);
    node.light = (0.9 * turned + crest) * (1 - 0.3 * smoothStep(DEPTH * 0.3, DEPTH, deep));
  });
}
