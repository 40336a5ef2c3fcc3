import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { MUSEUMS } from '../../../features/artworks/museums/museums.ts';
import type { ArtworkRecord } from '../../../features/artworks/records/record.ts';
import { starterNote } from '../../../features/artworks/tools/record_basis.ts';
import { dayOf } from './passport.ts';
import type { Work } from './seen_work.ts';

/** All that is recorded of a work, in the words of its museum, and which version of the record this is. */
export function workRecord(work: Work): Html {
  const { record, edition, seenOn, live } = work;
  const rows: readonly (readonly [string, string | Html])[] = [
    ['Makers', record.artists.map(makerText).join('; ')],
    ['Also called', record.other_titles.join('; ')],
    ['Date', record.date],
    ['Medium', record.medium],
    ['Dimensions', record.dimensions],
    ['Kind', record.classification],
    ['Culture', record.culture],
    ['Department', record.department],
    ['Subjects', record.tags.join(', ')],
    ['Credit line', record.credit_line],
    ['Accession number', record.accession_number],
    ['At the museum', html`<a href="${record.source_url}">${record.source_url}</a>`],
    ['Identifier', html`<code>${record.id}</code>`],
    ['This record', `Snapshot ${edition.number}. ${readText(seenOn, live?.askedOn ?? null)}`],
  ];
  const note = starterNote(work);
  return html`<section><div class="head"><h2>Record</h2></div>
${record.description ? html`<p class="read">${record.description}</p>` : ''}
${note ? html`<p class="quiet">${note}</p>` : ''}
<dl class="rows">${rows
    .filter(([, value]) => value !== '')
    .map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl></section>`;
}

/** "Utagawa Hiroshige, artist, Japanese, 1797 to 1858" */
const makerText = ({ name, role, nationality, born, died }: ArtworkRecord['artists'][number]): string =>
  [name, role, nationality, born === null && died === null ? '' : `${born ?? '?'} to ${died ?? '?'}`]
    .filter((part) => part !== '')
    .join(', ');

function readText(seenOn: string | null, askedOn: string | null): string {
  if (askedOn) return `Its museum was asked for this one work on ${dayOf(askedOn)}.`;
  return seenOn ? `Read in the data of its museum on ${dayOf(seenOn)}.` : 'Written down by hand.';
}

/** "The Metropolitan Museum of Art, New York. 19.164. Rogers Fund, 1919." */
export const placeText = ({ museum, accession_number: number, credit_line: credit }: ArtworkRecord): string =>
  `${[`${MUSEUMS[museum].name}, ${MUSEUMS[museum].city}`, number, credit].filter(Boolean).join('. ')}.`;
