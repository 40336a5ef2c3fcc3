import { SHEET_SIDE_MM_MIN } from '../../definitions/tool_limits.ts';
import { largestOf, reachOf, SCALES } from '../../images/tools/upscale_plan.ts';
import { largestPaperIn, type Sides } from './paper_sizes.ts';
import type { Mend } from './preflight_mends.ts';

/** A paper with a name is offered where it has at least this part of what could be printed; else the sheet of that very size. */
const NAMED_SHARE_MIN = 0.5;

interface Soft {
  /** What the picture brings on the sheet that was asked for, and what would be good. */
  readonly dpi: number;
  readonly good: number;
  readonly trimMm: Sides;
  /** Pixels of the art. */
  readonly picture: Sides;
}

/**
 * Ways to enough pixels: enlargements that reach the sheet that was asked for, the least first, then a smaller sheet the picture
 * is enough for.
 */
export function moreDpi(soft: Soft): Mend[] {
  const smaller = smallerSheet(soft);
  return [...enlargements(soft), ...(smaller ? [smaller] : [])];
}

/** The largest of two calls, one after the other: each may enlarge four times by one network. */
const TWICE = [4, 4];
/** Offers of one kind that are worth reading. */
const OFFERED = 2;

/** By one call, the least that is enough and the next; else by two. */
function enlargements({ dpi, good, picture }: Soft): Mend[] {
  const fitting = [...SCALES.map((scale) => [scale]), TWICE].filter((chain) => {
    const [before, last] = [chain.slice(0, -1), chain.at(-1)!];
    const made = factorOf(before) * reachOf({ scale: last }).reach;
    const isSmall = picture.width * picture.height * made ** 2 <= largestOf({ scale: last });
    return dpi * factorOf(chain) >= good && isSmall;
  });
  return fitting
    .filter(({ length }) => length === fitting[0]!.length)
    .slice(0, OFFERED)
    .map((chain) => ({
      action: `Enlarge it ${chain.map((scale) => `${scale}×`).join(', then ')}, and make this sheet of it`,
      why: `${Math.round(dpi * factorOf(chain))} dpi`,
      steps: [
        ...chain.map((scale) => ({ tool: 'upscale_image', params: { scale } })),
        { tool: 'print_ready', params: {} },
      ],
    }));
}

const factorOf = (chain: readonly number[]): number => chain.reduce((factor, scale) => factor * scale, 1);

function smallerSheet({ dpi, good, trimMm }: Soft): Mend | undefined {
  const largest = {
    width: Math.floor((trimMm.width * dpi) / good),
    height: Math.floor((trimMm.height * dpi) / good),
  };
  if (Math.min(largest.width, largest.height) < SHEET_SIDE_MM_MIN) return undefined;
  const paper = largestPaperIn(largest);
  const isNamed = paper && paper.width * paper.height >= NAMED_SHARE_MIN * largest.width * largest.height;
  const { width, height } = isNamed ? paper : largest;
  const sides = `${width} × ${height} mm`;
  const name = isNamed && !paper.name.includes('×') ? `${paper.name} (${sides})` : sides;
  return {
    action: `Print it smaller, on ${name}`,
    why: `at least ${Math.round(good)} dpi`,
    steps: [
      {
        tool: 'print_ready',
        params: { product_size: 'custom', custom_width_mm: width, custom_height_mm: height },
      },
    ],
  };
}
