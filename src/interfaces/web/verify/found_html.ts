import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { LAYER_NAMES } from '../../../features/provenance/tools/ai_marks_answer.ts';
import { bytesLabel } from '../bytes_label.ts';
import { type HungWork, hungWork } from '../collection/hung_work.ts';
import { linkedText } from '../feeds/linked_text.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
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

/** Other matches that are shown with a picture or a line; the JSON has up to a hundred. */
const MATCHES_SHOWN_MAX = 12;
/** Pixels of the longer side of the drawing that shows where a copy lies. */
const PLACE_SIDE_PX = 600;
/** Characters of a stranger's word that a page shows. */
const STRANGERS_CHARACTERS_MAX = 300;

/** The known work a picture matches best, as it is shown beside it. */
type WorkBeside = HungWork;

type Match = Verification['matches'][number];

async function workBeside({ matches: [best] }: Verification, visit: Visit): Promise<WorkBeside | undefined> {
  return best?.kind === 'work' ? findWork(best, visit) : undefined;
}

/** Known works may be of another edition than the one that is published. */
async function findWork({ credit_id: id }: Match, { studio }: Visit): Promise<HungWork | undefined> {
  const { artworks } = studio.kit.services;
  try {
    return hungWork((await artworks.find(id)).record, artworks);
  } catch (error) {
    if (error instanceof AtelierError && error.code === 'artwork_not_found') return undefined;
    throw error;
  }
}

const FOUND_BY: Record<Match['found_by'], string> = {
  file: 'its very bytes',
  picture: 'its looks',
  windows: 'its looks in parts',
  watermark: 'a watermark',
  metadata: 'embedded data',
};

/** What else it matches; nothing where the best is the only one. */
async function matchesSection({ matches, total_matches: total }: Verification, visit: Visit): Promise<Html> {
  const others = matches.slice(1, 1 + MATCHES_SHOWN_MAX);
  if (others.length === 0) return html``;
  const works = await Promise.all(
    others.map((match) => (match.kind === 'work' ? findWork(match, visit) : undefined)),
  );
  const left = total - 1 - others.length;
  return html`<section><div class="head"><h2>Other matches</h2><p class="small quiet">Registrations of the same picture stand first, the earliest before the later.</p></div>
${ledger(
  ['Title given', 'Artist given', 'Registered, UTC', 'Found by', 'How sure'],
  others.map((match, at) => [
    nameOf(match, works[at]),
    stranger(match.artist || 'none'),
    match.registered_at ? momentLabel(match.registered_at) : 'a known work',
    FOUND_BY[match.found_by],
    sureOf(match.confidence, match.chance_match),
  ]),
)}
${left > 0 ? html`<p class="small quiet">${left} more are in the JSON, as far as it has them.</p>` : ''}</section>`;
}

function nameOf({ title, credit_id: id }: Match, work: HungWork | undefined): Html {
  const name = stranger(title || id);
  if (!work) return name;
  return html`<span class="row"><img src="${work.thumbnail}" width="48" height="48" alt="" loading="lazy"><a href="/works/${work.id}">${name}</a></span>`;
}

/** What was read in the file itself, each with how far it can be believed; what is not there is not named. */
const readSections = (found: Verification, publicUrl: string): Html =>
  html`${mark(found)}${found.codex ? codexSection(found.codex) : ''}${manifests(found, publicUrl)}${policy(found)}`;

function mark({ watermark_authorship: mark }: Verification): Html {
  if (!mark) return html``;
  const rows: readonly (readonly [string, Html | string])[] = [
    ['What it is worth', mark.sentence],
    ['Signed by', mark.signed_by ? html`<code>${mark.signed_by}</code>` : 'no verified signer'],
    ['Signed', mark.signed_at ? `${momentLabel(mark.signed_at)} UTC` : ''],
    ['As it was marked', shareText(mark)],
  ];
  return html`<section><div class="head"><h2>The watermark</h2><p class="small quiet">Invisible bits in the pixels themselves.</p></div>
${rowsOf(rows)}</section>`;
}

const shareText = ({ exact, share }: NonNullable<Verification['watermark_authorship']>): string => {
  if (exact) return 'Not one sample differs from the marked picture.';
  return share === null ? '' : `${Math.round(share * 100)} % of what is seen.`;
};

const rowsOf = (rows: readonly (readonly [string, Html | string])[]): Html =>
  html`<dl class="rows">${rows.filter(([, value]) => value !== '').map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;

/** A message may have line breaks; they are kept. */
const WHISPER_CHARACTERS_MAX = 2_000;

function codexSection(codex: Codex): Html {
  const { soul_whisper: whisper, state } = codex;
  const rows = describeCodex(codex).map(([name, value]) => [name, stranger(value)] as const);
  return html`<section><div class="head"><h2>What is written in the file</h2><p class="small quiet">As its creator wrote it; not verified.</p></div>
${whisper ? html`<figure class="whisper"><blockquote class="lead">${stranger(whisper.message, WHISPER_CHARACTERS_MAX)}</blockquote><figcaption class="small quiet">${whisper.sender ? html`From ${stranger(whisper.sender)}. ` : ''}${sureOfWhisper(codex)}</figcaption></figure>` : ''}
${rows.length > 0 ? html`<details><summary>The codex</summary><p class="small quiet">${CODEX_STATES[state]}</p>${rowsOf(rows)}</details>` : ''}</section>`;
}

function manifests({ kept_manifests: kept }: Verification, publicUrl: string): Html {
  if (kept.length === 0) return html``;
  return html`<section><div class="head"><h2>Manifests kept for it</h2><p class="small quiet">Each vouches for the file it was in, not for this copy.</p></div>
<ul class="sentences">${kept.map(
    ({ manifest_id: id, size_bytes: size, url }) =>
      html`<li><a href="${addressHere(publicUrl)(url)}" download>C2PA manifest</a> <span class="quiet">${bytesLabel(size)},</span> <code>${stranger(id)}</code></li>`,
  )}</ul></section>`;
}

function policy({ rights_policy: policy }: Verification): Html {
  if (!policy) return html``;
  return html`<section><div class="head"><h2>What the file says about rights</h2><p class="small quiet">Whether it may say so is not in a file.</p></div>
${policy.conflicts.length > 0 ? html`<ul class="sentences">${policy.conflicts.map((conflict) => html`<li class="bad">${stranger(conflict, 2 * STRANGERS_CHARACTERS_MAX)}</li>`)}</ul>` : ''}
${rowsOf(describePolicy(policy).map(([name, value]) => [name, stranger(value)] as const))}</section>`;
}

/** The picture that was sent with its changed places outlined, where it lies in the registered one, and what it matches. */
function picturesHtml(checked: Checked, work: WorkBeside | undefined): Html {
  const { difference } = checked.found;
  const shown = difference && differs(difference) ? difference : undefined;
  return html`${sent(checked)}
<div class="beside-it">${shown ? html`${place(checked, shown)}${heatMap(shown)}` : ''}${work ? workFigure(work) : ''}</div>`;
}

function sent({ address, picture: { width, height }, found: { difference } }: Checked): Html {
  const regions = difference?.changed_regions ?? [];
  const outlines = regions.length > 0;
  return html`<figure><div class="proof sent"><img src="${address}" width="${width}" height="${height}" alt="The picture you sent${outlines ? ', with changed places outlined' : ''}" fetchpriority="high">${
    outlines
      ? html`<svg viewBox="0 0 1 1" preserveAspectRatio="none" aria-hidden="true">${regions.map(({ polygon }) => html`<polygon points="${polygon.map((point) => point.join(',')).join(' ')}"/>`)}</svg>`
      : ''
  }</div><figcaption class="small quiet">Your picture${outlines ? '. The lines go round what shows something else than the registered one' : ''}.</figcaption></figure>`;
}

/** The extent of the registered picture, which is not shown, with the copy in its place. A turned copy has no upright place. */
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
  return html`<figure><svg class="place" preserveAspectRatio="xMinYMax meet" viewBox="0 0 ${rounded(width)} ${rounded(height)}" role="img" aria-label="A frame shows which part of the registered picture yours covers: ${share}"><path class="extent" d="M0 0h${rounded(width)}v${rounded(height)}H0z"/>${
    isUpright
      ? html`<image href="${address}" x="${x}" y="${y}" width="${w}" height="${h}" preserveAspectRatio="none"${turn}/>`
      : ''
  }<rect class="frame" x="${x}" y="${y}" width="${w}" height="${h}"/></svg><figcaption class="small quiet">Where it lies in the registered picture: it shows ${share} of that. The rest is not shown.</figcaption></figure>`;
}

const rounded = (length: number): number => Math.round(length * 10) / 10;

const heatMap = ({ heat_map_b64: map, changed_regions: regions }: Difference): Html =>
  html`<figure><img src="data:image/png;base64,${map}" width="256" height="192" alt="${regions.length > 0 ? 'Map of changes; they are listed below' : 'Map of changes; none were found'}"><figcaption class="small quiet">Changes from yellow to red; blue lies outside the registered picture.</figcaption></figure>`;

const workFigure = ({ id, title, caption, thumbnail, size }: WorkBeside): Html =>
  html`<figure><a href="/works/${id}"><at-picture class="match"><img src="${thumbnail}" width="${size?.width ?? 400}" height="${size?.height ?? 400}" alt="The known work it matches"></at-picture></a><figcaption class="small"><b>${stranger(title)}</b> <span class="quiet">${caption}</span></figcaption></figure>`;

/** What each layer says about AI, who says it, and how far it can be believed. */
const marksSection = ({ ai_marks: marks }: Verification): Html =>
  html`<section><div class="head"><h2>Marks of AI</h2><p class="small quiet">What the file says of how the image was made. Nothing is guessed from its pixels.</p></div>
${marks.length === 0 ? html`<p>${NO_TRACE}</p>` : html`<dl class="rows wide">${marks.map(row)}</dl>`}</section>`;

function row(mark: Verification['ai_marks'][number]): Html {
  const { layer, who, software, says, place } = mark;
  const { word, tone } = saysOf(mark);
  const by = [who, software].filter((name) => name !== null).join(', ');
  return html`<div><dt>${LAYER_NAMES[layer]}</dt><dd class="${tone}">${word}</dd><dd>${by ? html`${stranger(by)}: ` : ''}${stranger(says)}<span>In ${stranger(place)}. ${beliefOf(mark)}</span></dd></div>`;
}

/** Marks of AI against two laws, measure by measure: what this server does, what its operator does, and what nothing covers. */
const evidenceSection = (rows: readonly EvidenceRow[]): Html =>
  html`<section><div class="head"><h2>Marks of AI, measure by measure</h2><p class="small quiet">What this file shows of the measures this server carries out, and who carries out the others. Whom a law binds is not in a file.</p></div>
${[...Map.groupBy(rows, ({ law }) => law)].map(
  ([law, measures]) =>
    html`<h3>${LAWS[law]}</h3><dl class="rows wide measures">${measures.map((row) => {
      const { measure, title, by, tested } = row;
      const { word, tone } = outcomeOf(row);
      return html`<div><dt>${measure} ${title}</dt><dd class="${tone}">${word}</dd><dd>${by}${tested === null ? '' : html`<span>${tested}</span>`}</dd></div>`;
    })}</dl>`,
)}</section>`;

/** Everything that was found out about a picture: what it looks like beside what it matches, who says so, and what was read in it. */
export async function foundHtml(checked: Checked, visit: Visit): Promise<Html> {
  const { found } = checked;
  const work = await workBeside(found, visit);
  return html`<div class="split turn found">
<div class="stack">${picturesHtml(checked, work)}</div>
<div class="stack">${facts(checked)}
<p class="row"><a class="button main" href="/verify/evidence?${new URLSearchParams({ image: checked.handle })}" download>Save the evidence sheet</a> <a class="button" href="#another">Check another</a></p></div></div>
${marksSection(found)}
${witnesses(found)}
${found.difference && found.verdict !== 'identical' ? whatDiffers(found) : ''}
${await matchesSection(found, visit)}
${readSections(found, visit.studio.publicUrl)}
${found.ai_evidence ? evidenceSection(found.ai_evidence) : ''}
<details class="small whole"><summary>The whole answer as JSON</summary>${json(withoutPictures(found))}</details>`;
}

function facts({ found, picture, sizeBytes, sha256 }: Checked): Html {
  const rows: readonly (readonly [string, Html | string])[] = [
    ...describeMatch(found).map(
      ([name, value]) =>
        [name, name === 'Permanent record' ? linkedText(visible(value)) : stranger(value)] as const,
    ),
    [
      'File sent',
      `${typeText(`image/${picture.format}`)}, ${picture.width} × ${picture.height}, ${bytesLabel(sizeBytes)}`,
    ],
    ['Its sha256', html`<code>${sha256}</code>`],
    ['Its looks (PDQ)', html`<code>${found.computed_hash}</code><span>${qualityText(found.quality)}</span>`],
  ];
  return html`<dl class="rows">${rows.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** Without invisible characters. */
const visible = (text: string): string => text.replace(/\p{C}/gu, '');

/** Below this much to see, looks are not compared. */
const QUALITY_MIN = 50;
const qualityText = (quality: number): string =>
  quality < QUALITY_MIN
    ? `There is too little to see in it to compare looks: ${quality} of 100.`
    : `There is enough to see in it to compare looks: ${quality} of 100.`;

const witnesses = ({ witnesses: all }: Verification): Html =>
  html`<section><div class="head"><h2>${COUNTS[all.length] ?? all.length} witnesses</h2><p class="small quiet">A silent witness speaks neither for nor against.</p></div>
<dl class="rows wide">${all.map(({ witness, finding, sentence }) => {
    const { name, limits } = WITNESSES[witness];
    const { word, tone } = FINDINGS[finding];
    return html`<div><dt>${name}</dt><dd class="${tone}">${word}</dd><dd>${stranger(sentence, 1_000)}<span>${limits}</span></dd></div>`;
  })}</dl></section>`;

const COUNTS: Readonly<Record<number, string>> = { 3: 'Three', 4: 'Four', 5: 'Five', 6: 'Six' };

const whatDiffers = ({ difference }: Verification): Html =>
  html`<section><div class="head"><h2>What differs</h2><p class="small quiet">Against the registered picture. Slight retouching is not seen.</p></div>
<ul class="sentences">${describeDifference(difference!).map((sentence) => html`<li>${sentence}</li>`)}</ul></section>`;

/** The heat map stands above as a picture. */
const withoutPictures = ({ difference, ...found }: Verification): object => {
  if (!difference) return { ...found, difference };
  const { heat_map_b64: map, ...rest } = difference;
  return { ...found, difference: { ...rest, heat_map_b64: `${map.length} characters of base64` } };
};

/** What a file or a registration says of itself: text, turned round by nothing in it, and not too long. */
function stranger(text: string, charactersMax = STRANGERS_CHARACTERS_MAX): Html {
  const line = text.replace(/[^\P{C}\n]/gu, ' ');
  return html`<bdi>${line.length > charactersMax ? `${line.slice(0, charactersMax)}…` : line}</bdi>`;
}
