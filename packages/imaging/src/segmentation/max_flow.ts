/**
 * Cuts a grid of pixels in two at least cost.
 * Source: Boykov and Kolmogorov, "An experimental comparison of min-cut/max-flow algorithms", 2004: two search trees,
 * one from each side, that are mended after every augmentation instead of grown anew.
 */
export interface GridCosts {
  readonly width: number;
  readonly height: number;
  /** Positive where a pixel leans to the foreground, negative where to the background; one number a pixel. */
  readonly lean: Float32Array;
  /** Cost of cutting between a pixel and its neighbour to the right, below right, below, and below left. */
  readonly cut: readonly [Float32Array, Float32Array, Float32Array, Float32Array];
}

/** @returns 1 for every pixel of the foreground, else 0 */
export function cutGrid(costs: GridCosts): Uint8Array {
  const flow = new Flow(costs);
  flow.run();
  return flow.foreground();
}

const FREE = 0;
const SOURCE = 1;
const SINK = 2;
const TERMINAL = 8;
const ORPHAN = 9;
const NONE = 10;
const FAR = 0x7fffffff;
/** Right, below right, below, below left, and their opposites four places on. */
const STEPS = [
  [1, 0],
  [1, 1],
  [0, 1],
  [-1, 1],
  [-1, 0],
  [-1, -1],
  [0, -1],
  [1, -1],
] as const;
const opposite = (direction: number): number => (direction + 4) & 7;

class Flow {
  readonly #pixels: number;
  /** What may still flow from a pixel in each of eight directions. */
  readonly #room: Float32Array[];
  readonly #lean: Float32Array;
  readonly #offset: number[];
  readonly #tree: Uint8Array;
  readonly #parent: Uint8Array;
  readonly #stamp: Int32Array;
  readonly #distance: Int32Array;
  readonly #queued: Uint8Array;
  readonly #active: Int32Array;
  #head = 0;
  #count = 0;
  #time = 0;
  readonly #orphans: number[] = [];

  constructor({ width, height, lean, cut }: GridCosts) {
    this.#pixels = width * height;
    this.#lean = Float32Array.from(lean);
    this.#offset = STEPS.map(([x, y]) => x + y * width);
    this.#room = roomOf({ width, height, cut }, this.#offset);
    this.#tree = new Uint8Array(this.#pixels);
    this.#parent = new Uint8Array(this.#pixels).fill(NONE);
    this.#stamp = new Int32Array(this.#pixels);
    this.#distance = new Int32Array(this.#pixels);
    this.#queued = new Uint8Array(this.#pixels);
    this.#active = new Int32Array(this.#pixels);
  }

  run(): void {
    for (let pixel = 0; pixel < this.#pixels; pixel++) {
      if (this.#lean[pixel] === 0) continue;
      this.#tree[pixel] = this.#lean[pixel]! > 0 ? SOURCE : SINK;
      this.#parent[pixel] = TERMINAL;
      this.#distance[pixel] = 1;
      this.#activate(pixel);
    }
    for (let pixel = this.#next(); pixel >= 0; pixel = this.#next()) {
      // A pixel stays at work until nothing more can be reached from it.
      for (let direction = this.#grow(pixel); direction >= 0; direction = this.#grow(pixel)) {
        this.#time++;
        this.#augment(pixel, direction);
        for (let orphan = this.#orphans.pop(); orphan !== undefined; orphan = this.#orphans.pop())
          this.#adopt(orphan);
        if (this.#tree[pixel] === FREE) break;
      }
    }
  }

  foreground(): Uint8Array {
    return this.#tree.map((tree) => (tree === SOURCE ? 1 : 0));
  }

  #activate(pixel: number): void {
    if (this.#queued[pixel]) return;
    this.#queued[pixel] = 1;
    this.#active[(this.#head + this.#count) % this.#pixels] = pixel;
    this.#count++;
  }

  #next(): number {
    while (this.#count > 0) {
      const pixel = this.#active[this.#head]!;
      this.#head = (this.#head + 1) % this.#pixels;
      this.#count--;
      this.#queued[pixel] = 0;
      if (this.#tree[pixel] !== FREE) return pixel;
    }
    return -1;
  }

  /** What may flow along the tree between a pixel and its neighbour, away from the source, towards the sink. */
  #roomTowards(pixel: number, direction: number, tree: number): number {
    if (tree === SOURCE) return this.#room[direction]![pixel]!;
    return this.#room[opposite(direction)]![pixel + this.#offset[direction]!]!;
  }

  /** Adds free neighbours to the tree. @returns the direction in which it meets the other tree, or −1 */
  #grow(pixel: number): number {
    const tree = this.#tree[pixel]!;
    for (let direction = 0; direction < 8; direction++) {
      const other = pixel + this.#offset[direction]!;
      if (!this.#isInside(other) || this.#roomTowards(pixel, direction, tree) <= 0) continue;
      if (this.#tree[other] === FREE) {
        this.#tree[other] = tree;
        this.#parent[other] = opposite(direction);
        this.#stamp[other] = this.#stamp[pixel]!;
        this.#distance[other] = this.#distance[pixel]! + 1;
        this.#activate(other);
      } else if (this.#tree[other] !== tree) {
        return direction;
      }
    }
    return -1;
  }

  /** Rooms towards the outside of the picture are 0, but the place there may not exist at all. */
  #isInside(pixel: number): boolean {
    return pixel >= 0 && pixel < this.#pixels;
  }

  #augment(pixel: number, direction: number): void {
    const [from, to, along] =
      this.#tree[pixel] === SOURCE
        ? [pixel, pixel + this.#offset[direction]!, direction]
        : [pixel + this.#offset[direction]!, pixel, opposite(direction)];
    const amount = Math.min(this.#room[along]![from]!, this.#narrowest(from), this.#narrowest(to));
    this.#move(from, along, to, amount);
    this.#pushToRoot(from, amount);
    this.#pushToRoot(to, amount);
  }

  #move(from: number, direction: number, to: number, amount: number): void {
    this.#room[direction]![from]! -= amount;
    this.#room[opposite(direction)]![to]! += amount;
  }

  #narrowest(start: number): number {
    const tree = this.#tree[start]!;
    let [pixel, least] = [start, Number.POSITIVE_INFINITY];
    while (this.#parent[pixel] !== TERMINAL) {
      const direction = this.#parent[pixel]!;
      const other = pixel + this.#offset[direction]!;
      least = Math.min(least, this.#roomTowards(other, opposite(direction), tree));
      pixel = other;
    }
    return Math.min(least, Math.abs(this.#lean[pixel]!));
  }

  #pushToRoot(start: number, amount: number): void {
    const tree = this.#tree[start]!;
    let pixel = start;
    while (this.#parent[pixel] !== TERMINAL) {
      const direction = this.#parent[pixel]!;
      const other = pixel + this.#offset[direction]!;
      if (tree === SOURCE) this.#move(other, opposite(direction), pixel, amount);
      else this.#move(pixel, direction, other, amount);
      if (this.#roomTowards(other, opposite(direction), tree) <= 0) this.#orphan(pixel);
      pixel = other;
    }
    this.#lean[pixel]! += tree === SOURCE ? -amount : amount;
    if (this.#lean[pixel] === 0) this.#orphan(pixel);
  }

  #orphan(pixel: number): void {
    this.#parent[pixel] = ORPHAN;
    this.#orphans.push(pixel);
  }

  /** Finds a new parent with a way to the root, or lets the pixel and its children go free. */
  #adopt(orphan: number): void {
    const tree = this.#tree[orphan]!;
    let [best, nearest] = [NONE, FAR];
    for (let direction = 0; direction < 8; direction++) {
      const other = orphan + this.#offset[direction]!;
      if (!this.#isInside(other) || this.#tree[other] !== tree) continue;
      if (this.#roomTowards(other, opposite(direction), tree) <= 0) continue;
      const distance = this.#distanceToRoot(other);
      if (distance < nearest) [best, nearest] = [direction, distance];
    }
    this.#parent[orphan] = best;
    if (best !== NONE) {
      this.#stamp[orphan] = this.#time;
      this.#distance[orphan] = nearest + 1;
    } else this.#release(orphan, tree);
  }

  #release(orphan: number, tree: number): void {
    for (let direction = 0; direction < 8; direction++) {
      const other = orphan + this.#offset[direction]!;
      if (!this.#isInside(other) || this.#tree[other] !== tree) continue;
      if (this.#roomTowards(other, opposite(direction), tree) > 0) this.#activate(other);
      if (this.#parent[other] === opposite(direction)) this.#orphan(other);
    }
    this.#tree[orphan] = FREE;
  }

  /** Steps to the root, marked on the way so that the next question is short. */
  #distanceToRoot(start: number): number {
    let [pixel, steps] = [start, 0];
    while (this.#stamp[pixel] !== this.#time) {
      const direction = this.#parent[pixel]!;
      if (direction >= ORPHAN) return FAR;
      if (direction === TERMINAL) {
        this.#stamp[pixel] = this.#time;
        this.#distance[pixel] = 1;
        break;
      }
      steps++;
      pixel += this.#offset[direction]!;
    }
    steps += this.#distance[pixel]!;
    let left = steps;
    for (let at = start; this.#stamp[at] !== this.#time; at += this.#offset[this.#parent[at]!]!) {
      this.#stamp[at] = this.#time;
      this.#distance[at] = left--;
    }
    return steps;
  }
}

/** Both directions of every cut; nothing flows out of the picture. */
function roomOf({ width, height, cut }: Omit<GridCosts, 'lean'>, offsets: readonly number[]): Float32Array[] {
  const room = STEPS.map(() => new Float32Array(width * height));
  for (let direction = 0; direction < 4; direction++) {
    const [across, down] = STEPS[direction]!;
    for (let y = 0; y < height - down; y++) {
      for (let x = Math.max(0, -across); x < width - Math.max(0, across); x++) {
        const pixel = y * width + x;
        room[direction]![pixel] = cut[direction]![pixel]!;
        room[direction + 4]![pixel + offsets[direction]!] = cut[direction]![pixel]!;
      }
    }
  }
  return room;
}
