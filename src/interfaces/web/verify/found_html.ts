import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { bytesLabel } from '../bytes_label.ts';
import { linkedText } from '../feeds/linked_text.ts';
import { json } from '../tools/result_values.ts';
import { typeText } from '../tools/words.ts';
import type { Visit } from '../types.ts';
import type { Checked } from './check_picture.ts';
import { evidenceSection } from './evidence_section.ts';
import { marksSection } from './marks_section.ts';
import { matchesSection, workBeside } from './matches_html.ts';
import { picturesHtml } from './pictures_html.ts';
import { readSections } from './read_sections.ts';
import { stranger } from './stranger.ts';
import { describeDifference, describeMatch, FINDINGS, type Verification, WITNESSES } from './words.ts';

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

/** Without signs that nobody sees. */
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
