import { convexDistance } from './convex.ts';
import { evaluateMaps, type Maps, type Node } from './layer.ts';
import { roundedRectangle } from './outline.ts';
import { type Hit, type Solid, solidMaps } from './solid.ts';
import { diffuseLight, normalise, reflectEnvironment } from './studio.ts';
import { boundingBox, convexHull, type Point2, type Vector, type View } from './view.ts';

/** A rectangle in space: its centre, the directions of its right and lower sides, and its size. */
export interface Panel {
  readonly at: Vector;
  /** Unit vectors, perpendicular to each other. */
  readonly across: Vector;
  readonly down: Vector;
  readonly width: number;
  readonly height: number;
  /** Corner radius. */
  readonly radius?: number;
}

/** A sheet, board or case: a panel extruded to a depth behind it. */
export interface Slab extends Panel {
  readonly depth: number;
  /** Radius of its rounded edges. */
  readonly round?: number;
}

/** Upright, facing the camera of an unrotated pose. */
export const UPRIGHT = { across: [1, 0, 0], down: [0, 1, 0] } as const;
/** Horizontal, with its lower side towards the camera. */
export const LEVEL = { across: [1, 0, 0], down: [0, 0, -1] } as const;

/** Rotation in the plane of a panel, clockwise; radians. */
export function rotatedInPlane(angle: number): Pick<Panel, 'across' | 'down'> {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { across: [cos, sin, 0], down: [-sin, cos, 0] };
}

/** Unit vector from the face into the slab. */
const inwardNormal = ({ across: a, down: b }: Pick<Panel, 'across' | 'down'>): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const outwardNormal = (panel: Panel): Vector =>
  inwardNormal(panel).map((value) => -value) as unknown as Vector;

/** Position in space of a point of a panel: offsets from its centre to the right, down and behind. */
export function pointOnPanel(panel: Panel, u: number, v: number, behind = 0): [number, number, number] {
  const inward = inwardNormal(panel);
  return [0, 1, 2].map(
    (axis) => panel.at[axis]! + u * panel.across[axis]! + v * panel.down[axis]! + behind * inward[axis]!,
  ) as [number, number, number];
}

/** Whether the camera sees the face of a panel. */
export const isFacing = (view: View, panel: Panel): boolean => {
  const out = outwardNormal(panel);
  return out.reduce((sum, value, axis) => sum + value * (view.eye[axis]! - panel.at[axis]!), 0) > 0;
};

const CORNER_SEGMENTS = 14;

/** The projected outline of a panel, reduced by `inset` or at a depth behind it. */
export function panelOutline(view: View, panel: Panel, { inset = 0, behind = 0 } = {}): Point2[] {
  const [w, h] = [panel.width / 2 - inset, panel.height / 2 - inset];
  const radius = Math.max(0, (panel.radius ?? 0) - inset);
  const points: Point2[] = [];
  for (const [sx, sy, start] of [
    [1, 1, 0],
    [-1, 1, 1],
    [-1, -1, 2],
    [1, -1, 3],
  ] as const) {
    const count = radius > 0 ? CORNER_SEGMENTS : 0;
    for (let at = 0; at <= count; at += 1) {
      const turn = (Math.PI / 2) * (start + (count ? at / count : 0));
      const [u, v] = [
        sx * (w - radius) + radius * Math.cos(turn),
        sy * (h - radius) + radius * Math.sin(turn),
      ];
      points.push(view.project(...pointOnPanel(panel, u, v, behind)));
    }
  }
  return points;
}

/** Diffuse light with a highlight shoulder, so that surfaces facing the lamp are not overexposed. */
export function exposedLight(normal: Vector): number {
  const light = diffuseLight(...normal);
  return light > SHOULDER ? SHOULDER + 0.2 * (light - SHOULDER) : light;
}

const SHOULDER = 0.96;

/** A point of a panel, relative to its centre; its normal and view ray in camera coordinates. */
export interface PanelPoint {
  readonly u: number;
  readonly v: number;
  readonly direction: Vector;
  readonly normal: Vector;
}

/** A point of a slab, relative to the centre of its face: to the right, down and behind. */
export interface SlabPoint {
  readonly u: number;
  readonly v: number;
  readonly behind: number;
}

interface PanelOptions {
  readonly step?: number;
  readonly hasGloss?: boolean;
  readonly hasColors?: boolean;
}

/** Render buffers of a matt panel, with surface coordinates relative to its centre; `shade` adjusts each node. */
export function panelMaps(
  view: View,
  panel: Panel,
  { step = 2, hasGloss = true, hasColors = false }: PanelOptions = {},
  shade: (node: Node, position: PanelPoint) => void = () => {},
): Maps {
  const outline = convexHull(panelOutline(view, panel));
  const edge = convexDistance(outline);
  const out = outwardNormal(panel);
  const normal = view.toCamera(...out);
  const light = exposedLight(normal);
  const level = out.reduce((sum, value, axis) => sum + value * (panel.at[axis]! - view.eye[axis]!), 0);
  const rays = rayComponents(view);
  const [depths, rights, downs] = [out, panel.across, panel.down].map(rays) as [Plane, Plane, Plane];
  const [eyeU, eyeV] = [panel.across, panel.down].map((side) =>
    side.reduce((sum, value, axis) => sum + value * (view.eye[axis]! - panel.at[axis]!), 0),
  ) as [number, number];
  const direction = new Float64Array(3);
  const point = { x: 0, y: 0 };
  // One reused object for all nodes; the ray is computed only if `shade` reads it.
  const position = {
    u: 0,
    v: 0,
    normal,
    get direction(): Vector {
      view.ray(point.x, point.y, direction);
      return normalise(...view.toCamera(direction[0]!, direction[1]!, direction[2]!));
    },
  };
  return evaluateMaps(
    { box: boundingBox(outline), step, hasGloss, hasSurfaceCoordinates: true, hasColors },
    (x, y, node) => {
      point.x = x;
      point.y = y;
      const along = level / (depths.x * x + depths.y * y + depths.base);
      position.u = eyeU + along * (rights.x * x + rights.y * y + rights.base);
      position.v = eyeV + along * (downs.x * x + downs.y * y + downs.base);
      node.edge = edge(x, y);
      node.across = position.u;
      node.down = position.v;
      node.light = light;
      shade(node, position);
    },
  );
}

/** An affine function of the scene coordinates. */
interface Plane {
  readonly base: number;
  readonly x: number;
  readonly y: number;
}

/** The component along a direction of the ray through each scene position, which is affine in the position. */
function rayComponents(view: View): (direction: Vector) => Plane {
  const [base, right, below] = [
    [0, 0],
    [1, 0],
    [0, 1],
  ].map(([x, y]) => {
    const way = new Float64Array(3);
    view.ray(x!, y!, way);
    return way;
  }) as [Float64Array, Float64Array, Float64Array];
  return (direction) => {
    const along = (way: Float64Array) => direction.reduce((sum, value, axis) => sum + value * way[axis]!, 0);
    return { base: along(base), x: along(right) - along(base), y: along(below) - along(base) };
  };
}

/** Reflection of the room in a smooth coat, limited so that the surface stays visible. Directions are in camera coordinates. */
export const sheen = (normal: Vector, direction: Vector, maximum = 0.5): number =>
  Math.min(maximum, reflectEnvironment(normal, direction));

/** Signed distance function of a slab. */
export function slabSolid(slab: Slab): Solid {
  const { at, across, down, width, height, depth, radius = 0, round = Math.min(1, slab.depth / 2) } = slab;
  const inward = inwardNormal(slab);
  const face = {
    width: width - 2 * round,
    height: height - 2 * round,
    radius: Math.max(0, radius - round),
  };
  return (x, y, z) => {
    const [dx, dy, dz] = [x - at[0], y - at[1], z - at[2]];
    const u = dx * across[0] + dy * across[1] + dz * across[2];
    const v = dx * down[0] + dy * down[1] + dz * down[2];
    const deep = Math.abs(dx * inward[0] + dy * inward[1] + dz * inward[2] - depth / 2) - depth / 2 + round;
    const side = roundedRectangle(u, v, face);
    const [ox, oy] = [Math.max(side, 0), Math.max(deep, 0)];
    return Math.sqrt(ox * ox + oy * oy) + Math.min(Math.max(side, deep), 0) - round;
  };
}

/** The projected outline of a slab. */
export function slabOutline(view: View, slab: Slab): Point2[] {
  const { depth, round = Math.min(1, slab.depth / 2) } = slab;
  return convexHull(
    [
      { inset: round * 0.3, behind: round * 0.3 },
      { inset: 0, behind: round },
      { inset: 0, behind: depth - round },
      { inset: round, behind: depth },
    ].flatMap((ring) => panelOutline(view, slab, ring)),
  );
}

interface SlabOptions {
  readonly step?: number;
  /** A part painted over the slab, such as a panel on its face: hidden nodes are skipped. */
  readonly under?: Panel;
  readonly shade?: (node: Node, position: SlabPoint, hit: Hit) => void;
}

/** Render buffers of a slab, matt on all sides. */
export function slabMaps(view: View, slab: Slab, { step = 2, under, shade }: SlabOptions = {}): Maps {
  const outline = slabOutline(view, slab);
  const inward = inwardNormal(slab);
  const reach = Math.hypot(...slab.at) + Math.hypot(slab.width / 2, slab.height / 2) + slab.depth;
  const inset = (slab.round ?? 1) + 2 * step;
  const isHidden = under && within(convexDistance(convexHull(panelOutline(view, under, { inset }))));
  return solidMaps(
    view,
    slabSolid(slab),
    {
      box: boundingBox(outline),
      step,
      reach,
      edge: convexDistance(outline),
      hasSurfaceCoordinates: true,
      ...(isHidden && { isHidden }),
    },
    (hit, node) => {
      let [u, v, behind] = [0, 0, 0];
      for (const [axis, value] of [hit.x, hit.y, hit.z].entries()) {
        const from = value - slab.at[axis]!;
        u += from * slab.across[axis]!;
        v += from * slab.down[axis]!;
        behind += from * inward[axis]!;
      }
      node.across = u;
      node.down = v;
      node.light = exposedLight(hit.normal);
      shade?.(node, { u, v, behind }, hit);
    },
  );
}

const within = (edge: (x: number, y: number) => number) => (x: number, y: number) => edge(x, y) < 0;

/** `shade` for `slabMaps`: surface coordinates along the edges, as for a stack of sheets. */
export function edgeCoordinates(node: Node, { u, v, behind }: SlabPoint): void {
  node.across = u + v;
  node.down = behind;
}
