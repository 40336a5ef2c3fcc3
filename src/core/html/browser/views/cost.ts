/** A quote with its consent button; for a finished call, its effect and cost. */
import { create, factList, webAddress, wordsOf } from './elements.ts';
import { type Fields, toolCalled } from './host.ts';
import { fieldsOf, linksOf } from './money.ts';
import { openView } from './view.ts';

/** Fields shown in the footer of the view, or meant for programs. */
const ELSEWHERE = [
  'cost',
  'payment',
  'next_steps',
  'warnings',
  'engine',
  'image',
  'degraded',
  'degraded_reason',
];
const ROWS_MAX = 18;

openView('cost', ({ body }) => [
  create('h1', toolCalled().title || 'Done'),
  ...pictureOf(body),
  factList(rowsOf(body)),
  ...linksOf(body),
]);

/** Image of a dataset work, in the width of a chat. */
function pictureOf({ image }: Fields): Node[] {
  const address = webAddress(fieldsOf(fieldsOf(image).sizes).medium);
  if (address === undefined) return [];
  const picture = create('img');
  picture.addEventListener('error', () => picture.remove(), { once: true });
  Object.assign(picture, { alt: 'Artwork', src: address });
  return [create('p', [picture])];
}

/** Short values at the top level and one below; the text of the response has the others. */
const rowsOf = (body: Fields): [string, string][] =>
  Object.entries(body)
    .filter(([name]) => !ELSEWHERE.includes(name))
    .flatMap(([name, value]) => (isPlain(value) ? [[name, value] as const] : Object.entries(fieldsOf(value))))
    .filter(([name, value]) => isPlain(value) && value !== '' && !name.endsWith('url'))
    .slice(0, ROWS_MAX)
    .map(([name, value]) => [wordsOf(name), inWords(value)]);

const isPlain = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

const inWords = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : String(value);
