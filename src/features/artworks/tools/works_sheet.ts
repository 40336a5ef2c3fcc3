import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { drawContactSheet } from '../../definitions/draw_contact_sheet.ts';
import type { CallContext } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { PICTURE_WIDTHS } from '../images/sizes.ts';
import type { ArtworkRecord } from '../records/record.ts';
import { WORKS_SHEET_AT_ONCE, WORKS_SHEET_MAX, WORKS_SHEET_WAIT_MS } from './limits.ts';

/** Length of a label in place of an image, in characters. */
const TITLE_CHARACTERS = 48;
const LINE_CHARACTERS = 28;

type Needs = Pick<Services, 'artworks' | 'pixels'>;

/**
 * Draws a contact sheet of works, each with its number in the results. Images that are not cached are fetched
 * from the museums; one that is late or unavailable is replaced by title, maker and date, and may appear in a
 * later call.
 * @throws AtelierError busy, timed_out
 */
export async function worksSheet(
  { artworks, pixels }: Needs,
  works: readonly ArtworkRecord[],
  { first, call }: { first: number; call: CallContext },
) {
  const shown = works.slice(0, WORKS_SHEET_MAX);
  const images = await imagesOf(artworks, shown, call);
  const tiles = shown.map((work, at) => ({
    number: first + at,
    image: images.get(work.id),
    text: labelOf(work),
  }));
  const missing = tiles.filter(({ image }) => !image).map(({ number }) => number);
  if (missing.length > 0)
    call.warn(
      `No image was available of ${missing.length === tiles.length ? 'these works' : missing.join(', ')}; the sheet has their title, maker and date instead.`,
    );
  if (works.length > shown.length) call.warn(`The sheet shows the first ${WORKS_SHEET_MAX} works.`);
  return drawContactSheet(pixels, tiles, {
    imagePixels: 6 * PICTURE_WIDTHS.small ** 2,
    emptyText: 'No works',
    call,
  });
}

/** Shortens the title so that the lines fit the smallest tile. */
function labelOf({ title, artists, date }: ArtworkRecord): string {
  const lines = [
    cut(title, TITLE_CHARACTERS),
    cut(artists[0]?.name ?? '', LINE_CHARACTERS),
    cut(date, LINE_CHARACTERS),
  ];
  return lines.filter((line) => line !== '').join('\n');
}

const cut = (text: string, charactersMax: number): string => {
  const letters = [...text];
  return letters.length <= charactersMax
    ? text
    : `${letters
        .slice(0, charactersMax - 1)
        .join('')
        .trimEnd()}…`;
};

async function imagesOf(
  artworks: Needs['artworks'],
  works: readonly ArtworkRecord[],
  { signal }: Pick<CallContext, 'signal'>,
): Promise<Map<string, Uint8Array>> {
  const images = new Map<string, Uint8Array>();
  const over = AbortSignal.any([signal, AbortSignal.timeout(WORKS_SHEET_WAIT_MS)]);
  const left = works.values();
  const readNext = async () => {
    for (const { id } of left) {
      if (over.aborted) return;
      const image = await artworks.picture(id, 'small').catch(withoutImage);
      if (image) images.set(id, image.bytes);
    }
  };
  const reading = Promise.all(Array.from({ length: WORKS_SHEET_AT_ONCE }, readNext));
  await Promise.race([reading, aborted(over)]);
  signal.throwIfAborted();
  // A copy, because a late image must not change the sheet while it is drawn.
  return new Map(images);
}

function withoutImage(error: unknown): undefined {
  if (!(error instanceof AtelierError)) throw error;
}

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
