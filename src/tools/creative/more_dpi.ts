import { SHEET_SIDE_MM_MIN, UPSCALE_OUTPUT_PIXELS_MAX } from './limits.ts';
import { largestPaperIn, type Sides } from './paper_sizes.ts';
import type { Mend } from './preflight_mends.ts';
import { UPSCALE_MODELS } from './upscale_models.ts';

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
 * Ways to enough pixels: enlargements that reach the sheet that was asked for, the fewest steps first, then a smaller sheet the picture
 * is enough for.
 */
export function moreDpi(soft: Soft): Mend[] {
  const smaller = smallerSheet(soft);
  return [...enlargements(soft), ...(smaller ? [smaller] : [])];
}

/** By one network, else by one after the other. */
function enlargements({ dpi, good, picture }: Soft): Mend[] {
  const scales = [...new Set(Object.values(UPSCALE_MODELS).map(({ scale }) => scale as number))].sort();
  const chains = [...scales.map((scale) => [scale]), ...scales.map((scale) => [scales.at(-1)!, scale])];
  const fitting = chains.filter((chain) => {
    const factor = factorOf(chain);
    return dpi * factor >= good && picture.width * picture.height * factor ** 2 <= UPSCALE_OUTPUT_PIXELS_MAX;
  });
  const fewest = fitting[0]?.length;
  return fitting
    .filter(({ length }) => length === fewest)
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
