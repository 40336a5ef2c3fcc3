import { encode } from 'uqr';
import type { Rgba } from '../color/css_color.ts';
import { EngineError } from '../errors/engine_error.ts';
import type { DrawnLayer } from './layer.ts';
import { QR_BYTES_MAX } from './limits.ts';

export const QR_LEVELS = ['L', 'M', 'Q', 'H'] as const;

/** A QR code on a canvas. Lengths in px. */
export interface QrRequest {
  readonly text: string;
  /** Side of the square including the quiet zone, and its position. */
  readonly x: number;
  readonly y: number;
  readonly width: number;
  /** Error correction: 7, 15, 25 or 30 % may be damaged. Default: M, raised if that needs no larger symbol. */
  readonly level?: (typeof QR_LEVELS)[number] | undefined;
  /** Modules around the code. Default: 4, as the standard requires. */
  readonly quietZone?: number | undefined;
  readonly color?: Rgba | undefined;
  readonly background?: Rgba | undefined;
  /** 0 to 1. */
  readonly opacity?: number | undefined;
}

export interface DrawnQr extends DrawnLayer {
  readonly facts: {
    readonly box: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
    /** 1 to 40. */
    readonly version: number;
    /** Modules per side, without the quiet zone. */
    readonly modules: number;
    readonly modulePx: number;
    /** Reasons why scanners may fail, as messages. */
    readonly warnings: readonly string[];
  };
}

const BLACK: Rgba = [0, 0, 0, 1];
const WHITE: Rgba = [1, 1, 1, 1];
const QUIET_ZONE = 4;
/** Scanners fail below this WCAG contrast ratio. */
export const CONTRAST_MIN = 3;
/** Screens and printers blur smaller modules. */
const MODULE_PX_MIN = 2;

/** A code on the canvas: its modules and their position. */
export interface QrPlan {
  /** Rows of modules; true is dark. */
  readonly rows: readonly (readonly boolean[])[];
  /** Distance from the edge of the box to the first module, px. */
  readonly margin: number;
  readonly modulePx: number;
  readonly color: Rgba;
  readonly background: Rgba;
  readonly facts: DrawnQr['facts'];
}

/**
 * Plans a QR code with a whole number of pixels per module; the remaining width becomes quiet zone.
 * @throws EngineError invalid_input: text too long, or less than one pixel per module
 */
export function planQr({ text, x, y, width: sentWidth, ...wish }: QrRequest): QrPlan {
  const { quietZone = QUIET_ZONE, color = BLACK, background = WHITE } = wish;
  const code = encodeText(text, wish.level ?? 'M');
  const width = Math.round(sentWidth);
  const modulePx = Math.floor(width / (code.size + 2 * quietZone));
  if (modulePx < 1)
    throw new EngineError(
      'invalid_input',
      `A QR code of this text needs a width of ${code.size + 2 * quietZone} px or more; ${width} px was sent.`,
    );
  return {
    rows: code.data,
    margin: Math.floor((width - modulePx * code.size) / 2),
    modulePx,
    color,
    background,
    facts: {
      box: { x: Math.round(x), y: Math.round(y), width, height: width },
      version: code.version,
      modules: code.size,
      modulePx,
      warnings: warningsOf({ color, background, modulePx, quietZone }),
    },
  };
}

/** Draws a QR code with a whole number of pixels per module. @throws EngineError invalid_input, as `planQr` */
export function drawQr(wish: QrRequest, plan = planQr(wish)): DrawnQr {
  const { rows, margin, modulePx, color, background, facts } = plan;
  const { opacity = 1 } = wish;
  const { x: left, y: top, width } = facts.box;
  const data = new Uint8Array(4 * width * width);
  const [dark, light] = [bytesOf(color, opacity), bytesOf(background, opacity)];
  for (let row = 0; row < width; row += 1)
    for (let column = 0; column < width; column += 1) {
      const [across, down] = [(column - margin) / modulePx, (row - margin) / modulePx].map(Math.floor) as [
        number,
        number,
      ];
      data.set(rows[down]?.[across] ? dark : light, 4 * (row * width + column));
    }
  return { left, top, raster: { width, height: width, channels: 4, data }, facts };
}

function encodeText(text: string, ecc: (typeof QR_LEVELS)[number]): ReturnType<typeof encode> {
  const bytes = new TextEncoder().encode(text).length;
  if (bytes === 0) throw new EngineError('invalid_input', 'text is empty. Send the text of the code.');
  try {
    return encode(text, { ecc, border: 0, boostEcc: true });
  } catch {
    throw new EngineError(
      'invalid_input',
      `text has ${bytes} bytes, too many for a QR code at level ${ecc}. The limit is ${QR_BYTES_MAX} at level L: send a link instead.`,
    );
  }
}

const bytesOf = ([red, green, blue, alpha]: Rgba, opacity: number): Uint8Array =>
  Uint8Array.from([red, green, blue, alpha * opacity], (value) => Math.round(255 * value));

function warningsOf({
  color,
  background,
  modulePx,
  quietZone,
}: {
  color: Rgba;
  background: Rgba;
  modulePx: number;
  quietZone: number;
}): string[] {
  const [dark, light] = [luminance(color), luminance(background)];
  const contrast = contrastOf(color, background);
  return [
    ...(contrast < CONTRAST_MIN && background[3] > 0.5
      ? [`The contrast of the QR code is ${contrast.toFixed(1)}; scanners need ${CONTRAST_MIN} or more.`]
      : []),
    ...(dark > light && background[3] > 0.5
      ? ['The QR code is light on dark, which some scanners do not read.']
      : []),
    ...(modulePx < MODULE_PX_MIN ? ['A module of the QR code is one pixel. Send a larger width.'] : []),
    ...(quietZone < QUIET_ZONE
      ? [`The quiet zone is ${quietZone} modules; the standard requires ${QUIET_ZONE}.`]
      : []),
  ];
}

/** Contrast ratio of two opaque colours. Source: WCAG 2.2. */
export function contrastOf(color: Rgba, background: Rgba): number {
  const [one, other] = [luminance(color), luminance(background)];
  return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
}

/** Relative luminance. Source: WCAG 2.2. */
function luminance([red, green, blue]: Rgba): number {
  const [r, g, b] = [red, green, blue].map((value) =>
    value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4,
  ) as [number, number, number];
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}
