import { INK_TOLERANCE, type InkLimit } from '@atelier/imaging/print/ink_limit.ts';
import { z } from 'zod';
import { creditsText, type NextStep, nextSteps, priceText } from '../../../catalog/next_steps.ts';
import type { CatalogueIndex } from '../../../catalog/types.ts';
import type { SourceImage } from '../../../core/workers/types.ts';
import type { Results } from '../../assets/results/results.ts';
import { highestPrice } from '../../definitions/price.ts';
import { SHEET_SIDE_MM_MIN } from '../../definitions/tool_limits.ts';
import { largestOf, reachOf, SCALES } from '../../images/tools/upscale_plan.ts';
import { inkLimitAnswer, inkLimitOf } from './ink_limit_answer.ts';

/** Sides in mm. */
interface Sides {
  readonly width: number;
  readonly height: number;
}

/** Common paper sizes, portrait, in millimetres. Sources: ISO 216; ANSI/ASME Y14.1; usual print sizes of photo labs. */
const PAPERS: readonly (Sides & { readonly name: string })[] = [
  { name: 'A2', width: 420, height: 594 },
  { name: 'A3', width: 297, height: 420 },
  { name: 'tabloid', width: 279.4, height: 431.8 },
  { name: 'A4', width: 210, height: 297 },
  { name: 'letter', width: 215.9, height: 279.4 },
  { name: 'A5', width: 148, height: 210 },
  { name: 'half letter', width: 139.7, height: 215.9 },
  { name: '13 × 18 cm', width: 130, height: 180 },
  { name: '10 × 15 cm', width: 100, height: 150 },
  { name: 'A6', width: 105, height: 148 },
  { name: '9 × 13 cm', width: 90, height: 130 },
  { name: 'A7', width: 74, height: 105 },
];

/** The largest paper size that fits into a sheet, in the orientation of the sheet. */
export function largestPaperIn({ width, height }: Sides): (Sides & { readonly name: string }) | undefined {
  const isWide = width > height;
  return PAPERS.map(({ name, ...paper }) =>
    isWide ? { name, width: paper.height, height: paper.width } : { name, ...paper },
  )
    .filter((paper) => paper.width <= width && paper.height <= height)
    .toSorted((one, other) => other.width * other.height - one.width * one.height)[0];
}

/** A named paper size is offered if it covers at least this share of the printable area; otherwise the exact size is. */
const NAMED_SHARE_MIN = 0.5;

interface Soft {
  /** Resolution of the image on the requested sheet, and the recommended resolution. */
  readonly dpi: number;
  readonly good: number;
  readonly trimMm: Sides;
  /** Size of the art in pixels. */
  readonly picture: Sides;
}

/** Ways to reach the resolution: upscaling for the requested sheet, smallest factor first, then a smaller sheet. */
function moreDpi(soft: Soft): Mend[] {
  const smaller = smallerSheet(soft);
  return [...enlargements(soft), ...(smaller ? [smaller] : [])];
}

/** Maximum factors of two consecutive calls, because one model enlarges at most ×4. */
const TWICE = [4, 4];
/** Number of suggestions of one kind. */
const OFFERED = 2;

/** One call with the smallest sufficient factor, and one with the next; otherwise two calls. */
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
      action: `Enlarge it ${chain.map((scale) => `${scale}×`).join(', then ')}, then repeat print_ready`,
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

const statusField = z.enum(['pass', 'warn', 'fail']);
type Status = z.output<typeof statusField>;

const mendAnswer = z.object({
  action: z.string(),
  cost: z.string(),
  gives: z.string(),
  endpoint: z.string(),
  params: z.record(z.string(), z.unknown()).describe('Body of the call, ready to be sent.'),
});

export const preflightAnswer = z.object({
  verdict: statusField.describe('The worst of all checks.'),
  summary: z.string(),
  effective_dpi: z.number().min(0).max(1e6).optional().describe('At this size. Absent: vectors.'),
  total_ink_percent: z.number().min(0).max(400).describe('In the darkest parts, of 400.'),
  mean_ink_percent: z.number().min(0).max(400),
  ink_limit: inkLimitAnswer,
  out_of_gamut_share: z.number().min(0).max(1).describe('Colours the inks miss plainly.'),
  thin_detail_share: z.number().min(0).max(1),
  checks: z.array(
    z.object({
      check: z.enum(['resolution', 'ink', 'gamut', 'bleed', 'detail', 'crop', 'transparency']),
      status: statusField,
      message: z.string(),
      mend: mendAnswer.optional().describe('The cheapest call that mends it.'),
      other_mends: z.array(mendAnswer).optional().describe('Other ways; a smaller sheet comes last.'),
    }),
  ),
});
export type Preflight = z.output<typeof preflightAnswer>;
type Check = Preflight['checks'][number];

/** A finding before prices are looked up. */
interface Finding {
  readonly check: Check['check'];
  readonly status: Status;
  readonly message: string;
  /** Best first. */
  readonly mends?: readonly Mend[];
}

/** Resolutions in dpi: for sheets viewed at reading distance, and for those viewed from a few steps away. */
const NEAR = { good: 225, least: 150 };
const FAR = { good: 150, least: 100 };
const FAR_FROM_MM = 594;

const GAMUT_SHARE_GOOD = 0.02;
const BLEED_MM_GOOD = 3;
const THIN_SHARE_GOOD = 0.001;
const KEPT_SHARE_GOOD = 0.9;

/** The engine's report on a sheet. Lengths in millimetres, shares from 0 to 1. */
export interface PrintedSheet {
  readonly plan: {
    readonly trimMm: Size;
    readonly bleedMm: number;
    readonly dpi: number;
    /** Pixels of trim and bleed. */
    readonly sheet: Size;
    readonly effectiveDpi: number;
    readonly keptShare: number;
    /** Bleed filled by the image itself, horizontally and vertically. */
    readonly pictureBleedMm: { readonly x: number; readonly y: number };
    readonly fit: 'cover' | 'contain';
  };
  readonly inks: {
    readonly inkMaxPercent: number;
    readonly originalMaxPercent: number;
    readonly limit: InkLimit;
    readonly inkMeanPercent: number;
    readonly outOfGamutShare: number;
    readonly thinShare: number;
  };
  /** Size of the art in pixels. */
  readonly picture: Size;
  readonly hasTransparency: boolean;
  /** Text and vectors were preserved: findings of the preflight of the file. */
  readonly live?: { readonly findings: readonly { readonly rule: string; readonly message: string }[] };
}
type Size = { readonly width: number; readonly height: number };

interface PreflightOptions {
  readonly catalogue: Pick<CatalogueIndex, 'find'>;
  readonly results: Pick<Results, 'keep'>;
  /** The art as sent. */
  readonly image: SourceImage;
  /** All other fields of the call. */
  readonly wanted: Record<string, unknown>;
  /** Further images of a layout, as sent. */
  readonly images?: readonly SourceImage[];
}

/**
 * Checks a sheet as a printer would and suggests the cheapest fix for each fault. If there is one, the art is stored for a day, so that the
 * suggestion is callable as is.
 */
export async function preflight(
  printed: PrintedSheet,
  { catalogue, results, image, wanted: sent, images = [] }: PreflightOptions,
): Promise<Preflight> {
  const { plan, inks } = printed;
  const findings = LOOKS.flatMap((look) => look(printed) ?? []);
  const isMendable = findings.some(({ mends = [] }) => mends.length > 0);
  const handle = isMendable ? (await results.keep(image.bytes, `image/${image.format}`)).handle : '';
  const wanted = isMendable ? await withHandles(sent, images, results) : sent;
  const checks = findings.map((finding) => checkOf(finding, { catalogue, handle, wanted }));
  const verdict = worst(checks);
  const faults = checks.filter(({ status }) => status !== 'pass');
  return {
    verdict,
    summary: faults.length === 0 ? 'Ready for the printer.' : faults.map(sentence).join(' '),
    ...(!printed.live && { effective_dpi: round(plan.effectiveDpi, 1) }),
    total_ink_percent: round(inks.inkMaxPercent, 1),
    mean_ink_percent: round(inks.inkMeanPercent, 1),
    ink_limit: inkLimitOf(inks.limit),
    out_of_gamut_share: round(inks.outOfGamutShare, 4),
    thin_detail_share: round(inks.thinShare, 4),
    checks,
  };
}

/** The call with handles for the images of its layout. */
async function withHandles(
  { layout, ...wanted }: Record<string, unknown>,
  images: readonly SourceImage[],
  results: Pick<Results, 'keep'>,
): Promise<Record<string, unknown>> {
  if (layout === undefined || images.length === 0)
    return { ...wanted, ...(layout !== undefined && { layout }) };
  const kept = await Promise.all(images.map(({ bytes, format }) => results.keep(bytes, `image/${format}`)));
  return { ...wanted, layout: { ...(layout as object), images: kept.map(({ handle }) => handle) } };
}

function checkOf({ mends = [], ...finding }: Finding, asked: PreflightMendsAsked): Check {
  const [mend, ...others] = mends.flatMap((way) => {
    const call = callOf(way, asked);
    return call ? [{ ...call, gives: way.why }] : [];
  });
  return {
    ...finding,
    ...(mend && { mend: sentAs(mend) }),
    ...(others.length > 0 && { other_mends: others.map(sentAs) }),
  };
}

/** Resolution findings for a sheet before it is made, with calls that fix them. */
export const foreseeResolution = (
  sheet: {
    readonly plan: Pick<PrintedSheet['plan'], 'trimMm' | 'dpi' | 'effectiveDpi'>;
    readonly picture: Size;
  },
  asked: PreflightMendsAsked,
): Check => checkOf(resolution(sheet), asked);

const sentAs = ({ action, cost, gives, endpoint, params = {} }: NextStep & { gives: string }) => ({
  action,
  cost,
  gives,
  endpoint,
  params,
});

const sentence = ({ message, mend }: Check): string =>
  mend ? `${message} ${mend.action}, ${mend.cost} → ${mend.gives}.` : message;

/** Resolution findings for live content: vectors have none, but embedded images do. */
function liveResolution({ live }: Pick<PrintedSheet, 'live'>): Finding | undefined {
  const soft = live?.findings.find(({ rule }) => /_dpi$/.test(rule));
  if (soft)
    return {
      check: 'resolution',
      status: soft.rule === 'image_below_150_dpi' ? 'fail' : 'warn',
      message: `Text and vectors are sharp at any size. One of the images: ${soft.message}`,
    };
  return live && { check: 'resolution', status: 'pass', message: 'Text and vectors are sharp at any size.' };
}

function resolution({
  plan,
  picture,
  live,
}: Parameters<typeof foreseeResolution>[0] & Pick<PrintedSheet, 'live'>): Finding {
  if (live) return liveResolution({ live })!;
  const { trimMm, effectiveDpi } = plan;
  const isFar = Math.max(trimMm.width, trimMm.height) >= FAR_FROM_MM;
  const bounds = isFar ? FAR : NEAR;
  const good = Math.min(bounds.good, plan.dpi);
  const least = Math.min(bounds.least, (plan.dpi * 2) / 3);
  const dpi = Math.round(effectiveDpi);
  const distance = isFar ? 'viewed from a distance' : 'viewed at reading distance';
  if (effectiveDpi >= good)
    return { check: 'resolution', status: 'pass', message: `${dpi} dpi is enough for a sheet ${distance}.` };
  const status = effectiveDpi >= least ? 'warn' : 'fail';
  const message =
    status === 'warn'
      ? `${dpi} dpi is a little soft for a sheet ${distance}; ${Math.round(good)} dpi is recommended.`
      : `${dpi} dpi will look blurred on a sheet ${distance}; it needs at least ${Math.round(least)} dpi, and ${Math.round(good)} dpi is recommended.`;
  const mends = moreDpi({ dpi: effectiveDpi, good, trimMm, picture });
  return { check: 'resolution', status, message, mends };
}

function ink({ inks, live }: PrintedSheet): Finding {
  const { limit } = inks;
  const percent = Math.round(inks.inkMaxPercent);
  const found = Math.round(inks.originalMaxPercent);
  if (percent <= limit.percent + INK_TOLERANCE) {
    const reduced =
      found > limit.percent + INK_TOLERANCE ? ` It was ${found} % and was reduced to the limit.` : '';
    return {
      check: 'ink',
      status: 'pass',
      message: `The maximum total area coverage is ${percent} %, within the ${limit.percent} % that ${limit.condition} allows.${reduced}`,
    };
  }
  const status = percent <= limit.errorAbovePercent ? 'warn' : 'fail';
  const message = `The maximum total area coverage is ${percent} %. Above the ${limit.percent} % that ${limit.condition} allows, ink may not dry and may set off on the next sheet.`;
  // Pixels are reduced to the limit, so the excess is in live CMYK content.
  return {
    check: 'ink',
    status,
    message: live ? `${message} preflight_file with fix reduces the ink of a PDF.` : message,
  };
}

function gamut({ inks }: PrintedSheet): Finding {
  const percent = round(100 * inks.outOfGamutShare, 1);
  if (inks.outOfGamutShare <= GAMUT_SHARE_GOOD)
    return {
      check: 'gamut',
      status: 'pass',
      message: 'The colours of the image are within the gamut of the inks.',
    };
  return {
    check: 'gamut',
    status: 'warn',
    message: `${percent} % of the sheet has colours outside the gamut of the inks; they will look duller.`,
    mends: [
      {
        action: 'Check it with soft_proof',
        why: 'a preview of the printed colours',
        steps: [{ tool: 'convert_color_profile', params: { soft_proof: true } }],
      },
    ],
  };
}

function bleed({ plan }: PrintedSheet): Finding {
  const { bleedMm, pictureBleedMm } = plan;
  const mends = [
    {
      action: `Send bleed_mm ${BLEED_MM_GOOD}`,
      why: `${BLEED_MM_GOOD} mm bleed`,
      steps: [{ tool: 'print_ready', params: { bleed_mm: BLEED_MM_GOOD } }],
    },
  ];
  if (bleedMm === 0)
    return {
      check: 'bleed',
      status: 'warn',
      message: 'Without bleed, an inaccurate cut leaves a white edge.',
      mends,
    };
  const mirrored = bleedMm - Math.min(pictureBleedMm.x, pictureBleedMm.y);
  const source =
    plan.fit === 'contain'
      ? 'bare paper, because the image is placed whole'
      : mirrored > 0.05
        ? 'the mirror image of the edge where the image ends'
        : 'the image itself';
  const message = `${bleedMm} mm bleed, filled with ${source}.`;
  if (bleedMm >= BLEED_MM_GOOD) return { check: 'bleed', status: 'pass', message };
  return {
    check: 'bleed',
    status: 'warn',
    message: `${message} Most printers require ${BLEED_MM_GOOD} mm.`,
    mends,
  };
}

function detail({ inks }: PrintedSheet): Finding {
  if (inks.thinShare <= THIN_SHARE_GOOD)
    return { check: 'detail', status: 'pass', message: 'No lines or dots too thin to print.' };
  return {
    check: 'detail',
    status: 'warn',
    message: `${round(100 * inks.thinShare, 1)} % of the sheet is lines or dots thinner than half a point, which may break up or fill in.`,
  };
}

function crop({ plan }: PrintedSheet): Finding | undefined {
  if (plan.keptShare >= KEPT_SHARE_GOOD) return undefined;
  return {
    check: 'crop',
    status: 'warn',
    message: `${Math.round(100 * (1 - plan.keptShare))} % of the image is cropped to fill the sheet.`,
    mends: [
      {
        action: 'Send fit "contain"',
        why: 'the whole image with margins',
        steps: [{ tool: 'print_ready', params: { fit: 'contain' } }],
      },
    ],
  };
}

function transparency({ hasTransparency, live }: PrintedSheet): Finding | undefined {
  if (!hasTransparency || live) return undefined;
  return {
    check: 'transparency',
    status: 'warn',
    message: 'Transparent parts of the image stay bare paper.',
  };
}

const LOOKS: readonly ((printed: PrintedSheet) => Finding | undefined)[] = [
  resolution,
  ink,
  gamut,
  bleed,
  detail,
  crop,
  transparency,
];

const SEVERITY: readonly Status[] = ['pass', 'warn', 'fail'];
const worst = (checks: readonly Check[]): Status =>
  SEVERITY[Math.max(...checks.map(({ status }) => SEVERITY.indexOf(status)))]!;

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;

/** A fix for a fault of a sheet: one call, or a recipe of several. */
interface Mend {
  readonly action: string;
  /** Effect of the fix. */
  readonly why: string;
  /** Each step works on the result of the one before. `print_ready` takes the original request with these fields replaced. */
  readonly steps: readonly { readonly tool: string; readonly params: Record<string, unknown> }[];
}

interface PreflightMendsAsked {
  readonly catalogue: Pick<CatalogueIndex, 'find'>;
  /** Handle of the stored art. */
  readonly handle: string;
  /** Parameters of the original request. */
  readonly wanted: Record<string, unknown>;
}

/** The fix as a callable next step; undefined where this server does not offer the tool. */
function callOf(mend: Mend, { catalogue, handle, wanted }: PreflightMendsAsked): NextStep | undefined {
  const steps = mend.steps.map(({ tool, params }, at) => ({
    tool,
    params: {
      image: at === 0 ? handle : `$step_${at}`,
      ...(tool === 'print_ready' ? wanted : {}),
      ...params,
    },
  }));
  const [first] = steps;
  const call = steps.length === 1 ? first! : { tool: 'run_recipe', params: { steps } };
  const [step] = nextSteps(catalogue as CatalogueIndex, [{ ...mend, ...call }]);
  return step && { ...step, cost: costOf(mend, catalogue) };
}

function costOf({ steps }: Mend, catalogue: PreflightMendsAsked['catalogue']): string {
  const prices = steps.flatMap(({ tool }) => catalogue.find(tool)?.price ?? []);
  const sum = prices.reduce((credits, price) => credits + highestPrice(price), 0);
  return prices.length === 1 ? priceText(prices[0]!) : sum === 0 ? 'free' : creditsText(sum);
}
