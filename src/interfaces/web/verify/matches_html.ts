import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import type { Html } from '../../../core/html/html_page.ts';
import { type HungWork, hungWork } from '../collection/hung_work.ts';
import { ledger } from '../ledger.ts';
import { momentLabel } from '../moment_label.ts';
import type { Visit } from '../types.ts';
import { MATCHES_SHOWN_MAX } from './limits.ts';
import { stranger } from './stranger.ts';
import { sureOf, type Verification } from './words.ts';

/** The known work a picture matches best, as it is shown beside it. */
export type WorkBeside = HungWork;

type Match = Verification['matches'][number];

export async function workBeside(
  { matches: [best] }: Verification,
  visit: Visit,
): Promise<WorkBeside | undefined> {
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
export async function matchesSection(
  { matches, total_matches: total }: Verification,
  visit: Visit,
): Promise<Html> {
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
