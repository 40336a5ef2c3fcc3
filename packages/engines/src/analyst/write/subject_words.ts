import type { Seen, SeenSubject } from '../../sight/seen.ts';
import type { Measures } from '../analyse_picture.ts';
import { joinWords } from './facts.ts';
import type { Given } from './given.ts';
import { facesPhrase, isAboutPeople, PERSON } from './people_words.ts';

/** What the picture is known to show, in the words a caption would use. */
export interface Shown {
  /** The surest first; without those that another one already says, "cat" beside "kitten". */
  readonly things: readonly SeenSubject[];
  readonly scenes: readonly SeenSubject[];
  readonly genres: readonly SeenSubject[];
}

export function shownIn({ subjects = [] }: Pick<Seen, 'subjects'>): Shown {
  const said = new Set(subjects.flatMap(({ broader }) => broader.map((term) => term.toLowerCase())));
  const unsaid = subjects.filter(
    ({ term }, index) =>
      !said.has(term.toLowerCase()) && subjects.findIndex((other) => other.term === term) === index,
  );
  const ofKind = (kind: SeenSubject['kind']) => unsaid.filter((subject) => subject.kind === kind);
  return { things: ofKind('thing'), scenes: ofKind('scene'), genres: ofKind('genre') };
}

/** What a lone word is to the ear: many of them, a stuff that is not counted, or the one there is. */
const PLURALS = new Set([
  'people',
  'cattle',
  'sheep',
  'children',
  'men',
  'women',
  'mice',
  'geese',
  'deer',
  'fish',
]);
const ONLY_ONES = new Set(['sea', 'sky', 'sun', 'moon', 'night sky', 'horizon', 'milky way', 'ocean']);
const STUFFS =
  /(?:^|\s)(?:grass|water|snow|ice|sand|food|fruit|bread|cheese|meat|wine|beer|coffee|tea|chocolate|smoke|fire|fog|mist|rain|foliage|vegetation|moss|hair|fur|clothing|paint|make-up|jewellery|jewelry|furniture|pottery|porcelain|armou?r|writing|text|handwriting|calligraphy|lace|cloth|fabric|silk|wood|stone|rock|metal|glass|paper|money|music|lightning|traffic|graffiti|machinery|lavender|wheat|corn|ivy|bamboo|architecture|nature|wildlife|produce|seafood|pasta|rice|soup|salad|sky|seaweed|soil|mud|dust)$/u;

const isPlural = (term: string): boolean =>
  PLURALS.has(lastWord(term)) || (/s$/u.test(term) && !/(?:ss|us|is|as|bus|lens|gas)$/u.test(lastWord(term)));

const lastWord = (term: string): string => term.split(' ').at(-1)!;

/** "a kitten", "an owl", "flowers", "grass", "the sea"; a name stays a name. */
export function withArticle(term: string): string {
  if (ONLY_ONES.has(term)) return `the ${term}`;
  if (/^\p{Lu}/u.test(term) || isPlural(term) || STUFFS.test(term)) return term;
  return `${startsWithVowel(term) ? 'an' : 'a'} ${term}`;
}

export const startsWithVowel = (word: string): boolean =>
  /^(?:[aeio]|u(?!ni|s[ei]|k)|hour|heir|honest)/iu.test(word);

/** Words for how a picture was made: such a genre is the noun itself. */
const MADE_AS =
  /(?:painting|drawing|watercolou?r|engraving|etching|woodcut|print|photograph|poster|comic|cartoon|map|sculpture|statue|mosaic|screenshot|illustration|sketch|diagram|chart|logo|tapestry|manuscript|book cover|album cover|pastel|collage|mural|fresco|lithograph|icon|calligraphy|miniature|page)$/u;

/** Whether a genre says how the picture was made. */
export const isMadeAs = ({ term }: SeenSubject): boolean => MADE_AS.test(term);

/** "photograph", "black-and-white photograph", "still life", "engraving": what to call the picture, without an article. */
export function nounOf(
  measures: Pick<Measures, 'subjects' | 'color' | 'isBlank'>,
  { content_type }: Pick<Given, 'content_type'>,
): string {
  const kind = content_type === 'photo' ? 'photograph' : 'artwork';
  const genres = shownIn(measures).genres.map(({ term }) => term);
  const made = genres.find((term) => MADE_AS.test(term));
  const genre = genres.find((term) => term !== made && !term.startsWith('abstract'));
  const depth =
    isColourless(measures) && !/drawing|engraving|etching|woodcut|sketch/u.test(made ?? '')
      ? 'black-and-white '
      : '';
  if (made) return `${depth}${made}`;
  if (genre)
    return `${depth}${content_type === 'photo' ? `${genre.replaceAll(' ', '-')} photograph` : genre}`;
  return `${depth}${kind}`;
}

/** Greys alone, as in black-and-white photographs and prints. */
export const isColourless = ({ color, isBlank }: Pick<Measures, 'color' | 'isBlank'>): boolean =>
  color.harmony.scheme === 'achromatic' && !isBlank;

/**
 * "a kitten appears with grass and flowers in this photograph", without a full stop: what networks have seen, and no relation between the things
 * but that they are in one picture. Undefined where they have seen nothing.
 * @param of what the picture is called, with its article @param count so many things at most
 */
export function subjectClause(measures: Measures, of: string, count: number): string | undefined {
  const { things, scenes } = shownIn(measures);
  const [first, ...others] = things.slice(0, count);
  const [scene] = scenes;
  const place = scene ? ` of ${withArticle(scene.term)}` : '';
  const faces = isAboutPeople(measures) ? facesPhrase(measures) : undefined;
  if (first) {
    const company = others.map(({ term }) => withArticle(term));
    const [who, isMany] =
      company.length === 0 || isAlive(first)
        ? [withArticle(first.term), isPlural(first.term)]
        : [joinWords([withArticle(first.term), ...company]), true];
    const beside = company.length > 0 && isAlive(first) ? ` with ${joinWords(company)}` : '';
    return `${who} ${isMany ? 'appear' : 'appears'}${beside} in ${of}${place}`;
  }
  if (faces)
    return faces.count === 1
      ? `${faces.who} appears${faces.where} ${faces.where.startsWith(' at') ? 'of' : 'in'} ${of}${place}`
      : `${faces.who}${faces.where}, appear in ${of}${place}`;
  if (scene) return `${withArticle(scene.term)} ${isPlural(scene.term) ? 'appear' : 'appears'} in ${of}`;
  if (measures.writing?.length) return `writing appears in ${of}`;
  if ((measures.people?.share ?? 0) >= PEOPLE_SHARE_MIN) return `one or more people appear in ${of}`;
  return undefined;
}

/** Part of the picture from which on people are what it shows. */
export const PEOPLE_SHARE_MIN = 0.04;

/** An animal or a person leads a sentence; things are named side by side. */
export const isAlive = ({ term, broader }: SeenSubject): boolean =>
  [term, ...broader].some((word) => word === 'animal' || PERSON.test(word));

/** The networks, each once, and how sure the least sure of them is, 0 to 1. */
export function joinSeen(
  used: readonly { readonly by: string; readonly confidence: number }[],
): { by: string; confidence: number } | undefined {
  if (used.length === 0) return undefined;
  return {
    by: [...new Set(used.flatMap(({ by }) => by.split(', ')))].join(', '),
    confidence: Math.min(...used.map(({ confidence }) => confidence)),
  };
}
