import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import type { Checked } from './check_picture.ts';
import { PLACE_SIDE_PX } from './limits.ts';
import type { WorkBeside } from './matches_html.ts';
import { stranger } from './stranger.ts';
import { type Difference, differs, percentOf } from './words.ts';

/** The picture that was sent with its changed places outlined, where it lies in the registered one, and what it matches. */
export function picturesHtml(checked: Checked, work: WorkBeside | undefined): Html {
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

/** The extent of the registered picture, which is shown to nobody, with the copy in its place. A turned copy has no upright place. */
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
  }<rect class="frame" x="${x}" y="${y}" width="${w}" height="${h}"/></svg><figcaption class="small quiet">Where it lies in the registered picture: it shows ${share} of that. The rest is shown to nobody.</figcaption></figure>`;
}

const rounded = (length: number): number => Math.round(length * 10) / 10;

const heatMap = ({ heat_map_b64: map, changed_regions: regions }: Difference): Html =>
  html`<figure><img src="data:image/png;base64,${map}" width="256" height="192" alt="${regions.length > 0 ? 'Map of changes; they are listed below' : 'Map of changes; none were found'}"><figcaption class="small quiet">Changes from yellow to red; blue lies outside the registered picture.</figcaption></figure>`;

const workFigure = ({ id, title, caption, thumbnail, size }: WorkBeside): Html =>
  html`<figure><a href="/works/${id}"><at-picture class="match"><img src="${thumbnail}" width="${size?.width ?? 400}" height="${size?.height ?? 400}" alt="The known work it matches"></at-picture></a><figcaption class="small"><b>${stranger(title)}</b> <span class="quiet">${caption}</span></figcaption></figure>`;
