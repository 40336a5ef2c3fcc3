/** Artworks or files in a grid; one can be enlarged and selected. */
import { button, bytesInWords, create, factList, isShown, textOf, webAddress, wordsOf } from './elements.ts';
import { type Fields, sayToModel } from './host.ts';
import { fieldsOf, linkTo, listOf } from './money.ts';
import { openView, type Shown } from './view.ts';

/** More would be slow to paint and are not useful in an overview. */
const TILES_MAX = 100;
/** A larger file gets no thumbnail until it is selected. */
const THUMBNAIL_BYTES_MAX = 2_000_000;

interface Tile {
  readonly title: string;
  readonly below: string;
  /** Handle for the image field of any tool. */
  readonly handle: string;
  readonly thumbnail: string | undefined;
  readonly picture: string | undefined;
  readonly facts: readonly (readonly [string, string])[];
}

openView('contact_sheet', (shown) => {
  const tiles = tilesOf(shown);
  const closer = create('section', '', 'closer');
  closer.hidden = true;
  closer.tabIndex = -1;
  const list = create(
    'ul',
    tiles.slice(0, TILES_MAX).map((tile) => create('li', [tileOf(tile, closer)])),
    'sheet',
  );
  const left = tiles.length - TILES_MAX;
  return [
    create('h1', headingOf(shown.body, tiles.length)),
    list,
    ...(left > 0 ? [create('p', `The text response lists ${left} more.`, 'small')] : []),
    closer,
  ];
});

function headingOf({ query, total_results: total, count }: Fields, shown: number): string {
  const all = Math.max(shown, Number(total ?? count) || 0);
  if (all === 0) return 'No results';
  const found = all > shown ? `${shown} of ${all}` : String(all);
  return textOf(query) ? `${found} for “${textOf(query).slice(0, 80)}”` : `${found} in total`;
}

function tilesOf({ body, answer }: Shown): Tile[] {
  const thumbnails = fieldsOf(answer._meta?.['io.github.atelier/thumbnails']);
  return Object.values(body)
    .flatMap(listOf)
    .map(fieldsOf)
    .flatMap((entry) => {
      if (textOf(entry.credit_id)) return [workTile(entry, thumbnails)];
      return textOf(entry.key) ? [fileTile(entry)] : [];
    });
}

/** Tile of a dataset work; a batch nests the metadata one level deeper. */
function workTile(entry: Fields, thumbnails: Fields): Tile {
  const id = textOf(entry.credit_id);
  const record = { ...fieldsOf(entry.record), ...entry };
  const artist =
    textOf(record.artist) ||
    listOf(record.artists)
      .map((one) => textOf(fieldsOf(one).name))
      .join('; ');
  const small = webAddress(thumbnails[id]);
  const facts = [
    ['Artist', artist],
    ['Date', textOf(record.date)],
    ['Medium', textOf(record.medium)],
    ['Museum', textOf(record.museum)],
    ['Found in', textOf(record.why)],
    ['Id', id],
  ] as const;
  return {
    title: textOf(record.title) || 'Untitled',
    below: [artist, textOf(record.date)].filter(Boolean).join(', '),
    handle: `artwork:${id}`,
    thumbnail: small,
    picture: small,
    facts: facts.filter(([, value]) => value !== ''),
  };
}

function fileTile(entry: Fields): Tile {
  const key = textOf(entry.key);
  const type = textOf(entry.content_type);
  const bytes = Number(entry.size_bytes) || 0;
  const url = isShown(type) ? webAddress(entry.url) : undefined;
  return {
    title: key,
    below: `${type.replace(/^image\//, '')}, ${bytesInWords(bytes)}`,
    handle: `asset:${key}`,
    thumbnail: bytes <= THUMBNAIL_BYTES_MAX ? url : undefined,
    picture: url,
    facts: [
      ['Type', type],
      ['Size', bytesInWords(bytes)],
      ['Saved', textOf(entry.created_at).slice(0, 10)],
      [wordsOf('sha256'), textOf(entry.sha256)],
    ],
  };
}

function tileOf(tile: Tile, closer: HTMLElement): HTMLElement {
  const press = create('button', '', 'tile');
  press.type = 'button';
  press.append(
    create('span', [coverOf(tile)], 'cover'),
    create('b', tile.title.slice(0, 200)),
    create('small', tile.below),
  );
  press.addEventListener('click', () => showCloser(tile, closer));
  return press;
}

/** The image, or the first letter of the title if it is missing or fails to load. */
function coverOf({ thumbnail, title }: Tile): HTMLElement {
  const initial = create('span', [...title][0] ?? '·', 'initial');
  if (thumbnail === undefined) return initial;
  const image = create('img');
  image.addEventListener('error', () => image.replaceWith(initial), { once: true });
  Object.assign(image, { loading: 'lazy', decoding: 'async', alt: '', src: thumbnail });
  return image;
}

function showCloser(tile: Tile, closer: HTMLElement): void {
  const { title, picture, handle, facts } = tile;
  closer.replaceChildren(
    create('h2', title),
    ...(picture ? [create('span', [coverOf({ ...tile, thumbnail: picture })], 'cover')] : []),
    factList(facts),
    create(
      'p',
      [
        // Only the handle: a title is untrusted text, which would be sent on behalf of the user.
        button('Use image', () => sayToModel(`Use ${JSON.stringify(handle)}.`), 'main'),
        ...(picture ? [linkTo('Open image', picture)] : []),
      ],
      'links',
    ),
  );
  closer.hidden = false;
  closer.focus();
  closer.scrollIntoView({ block: 'nearest' });
}
