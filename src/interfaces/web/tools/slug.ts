import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { creditsLabel } from '../frame.ts';
import { bytesLabel } from '../labels.ts';
import { tookText, typeText } from './words.ts';

/** Fields of a tool result that pages show, each optional. */
export interface Made {
  readonly engine?: { readonly name: string };
  readonly degraded?: boolean;
  readonly degraded_reason?: string;
  readonly content_type?: string;
  readonly size_bytes?: number;
  readonly width?: number;
  readonly height?: number;
  /** File name of the download. */
  readonly name?: string;
  readonly result?: string;
  readonly result_url?: string;
  readonly metadata?: unknown;
  readonly quality?: unknown;
  readonly cost?: { readonly credit: number };
  readonly warnings?: readonly string[];
  readonly looked_at?: string;
}

/** Facts of a result in one line, in a fixed order. @param seconds duration of the run; undefined if not measured */
export function slugHtml(made: Made, seconds: number | undefined): Html {
  const { engine, content_type: type, cost, degraded_reason: reason } = made;
  const { kept, dropped } = carried(made.metadata);
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Engine', engine?.name],
    ['Duration', seconds === undefined ? undefined : tookText(seconds)],
    ['Cost', cost && (cost.credit === 0 ? 'free' : creditsLabel(cost.credit))],
    ['File', type && fileText(made, type)],
    ['Read', made.looked_at],
    ['Metadata kept', kept],
    ['Metadata removed', dropped],
    ['Quality', qualityText(made.quality)],
  ];
  return html`${made.degraded && reason ? html`<p class="small degraded"><b class="warn">Lower quality:</b> ${reason}</p>` : ''}
<dl class="slug">${facts.map(([name, value]) => (value ? html`<div><dt>${name}</dt><dd>${value}</dd></div>` : ''))}</dl>
${(made.warnings ?? []).map((warning) => html`<p class="small quiet">${warning}</p>`)}`;
}

const fileText = ({ size_bytes: size, width, height }: Made, type: string): string =>
  [
    typeText(type),
    ...(width !== undefined && height !== undefined ? [`${width} × ${height}`] : []),
    ...(size === undefined ? [] : [bytesLabel(size)]),
  ].join(', ');

/** Names of metadata kept and removed; empty if the tool does not report them. */
function carried(metadata: unknown): { kept?: string; dropped?: string } {
  const { kept, dropped } = (metadata ?? {}) as { kept?: unknown; dropped?: unknown };
  if (!Array.isArray(kept) || !Array.isArray(dropped)) return {};
  const names = (list: readonly unknown[]) => list.map(String).map(nameOf).join(', ') || 'nothing';
  return { kept: names(kept), dropped: names(dropped.map(({ what }: { what: unknown }) => what)) };
}

const NAMES: Readonly<Record<string, string>> = {
  icc: 'colour profile',
  xmp: 'XMP',
  iptc_iim: 'IPTC',
  exif: 'Exif',
  'exif.location': 'GPS position',
  gain_map: 'gain map',
  c2pa: 'C2PA manifest',
};
const nameOf = (what: string): string => NAMES[what] ?? what.replaceAll('_', ' ');

function qualityText(quality: unknown): string | undefined {
  if (typeof quality === 'number') return String(quality);
  if (typeof quality !== 'object' || quality === null) return undefined;
  const {
    psnr_db: psnr,
    ssim,
    delta_e00_mean: delta,
    uncertain_percent: unsure,
  } = quality as Record<string, number | undefined>;
  const facts = [
    psnr === undefined ? '' : psnr >= 99 ? 'identical' : `PSNR ${psnr.toFixed(1)} dB`,
    ssim === undefined ? '' : `SSIM ${ssim.toFixed(3)}`,
    delta === undefined ? '' : `ΔE00 ${delta}`,
    unsure === undefined ? '' : `${unsure}% uncertain`,
  ].filter(Boolean);
  return facts.join(', ') || undefined;
}
