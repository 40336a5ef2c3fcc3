import { convexEdge } from './convex.ts';
import { type Maps, mapsOf, type Node } from './layer.ts';
import { roundedBox } from './outline.ts';
import { type Hit, type Solid, solidMaps } from './solid.ts';
import { matt, mirrored, unit } from './studio.ts';
import { boxAround, hullOf, type Spot, type Vector, type View } from './view.ts';

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
export function rolled(angle: number): Pick<Panel, 'across' | 'down'> {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return { across: [cos, sin, 0], down: [-sin, cos, 0] };
}

/** Unit vector from the face into the slab. */
const inwardOf = ({ across: a, down: b }: Pick<Panel, 'across' | 'down'>): Vector => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

const outwardOf = (panel: Panel): Vector => inwardOf(panel).map((value) => -value) as unknown as Vector;

/** Position in space of a point of a panel: offsets from its centre to the right, down and behind. */
export function placeOn(panel: Panel, u: number, v: number, behind = 0): [number, number, number] {
  const inward = inwardOf(panel);
  return [0, 1, 2].map(
    (axis) => panel.at[axis]! + u * panel.across[axis]! + v * panel.down[axis]! + behind * inward[axis]!,
  ) as [number, number, number];
}

/** Whether the camera sees the face of a panel. */
export const isFacing = (view: View, panel: Panel): boolean => {
  const out = outwardOf(panel);
  return out.reduce((sum, value, axis) => sum + value * (view.eye[axis]! - panel.at[axis]!), 0) > 0;
};

const CORNER = 14;

/** The projected outline of a panel, inset by `drawnIn` or at a depth behind it. */
export function panelOutline(view: View, panel: Panel, { drawnIn = 0, behind = 0 } = {}): Spot[] {
  const [w, h] = [panel.width / 2 - drawnIn, panel.height / 2 - drawnIn];
  const radius = Math.max(0, (panel.radius ?? 0) - drawnIn);
  const spots: Spot[] = [];
  for (const [sx, sy, start] of [
    [1, 1, 0],
    [-1, 1, 1],
    [-1, -1, 2],
    [1, -1, 3],
  ] as const) {
    const count = radius > 0 ? CORNER : 0;
    for (let at = 0; at <= count; at += 1) {
      const turn = (Math.PI / 2) * (start + (count ? at / count : 0));
      const [u, v] = [
        sx * (w - radius) + radius * Math.cos(turn),
        sy * (h - radius) + radius * Math.sin(turn),
      ];
      spots.push(view.project(...placeOn(panel, u, v, behind)));
    }
  }
  return spots;
}

/** Diffuse light with a highlight shoulder, so that surfaces facing the lamp are not overexposed. */
export function exposed(normal: Vector): number {
  const light = matt(...normal);
  return light > SHOULDER ? SHOULDER + 0.2 * (light - SHOULDER) : light;
}

const SHOULDER = 0.96;

/** A point of a panel, relative to its centre; its normal and view ray in camera coordinates. */
export interface PanelPlace {
  readonly u: number;
  readonly v: number;
  readonly way: Vector;
  readonly normal: Vector;
}

/** A point of a slab, relative to the centre of its face: to the right, down and behind. */
export interface SlabPlace {
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
  shade: (node: Node, place: PanelPlace) => void = () => {},
): Maps {
  const outline = hullOf(panelOutline(view, panel));
  const edge = convexEdge(outline);
  const out = outwardOf(panel);
  const normal = view.turn(...out);
  const light = exposed(normal);
  const level = out.reduce((sum, value, axis) => sum + value * (panel.at[axis]! - view.eye[axis]!), 0);
  const rays = rayAlong(view);
  const [depths, rights, downs] = [out, panel.across, panel.down].map(rays) as [Plane, Plane, Plane];
  const [eyeU, eyeV] = [panel.across, panel.down].map((side) =>
    side.reduce((sum, value, axis) => sum + value * (view.eye[axis]! - panel.at[axis]!), 0),
  ) as [number, number];
  const way = new Float64Array(3);
  const spot = { x: 0, y: 0 };
  // One reused object for all nodes; the ray is computed only if `shade` reads it.
  const place = {
    u: 0,
    v: 0,
    normal,
    get way(): Vector {
      view.ray(spot.x, spot.y, way);
      return unit(...view.turn(way[0]!, way[1]!, way[2]!));
    },
  };
  return mapsOf({ box: boxAround(outline), step, hasGloss, hasPlace: true, hasColors }, (x, y, node) => {
    spot.x = x;
    spot.y = y;
    const along = level / (depths.x * x + depths.y * y + depths.base);
    place.u = eyeU + along * (rights.x * x + rights.y * y + rights.base);
    place.v = eyeV + along * (downs.x * x + downs.y * y + downs.base);
    node.edge = edge(x, y);
    node.across = place.u;
    node.down = place.v;
    node.light = light;
    shade(node, place);
  });
}

/** An affine function of the scene coordinates. */
interface Plane {
  readonly base: number;
  readonly x: number;
  readonly y: number;
}

/** The component along a direction of the ray through each scene position, which is affine in the position. */
function rayAlong(view: View): (direction: Vector) => Plane {
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
export const sheen = (normal: Vector, way: Vector, most = 0.5): number =>
  Math.min(most, mirrored(normal, way));

/** Signed distance function of a slab. */
export function slabSolid(slab: Slab): Solid {
  const { at, across, down, width, height, depth, radius = 0, round = Math.min(1, slab.depth / 2) } = slab;
  const inward = inwardOf(slab);
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
    const side = roundedBox(u, v, face);
    const [ox, oy] = [Math.max(side, 0), Math.max(deep, 0)];
    return Math.sqrt(ox * ox + oy * oy) + Math.min(Math.max(side, deep), 0) - round;
  };
}

/** The projected outline of a slab. */
export function slabOutline(view: View, slab: Slab): Spot[] {
  const { depth, round = Math.min(1, slab.depth / 2) } = slab;
  return hullOf(
    [
      { drawnIn: round * 0.3, behind: round * 0.3 },
      { drawnIn: 0, behind: round },
      { drawnIn: 0, behind: depth - round },
      { drawnIn: round, behind: depth },
    ].flatMap((ring) => panelOutline(view, slab, ring)),
  );
}

interface SlabOptions {
  readonly step?: number;
  /** A part painted over the slab, such as a panel on its face: hidden nodes are skipped. */
  readonly under?: Panel;
  readonly shade?: (node: Node, place: SlabPlace, hit: Hit) => void;
}

/** Render buffers of a slab, matt on all sides. */
export function slabMaps(view: View, slab: Slab, { step = 2, under, shade }: SlabOptions = {}): Maps {
  const outline = slabOutline(view, slab);
  const inward = inwardOf(slab);
  const reach = Math.hypot(...slab.at) + Math.hypot(slab.width / 2, slab.height / 2) + slab.depth;
  const drawnIn = (slab.round ?? 1) + 2 * step;
  const isHidden = under && within(convexEdge(hullOf(panelOutline(view, under, { drawnIn }))));
  return solidMaps(
    view,
    slabSolid(slab),
    {
      box: boxAround(outline),
      step,
      reach,
      edge: convexEdge(outline),
      hasPlace: true,
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
      node.light = exposed(hit.normal);
      shade?.(node, { u, v, behind }, hit);
    },
  );
}

const within = (edge: (x: number, y: number) => number) => (x: number, y: number) => edge(x, y) < 0;

/** `shade` for `slabMaps`: surface coordinates along the edges, as for a stack of sheets. */
export function alongEdges(node: Node, { u, v, behind }: SlabPlace): void {
  node.across = u + v;
  node.down = behind;
}
