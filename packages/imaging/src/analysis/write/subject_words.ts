import type { Seen, SeenSubject } from '../../vision/seen.ts';
import type { Measures } from '../analyse_picture.ts';
import { joinWords } from './facts.ts';
import type { Given } from './given.ts';
import { facesPhrase, isAboutPeople, PERSON } from './people_words.ts';
import { termWords } from './term_words.ts';

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

/** The scenes a picture can be said to be of: weather, hours and views are for search alone. */
export const placesToSay = (measures: Pick<Seen, 'subjects'>): Shown['scenes'] =>
  shownIn(measures).scenes.filter(({ term, broader }) =>
    broader.length === 0 ? !UNSAID.test(term) : !UNSAID.test(broader.at(-1)!),
  );
const UNSAID = /^(?:weather|season|time of day|view from above|space|close-up|spring|summer|autumn|winter)$/u;

/** Words for how a picture was made: such a genre is the noun itself. */
const MADE_AS =
  /(?:painting|drawing|watercolou?r|engraving|etching|woodcut|mezzotint|linocut|print|photograph|poster|poster design|comic|cartoon|caricature|map|plan|chart|sculpture|statue|mosaic|screenshot|website|illustration|sketch|diagram|logo|logo design|advertisement|tapestry|manuscript|book|cover|pastel|collage|mural|fresco|lithograph|calligraphy|miniature|page|scroll|triptych|diptych|line art|rendering|pixel art)$/u;
/** Of photographs, what stands before the noun; other genres stand alone. */
const BEFORE_PHOTOGRAPH = /^(?:self-portrait|(?:\S+ )?portrait|(?:\S+ )?still life|landscape|seascape)$/u;

/** Whether a genre says how the picture was made. */
export const isMadeAs = ({ term }: SeenSubject): boolean => MADE_AS.test(term);

/** "photograph", "black-and-white photograph", "still life", "engraving": what to call the picture, without an article. */
export function nounOf(
  measures: Pick<Measures, 'subjects' | 'color' | 'isBlank'>,
  { content_type }: Pick<Given, 'content_type'>,
): string {
  const isPhoto = content_type === 'photo';
  const genres = shownIn(measures).genres.map(({ term }) => term);
  const noun =
    genres.find((term) => MADE_AS.test(term)) ??
    genreNoun(genres[0], isPhoto) ??
    (isPhoto ? 'photograph' : 'artwork');
  return isColourless(measures) &&
    !/drawing|engraving|etching|woodcut|sketch|black|line art|page|book/u.test(noun)
    ? `black-and-white ${noun}`
    : noun;
}

function genreNoun(genre: string | undefined, isPhoto: boolean): string | undefined {
  if (!genre || !isPhoto) return genre;
  return BEFORE_PHOTOGRAPH.test(genre)
    ? `${genre.replaceAll(' ', '-')} photograph`
    : genre.replace(/ picture$/u, ' photograph');
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
  const places = placesToSay(measures).slice(0, PLACES_MAX);
  const whole =
    places.length > 0 ? `${of} of ${joinWords(places.map((place) => termWords(place).words))}` : of;
  const faces = isAboutPeople(measures) ? facesPhrase(measures) : undefined;
  const things = thingsToSay(measures).slice(0, count);
  if (things.length > 0) return thingsClause(things, whole);
  if (faces)
    return faces.count === 1
      ? `${faces.who} appears${faces.where} ${faces.where.startsWith(' at') ? 'of' : 'in'} ${whole}`
      : `${faces.who}${faces.where}, appear in ${whole}`;
  if (places.length > 0) return thingsClause(places.slice(0, 1), of);
  if (measures.writing?.length) return `writing appears in ${of}`;
  if ((measures.people?.share ?? 0) >= PEOPLE_SHARE_MIN) return `one or more people appear in ${of}`;
  return undefined;
}

const PLACES_MAX = 2;
/** Said only where there is nothing better to say: a face is. */
const VAGUE =
  /^(?:clothing|material|structure|container|textile|furnishing|part of the body|head|face|hair)$/u;

/** The things a sentence names. */
export function thingsToSay(measures: Measures): Shown['things'] {
  const { things } = shownIn(measures);
  return isAboutPeople(measures) ? things.filter(({ term }) => !VAGUE.test(term)) : things;
}

/** Animals and people lead, others are named side by side. */
function thingsClause(things: Shown['things'], of: string): string {
  const [first, ...others] = things.map(termWords);
  const company = joinWords(others.map(({ words }) => words));
  if (company === '') return `${first!.words} ${first!.isMany ? 'appear' : 'appears'} in ${of}`;
  return isAlive(things[0]!)
    ? `${first!.words} ${first!.isMany ? 'appear' : 'appears'} with ${company} in ${of}`
    : `${joinWords([first!, ...others].map(({ words }) => words))} appear in ${of}`;
}

/** Part of the picture from which on people are what it shows. */
export const PEOPLE_SHARE_MIN = 0.04;

/** An animal or a person leads a sentence; things are named side by side. */
export const isAlive = ({ term, broader }: SeenSubject): boolean =>
  [term, ...broader].some((word) => ALIVE.test(word) || PERSON.test(word));
const ALIVE = /^(?:animal|holy person|mythical being)$/u;

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
