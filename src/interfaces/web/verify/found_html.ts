import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { LAYER_NAMES } from '../../../features/provenance/tools/ai_marks_answer.ts';
import { type GridWork, gridWork } from '../collection/work_grid.ts';
import { linkedText } from '../feeds/linked_text.ts';
import { bytesLabel, momentLabel } from '../labels.ts';
import { ledger } from '../ledger.ts';
import { addressHere, json } from '../tools/result_html.ts';
import { typeText } from '../tools/words.ts';
import type { Visit } from '../types.ts';
import type { Checked } from './check_picture.ts';
import {
  beliefOf,
  CODEX_STATES,
  type Codex,
  type Difference,
  describeCodex,
  describeDifference,
  describeMatch,
  describePolicy,
  differs,
  type EvidenceRow,
  FINDINGS,
  LAWS,
  NO_TRACE,
  outcomeOf,
  percentOf,
  saysOf,
  sureOf,
  sureOfWhisper,
  type Verification,
  WITNESSES,
} from './words.ts';

/** Further matches shown; the JSON lists up to 100. */
const MATCHES_SHOWN_MAX = 12;
/** Longer side, in px, of the drawing with the position of a copy. */
const PLACE_SIDE_PX = 600;
/** Characters shown of an untrusted text. */
const STRANGERS_CHARACTERS_MAX = 300;

/** The best matching known work, shown beside the image. */
type WorkBeside = GridWork;

type Match = Verification['matches'][number];

async function workBeside({ matches: [best] }: Verification, visit: Visit): Promise<WorkBeside | undefined> {
  return best?.kind === 'work' ? findWork(best, visit) : undefined;
}

/** A known work may be missing from the published dataset release. */
async function findWork({ credit_id: id }: Match, { studio }: Visit): Promise<GridWork | undefined> {
  const { artworks } = studio.context.services;
  try {
    return gridWork((await artworks.find(id)).record, artworks);
  } catch (error) {
    if (error instanceof AtelierError && error.code === 'artwork_not_found') return undefined;
    throw error;
  }
}

const FOUND_BY: Record<Match['found_by'], string> = {
  file: 'identical file',
  picture: 'visual similarity',
  windows: 'visual similarity of parts',
  watermark: 'a watermark',
  metadata: 'embedded metadata',
};

/** Further matches; empty if there is only one. */
async function matchesSection({ matches, total_matches: total }: Verification, visit: Visit): Promise<Html> {
  const others = matches.slice(1, 1 + MATCHES_SHOWN_MAX);
  if (others.length === 0) return html``;
  const works = await Promise.all(
    others.map((match) => (match.kind === 'work' ? findWork(match, visit) : undefined)),
  );
  const left = total - 1 - others.length;
  return html`<section><div class="head"><h2>Other matches</h2><p class="small quiet">Registrations of the same image come first, oldest first.</p></div>
${ledger(
  ['Claimed title', 'Claimed artist', 'Registered, UTC', 'Found by', 'Confidence'],
  others.map((match, at) => [
    nameOf(match, works[at]),
    stranger(match.artist || 'none'),
    match.registered_at ? momentLabel(match.registered_at) : 'known work',
    FOUND_BY[match.found_by],
    sureOf(match.confidence, match.chance_match),
  ]),
)}
${left > 0 ? html`<p class="small quiet">${left} more matches. The JSON lists up to 100.</p>` : ''}</section>`;
}

function nameOf({ title, credit_id: id }: Match, work: GridWork | undefined): Html {
  const name = stranger(title || id);
  if (!work) return name;
  return html`<span class="row"><img src="${work.thumbnail}" width="48" height="48" alt="" loading="lazy"><a href="/works/${work.id}">${name}</a></span>`;
}

/** Findings in the file itself with their reliability; absent ones are omitted. */
const readSections = (found: Verification, publicUrl: string): Html =>
  html`${mark(found)}${found.codex ? codexSection(found.codex) : ''}${manifests(found, publicUrl)}${policy(found)}`;

function mark({ watermark_authorship: mark }: Verification): Html {
  if (!mark) return html``;
  const rows: readonly (readonly [string, Html | string])[] = [
    ['Reliability', mark.sentence],
    ['Signed by', mark.signed_by ? html`<code>${mark.signed_by}</code>` : 'no verified signer'],
    ['Signed', mark.signed_at ? `${momentLabel(mark.signed_at)} UTC` : ''],
    ['Unchanged since watermarking', shareText(mark)],
  ];
  return html`<section><div class="head"><h2>Watermark</h2><p class="small quiet">Data hidden in the pixels.</p></div>
${rowsOf(rows)}</section>`;
}

const shareText = ({ exact, share }: NonNullable<Verification['watermark_authorship']>): string => {
  if (exact) return 'All pixels are identical to the watermarked image.';
  return share === null ? '' : `${Math.round(share * 100)}% of the visible image.`;
};

const rowsOf = (rows: readonly (readonly [string, Html | string])[]): Html =>
  html`<dl class="rows">${rows.filter(([, value]) => value !== '').map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** Line breaks of a message are kept. */
const WHISPER_CHARACTERS_MAX = 2_000;

function codexSection(codex: Codex): Html {
  const { soul_whisper: whisper, state } = codex;
  const rows = describeCodex(codex).map(([name, value]) => [name, stranger(value)] as const);
  return html`<section><div class="head"><h2>Embedded metadata</h2><p class="small quiet">Written by the creator of the file; not verified.</p></div>
${whisper ? html`<figure class="whisper"><blockquote class="lead">${stranger(whisper.message, WHISPER_CHARACTERS_MAX)}</blockquote><figcaption class="small quiet">${whisper.sender ? html`From ${stranger(whisper.sender)}. ` : ''}${sureOfWhisper(codex)}</figcaption></figure>` : ''}
${rows.length > 0 ? html`<details><summary>Codex</summary><p class="small quiet">${CODEX_STATES[state]}</p>${rowsOf(rows)}</details>` : ''}</section>`;
}

function manifests({ kept_manifests: kept }: Verification, publicUrl: string): Html {
  if (kept.length === 0) return html``;
  return html`<section><div class="head"><h2>Stored manifests</h2><p class="small quiet">Each manifest describes the file it was embedded in, not this copy.</p></div>
<ul class="sentences">${kept.map(
    ({ manifest_id: id, size_bytes: size, url }) =>
      html`<li><a href="${addressHere(publicUrl)(url)}" download>C2PA manifest</a> <span class="quiet">${bytesLabel(size)},</span> <code>${stranger(id)}</code></li>`,
  )}</ul></section>`;
}

function policy({ rights_policy: policy }: Verification): Html {
  if (!policy) return html``;
  return html`<section><div class="head"><h2>Rights statements in the file</h2><p class="small quiet">A file cannot show whether its author was entitled to make them.</p></div>
${policy.conflicts.length > 0 ? html`<ul class="sentences">${policy.conflicts.map((conflict) => html`<li class="bad">${stranger(conflict, 2 * STRANGERS_CHARACTERS_MAX)}</li>`)}</ul>` : ''}
${rowsOf(describePolicy(policy).map(([name, value]) => [name, stranger(value)] as const))}</section>`;
}

/** The checked image with changed regions outlined, its position in the registered image, and the matching work. */
function picturesHtml(checked: Checked, work: WorkBeside | undefined): Html {
  const { difference } = checked.found;
  const shown = difference && differs(difference) ? difference : undefined;
  return html`${sent(checked)}
<div class="beside-it">${shown ? html`${place(checked, shown)}${heatMap(shown)}` : ''}${work ? workFigure(work) : ''}</div>`;
}

function sent({ address, picture: { width, height }, found: { difference } }: Checked): Html {
  const regions = difference?.changed_regions ?? [];
  const outlines = regions.length > 0;
  return html`<figure><div class="proof sent"><img src="${address}" width="${width}" height="${height}" alt="Your image${outlines ? ', with changed regions outlined' : ''}" fetchpriority="high">${
    outlines
      ? html`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">${regions.map(({ polygon }) => html`<polygon points="${polygon.map((point) => point.join(',')).join(' ')}"/>`)}</svg>`
      : ''
  }</div><figcaption class="small quiet">Your image${outlines ? '. Outlines mark regions that differ from the registered image' : ''}.</figcaption></figure>`;
}

/** Outline of the registered image with the copy at its position. A rotated copy has no upright position. */
function place(
  { address, picture }: Checked,
  { crop_box: box, rotation_degrees: degrees, mirrored }: Difference,
): Html {
  if (box.width <= 0 || box.height <= 0) return html``;
  const isUpright = Math.abs(degrees) < 0.5;
  const shape = (picture.width / box.width) * (box.height / picture.height);
  const ratio = isUpright && Number.isFinite(shape) ? Math.min(4, Math.max(0.25, shape)) : 1;
  const [width, height] =
    ratio >= 1 ? [PLACE_SIDE_PX, PLACE_SIDE_PX / ratio] : [PLACE_SIDE_PX * ratio, PLACE_SIDE_PX];
  const [x, y, w, h] = [box.x * width, box.y * height, box.width * width, box.height * height].map(rounded);
  const share = percentOf(box.width * box.height);
  const turn = mirrored ? html` transform="matrix(-1 0 0 1 ${rounded(2 * x! + w!)} 0)"` : '';
  return html`<figure><svg class="place" preserveAspectRatio="xMinYMax meet" viewBox="0 0 ${rounded(width)} ${rounded(height)}" role="img" aria-label="A frame shows the part of the registered image that yours covers: ${share}"><path class="extent" d="M0 0h${rounded(width)}v${rounded(height)}H0z"/>${
    isUpright
      ? html`<image href="${address}" x="${x}" y="${y}" width="${w}" height="${h}" preserveAspectRatio="none"${turn}/>`
      : ''
  }<rect class="frame" x="${x}" y="${y}" width="${w}" height="${h}"/></svg><figcaption class="small quiet">Position in the registered image: it covers ${share}. The rest is not shown.</figcaption></figure>`;
}

const rounded = (length: number): number => Math.round(length * 10) / 10;

const heatMap = ({ heat_map_b64: map, changed_regions: regions }: Difference): Html =>
  html`<figure><img src="data:image/png;base64,${map}" width="256" height="192" alt="${regions.length > 0 ? 'Map of changes; they are listed below' : 'Map of changes; none were found'}"><figcaption class="small quiet">Changes are yellow to red. Blue areas are outside the registered image.</figcaption></figure>`;

const workFigure = ({ id, title, caption, thumbnail, size }: WorkBeside): Html =>
  html`<figure><a href="/works/${id}"><at-picture class="match"><img src="${thumbnail}" width="${size?.width ?? 400}" height="${size?.height ?? 400}" alt="The matching known work"></at-picture></a><figcaption class="small"><b>${stranger(title)}</b> <span class="quiet">${caption}</span></figcaption></figure>`;

/** AI markings by layer, with author and reliability. */
const marksSection = ({ ai_marks: marks }: Verification): Html =>
  html`<section><div class="head"><h2>AI markings</h2><p class="small quiet">Statements in the file about how the image was made. Nothing is inferred from its pixels.</p></div>
${marks.length === 0 ? html`<p>${NO_TRACE}</p>` : html`<dl class="rows wide">${marks.map(row)}</dl>`}</section>`;

function row(mark: Verification['ai_marks'][number]): Html {
  const { layer, who, software, says, place } = mark;
  const { word, tone } = saysOf(mark);
  const by = [who, software].filter((name) => name !== null).join(', ');
  return html`<div><dt>${LAYER_NAMES[layer]}</dt><dd class="${tone}">${word}</dd><dd>${by ? html`${stranger(by)}: ` : ''}${stranger(says)}<span>In ${stranger(place)}. ${beliefOf(mark)}</span></dd></div>`;
}

/** AI marking measures of two laws: by this server, by its operator, or not covered. */
const evidenceSection = (rows: readonly EvidenceRow[]): Html =>
  html`<section><div class="head"><h2>AI marking requirements</h2><p class="small quiet">Measures that this server carries out, what this file shows about them, and who carries out the others. A file cannot show whom a law binds.</p></div>
${[...Map.groupBy(rows, ({ law }) => law)].map(
  ([law, measures]) =>
    html`<h3>${LAWS[law]}</h3><dl class="rows wide measures">${measures.map((row) => {
      const { measure, title, by, tested } = row;
      const { word, tone } = outcomeOf(row);
      return html`<div><dt>${measure} ${title}</dt><dd class="${tone}">${word}</dd><dd>${by}${tested === null ? '' : html`<span>${tested}</span>`}</dd></div>`;
    })}</dl>`,
)}</section>`;

/** All findings about an image. */
export async function foundHtml(checked: Checked, visit: Visit): Promise<Html> {
  const { found } = checked;
  const work = await workBeside(found, visit);
  return html`<div class="split turn found">
<div class="stack">${picturesHtml(checked, work)}</div>
<div class="stack">${facts(checked)}
<p class="row"><a class="button main" href="/verify/evidence?${new URLSearchParams({ image: checked.handle })}" download>Download evidence sheet</a> <a class="button" href="#another">Check another image</a></p></div></div>
${marksSection(found)}
${witnesses(found)}
${found.difference && found.verdict !== 'identical' ? whatDiffers(found) : ''}
${await matchesSection(found, visit)}
${readSections(found, visit.studio.publicUrl)}
${found.ai_evidence ? evidenceSection(found.ai_evidence) : ''}
<details class="small whole"><summary>Full response (JSON)</summary>${json(withoutPictures(found))}</details>`;
}

function facts({ found, picture, sizeBytes, sha256 }: Checked): Html {
  const rows: readonly (readonly [string, Html | string])[] = [
    ...describeMatch(found).map(
      ([name, value]) =>
        [name, name === 'Permanent record' ? linkedText(visible(value)) : stranger(value)] as const,
    ),
    [
      'File',
      `${typeText(`image/${picture.format}`)}, ${picture.width} × ${picture.height}, ${bytesLabel(sizeBytes)}`,
    ],
    ['SHA-256', html`<code>${sha256}</code>`],
    [
      'Perceptual hash (PDQ)',
      html`<code>${found.computed_hash}</code><span>${qualityText(found.quality)}</span>`,
    ],
  ];
  return html`<dl class="rows">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Without invisible characters. */
const visible = (text: string): string => text.replace(/\p{C}/gu, '');

/** PDQ quality below which hashes are not compared. */
const QUALITY_MIN = 50;
const qualityText = (quality: number): string =>
  quality < QUALITY_MIN
    ? `Too little detail for a visual comparison: ${quality} of 100.`
    : `Enough detail for a visual comparison: ${quality} of 100.`;

const witnesses = ({ witnesses: all }: Verification): Html =>
  html`<section><div class="head"><h2>Evidence by source</h2><p class="small quiet">“No evidence” counts neither for nor against the image.</p></div>
<dl class="rows wide">${all.map(({ witness, finding, sentence }) => {
    const { name, limits } = WITNESSES[witness];
    const { word, tone } = FINDINGS[finding];
    return html`<div><dt>${name}</dt><dd class="${tone}">${word}</dd><dd>${stranger(sentence, 1_000)}<span>${limits}</span></dd></div>`;
  })}</dl></section>`;

const whatDiffers = ({ difference }: Verification): Html =>
  html`<section><div class="head"><h2>Differences</h2><p class="small quiet">Compared with the registered image. Slight retouching is not detected.</p></div>
<ul class="sentences">${describeDifference(difference!).map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;

/** The heat map is shown as an image above. */
const withoutPictures = ({ difference, ...found }: Verification): object => {
  if (!difference) return { ...found, difference };
  const { heat_map_b64: map, ...rest } = difference;
  return { ...found, difference: { ...rest, heat_map_b64: `${map.length} characters of base64` } };
};

/** Untrusted text of a file or registration, isolated from bidi controls and truncated. */
function stranger(text: string, charactersMax = STRANGERS_CHARACTERS_MAX): Html {
  const line = text.replace(/[^\P{C}\n]/gu, ' ');
  return html`<bdi>${line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line}</bdi>`;
}
