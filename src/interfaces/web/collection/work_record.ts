import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { MUSEUMS } from '../../../features/artworks/museums/museums.ts';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import { sizeOfWork } from '../../../features/artworks/records/size_in_words.ts';
import { licencePassport } from '../../../features/artworks/tools/licence_passport.ts';
import { starterNote } from '../../../features/artworks/tools/record_basis.ts';
import type { Work } from './load_work.ts';

/** Longest copyright term after the death of the maker in any country. */
const LONGEST_TERM_YEARS = 100;

interface Line {
  readonly question: string;
  readonly answer: string;
  readonly evidence: Html;
}

/** Rights of a work as questions and answers with evidence; the last line is machine-readable. */
export function passport(work: Work): Html {
  const { record, sha256, seenOn } = work;
  const licence = licencePassport(work);
  const machine = [
    licence.status === 'cc0' ? 'CC0-1.0' : 'PDM-1.0',
    record.id,
    `record sha256 ${sha256}`,
    seenOn ? `read ${seenOn}` : 'not read at the museum',
    new URL(MUSEUMS[record.museum].home).hostname,
  ].join(' / ');
  return html`<section class="passport"><h2>Licence passport</h2>
<dl class="rows">${linesOf(work).map(
    ({ question, answer, evidence }) =>
      html`<div><dt>${question}</dt><dd><b>${answer}</b><span>${evidence}</span></dd></div>`,
  )}</dl>
<p class="machine"><code>${machine}</code></p></section>`;
}

function linesOf(work: Work): readonly Line[] {
  const licence = licencePassport(work);
  const isRead = licence.evidence !== null;
  const { name } = MUSEUMS[work.record.museum];
  const mark = licence.status === 'cc0' ? 'CC0 1.0' : 'Public Domain Mark 1.0';
  return [
    {
      question: 'May I use it?',
      answer: isRead ? 'Yes, for any purpose.' : 'Unknown. The record was not read from the museum.',
      evidence: html`${licence.statement} <a href="${licence.url}">${mark}</a>`,
    },
    {
      question: 'May I sell it?',
      answer: isRead ? 'Yes.' : 'Unknown.',
      evidence: isRead
        ? html`Suitable for ${licence.good_for.join('; ')}.`
        : html`Ask the museum before commercial use.`,
    },
    {
      question: 'Is credit required?',
      answer: isRead ? 'No.' : 'Unknown.',
      evidence: html`Suggested credit: ${licence.attribution}`,
    },
    {
      question: 'Who states this?',
      answer: isRead ? `${name}.` : 'This server only.',
      evidence: licence.evidence
        ? html`Its field <code>${licence.evidence.field}</code> says <code>${licence.evidence.value}</code>. Read ${licence.seen_on ? dayOf(licence.seen_on) : 'on an unknown date'}.`
        : html`The record was entered manually; no museum field was read.`,
    },
    { question: 'Is it free worldwide?', ...everywhere(work.record) },
    {
      question: 'What else applies?',
      answer: `${capital(licence.not_covered.join('; '))}.`,
      evidence: html`Copyright statements do not cover these. The museum’s terms: <a href="${licence.policy_url}">${licence.policy_url}</a>. The record itself: ${licence.data_licence}.`,
    },
  ];
}

/** Derived from the death years of its makers, if the record has them all. */
function everywhere({ artists }: ArtworkRecord): Omit<Line, 'question'> {
  const deaths = artists.map(({ died }) => died);
  const last = Math.max(...deaths.map((died) => died ?? Number.POSITIVE_INFINITY));
  if (artists.length === 0 || !Number.isFinite(last))
    return { answer: 'Unknown.', evidence: html`The record does not say when its maker died.` };
  const ended = last + LONGEST_TERM_YEARS;
  const who = artists.length === 1 ? 'The maker died' : 'The last of its makers died';
  return ended < new Date().getUTCFullYear()
    ? {
        answer: 'Yes.',
        evidence: html`${who} in ${last}. The longest term, life and ${LONGEST_TERM_YEARS} years, ended in ${ended}.`,
      }
    : {
        answer: 'Possibly not.',
        evidence: html`${who} in ${last}. The longest term, life and ${LONGEST_TERM_YEARS} years, lasts until ${ended}.`,
      };
}

/** 2026-11-12 → 12 November 2026 */
const dayOf = (day: string): string =>
  new Date(`${day}T00:00:00Z`).toLocaleDateString('en-GB', {
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'UTC',
  });

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The museum record of a work and its version. */
export function workRecord(work: Work): Html {
  const { record, edition, seenOn, live } = work;
  const rows: readonly (readonly [string, string | Html])[] = [
    ['Makers', makersHtml(record.artists)],
    ['Other titles', record.other_titles.join('; ')],
    ['Date', record.date],
    ['Medium', record.medium],
    ['Dimensions', dimensionsText(record.dimensions)],
    ['Series', record.series ? html`<a href="${phraseAddress(record.series)}">${record.series}</a>` : ''],
    ['Kind', record.classification],
    ['Culture', record.culture],
    ['Department', record.department],
    ['Subjects', record.tags.join(', ')],
    ['Iconclass', iconclassHtml(record.iconclass)],
    ['Credit line', record.credit_line],
    ['Provenance', longText(record.provenance)],
    ['Exhibitions', longText(record.exhibitions)],
    ['Literature', longText(record.references)],
    ['Accession number', record.accession_number],
    ['Museum page', html`<a href="${record.source_url}">${record.source_url}</a>`],
    ['External records', record.same_as ? authorityLinks(record.same_as) : ''],
    ['Identifier', html`<code>${record.id}</code>`],
    ['Record version', `Snapshot ${edition.number}. ${readText(seenOn, live?.askedOn ?? null)}`],
  ];
  const note = starterNote(work);
  return html`<section><div class="head"><h2>Record</h2></div>
${record.description ? html`<p class="read">${record.description}</p>` : ''}
${note ? html`<p class="quiet">${note}</p>` : ''}
<dl class="rows">${rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}

/** Each notation links to a search for it. */
const iconclassHtml = (notations: readonly string[] = []): string | Html =>
  notations.length === 0
    ? ''
    : html`${notations.map((notation, at) => html`${at > 0 ? ', ' : ''}<a href="/collection?${new URLSearchParams({ query: notation })}">${notation}</a>`)}`;

/** Makers with links to authority records given by the museum. */
const makersHtml = (artists: ArtworkRecord['artists']): string | Html =>
  artists.length === 0
    ? ''
    : html`${artists.map(
        (artist, at) =>
          html`${at > 0 ? '; ' : ''}${makerText(artist)}${artist.same_as ? html` (${authorityLinks(artist.same_as)})` : ''}`,
      )}`;

const authorityLinks = (urls: readonly string[]): Html =>
  html`${urls.map(
    (url, at) =>
      html`${at > 0 ? ', ' : ''}<a href="${url}" rel="noreferrer">${url.includes('wikidata') ? 'Wikidata' : 'ULAN'}</a>`,
  )}`;

/** Museum text followed by the parsed figures. */
function dimensionsText(dimensions: string): string {
  const size = sizeOfWork(dimensions);
  if (!size) return dimensions;
  const sides = [size.height_cm, size.width_cm, size.depth_cm].filter((side) => side !== undefined);
  const read = [
    sides.length > 1 && sides.join(' × '),
    size.diameter_cm !== undefined && `diameter ${size.diameter_cm}`,
  ].filter(Boolean);
  return read.length > 0 ? `${dimensions} — ${read.join(', ')} cm` : dimensions;
}

/** Search for other works of a series. */
const phraseAddress = (words: string): string =>
  `/collection?${new URLSearchParams({ query: `"${words.replaceAll('"', ' ').slice(0, 200)}"` })}`;

const LONG_CHARACTERS = 300;

const longText = (text = ''): string | Html =>
  text.length <= LONG_CHARACTERS
    ? text
    : html`<details><summary>${text.slice(0, LONG_CHARACTERS / 2).trimEnd()}…</summary><p class="read">${text}</p></details>`;

/** "Utagawa Hiroshige, artist, Japanese, 1797 to 1858" */
const makerText = ({ name, role, nationality, born, died }: ArtworkRecord['artists'][number]): string =>
  [name, role, nationality, born === null && died === null ? '' : `${born ?? '?'} to ${died ?? '?'}`]
    .filter((part) => part !== '')
    .join(', ');

function readText(seenOn: string | null, askedOn: string | null): string {
  if (askedOn) return `Requested from its museum on ${dayOf(askedOn)}.`;
  return seenOn ? `Read from the museum’s data on ${dayOf(seenOn)}.` : 'Entered manually.';
}

/** "The Metropolitan Museum of Art, New York. 19.164. Rogers Fund, 1919." */
export const placeText = ({ museum, accession_number: number, credit_line: credit }: ArtworkRecord): string =>
  `${[`${MUSEUMS[museum].name}, ${MUSEUMS[museum].city}`, number, credit].filter(Boolean).join('. ')}.`;
