import { FACE_NETWORK } from '../../vision/network_names.ts';
import type { Seen, SeenSubject } from '../../vision/seen.ts';
import type { Measures } from '../analyse_picture.ts';
import { atPlace, placeName } from '../places.ts';
import { capitalise, joinWords, spellNumber } from './facts.ts';
import type { Given } from './given.ts';

type PeopleWordsSeen = Pick<Measures, 'faces' | 'people' | 'subjects'>;

/** Minimum height, as a share of the image, at which a single face is the subject. */
const PORTRAIT_HEIGHT = 0.12;
/** Higher counts are not reported: networks miss faces in a crowd. */
const SPELLED_OUT_MAX = 9;
/** Terms for people. If a network names one as the subject, the face adds no information. */
export const PERSON = /^(?:person|people|human|man|woman|child|boy|girl|baby)$/u;

/** Whether the faces belong to people. A single face in a picture of an animal is the animal's. */
export const isAboutPeople = ({ faces = [], subjects = [] }: PeopleWordsSeen): boolean =>
  faces.length > 0 && !(faces.length === 1 && isAnimal(subjects));

const isAnimal = (subjects: NonNullable<PeopleWordsSeen['subjects']>): boolean =>
  subjects.some(({ broader }) => broader.includes('animal')) &&
  !subjects.some(({ term, broader }) => [term, ...broader].some((word) => PERSON.test(word)));

interface Faces {
  /** "a face", "at least three faces". */
  readonly who: string;
  readonly count: number;
  /** " at the upper centre", ", the largest left of centre". */
  readonly where: string;
}

/** Undefined without faces. */
function facesPhrase({ faces = [] }: Pick<PeopleWordsSeen, 'faces'>): Faces | undefined {
  const largest = largestOf({ faces });
  if (!largest) return undefined;
  const place = atPlace(placeName({ x: largest.x + largest.width / 2, y: largest.y + largest.height / 2 }));
  if (faces.length === 1) return { who: 'a face', count: 1, where: ` ${place}` };
  const count = faces.length > SPELLED_OUT_MAX ? 'many' : `at least ${spellNumber(faces.length)}`;
  return { who: `${count} faces`, count: faces.length, where: `, the largest ${place}` };
}

/** "At least three faces can be seen, the largest at the upper centre. People cover about 40% of the picture." */
export function peopleSentences(seen: PeopleWordsSeen): string | undefined {
  const faces = facesPhrase(seen);
  const sentences = [
    ...(faces ? [`${capitalise(faces.who)} can be seen${faces.where}.`] : []),
    ...(seen.people && seen.people.share >= 0.01
      ? [`People cover about ${Math.round(100 * seen.people.share)}% of the picture.`]
      : []),
  ];
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}

/** Title of an image with faces. */
export function facesTitle(seen: PeopleWordsSeen): string | undefined {
  if (!isAboutPeople(seen)) return undefined;
  if (seen.faces!.length > 1) return 'Figures';
  return isPortrait(seen) ? 'Portrait' : 'Figure';
}

/** Search keywords. */
export function peopleKeywords(seen: PeopleWordsSeen): string[] {
  if (!isAboutPeople(seen)) return (seen.people?.share ?? 0) > 0.04 ? ['people'] : [];
  return seen.faces!.length > 1 ? ['people'] : isPortrait(seen) ? ['portrait', 'face'] : ['figure', 'face'];
}

/** Engines that detected people, and their confidence, 0 to 1. */
export const peopleSeenBy = ({
  faces = [],
  people,
}: PeopleWordsSeen): { by: string; confidence: number }[] => [
  ...(faces.length > 0
    ? [{ by: FACE_NETWORK, confidence: Math.max(...faces.map(({ score }) => score)) }]
    : []),
  ...(people && people.share >= 0.01 ? [{ by: people.by, confidence: people.confidence }] : []),
];

const isPortrait = ({ faces = [] }: Pick<PeopleWordsSeen, 'faces'>): boolean =>
  (faces[0]?.height ?? 0) >= PORTRAIT_HEIGHT;

const largestOf = ({ faces = [] }: Pick<PeopleWordsSeen, 'faces'>) =>
  faces.toSorted((one, other) => other.width * other.height - one.width * one.height)[0];

type Term = Pick<SeenSubject, 'term' | 'broader'>;

/** Number of a single noun: plural, uncountable or singular. */
const PLURALS =
  /(?:^|\s)(?:people|cattle|sheep|children|men|women|teeth|clergy|mice|geese|deer|fish|poultry)$/u;
const SINGULARS = /(?:ss|us|is|as|\bbus|\blens|\bgas|rhinoceros|albatross|cosmos|news|mathematics)$/u;
const ONLY_ONES =
  /^(?:sea|open sea|sky|blue sky|cloudy sky|grey sky|dramatic sky|starry sky|night sky|sun|moon|full moon|crescent moon|horizon|ocean|Milky Way|aurora borealis|countryside|Virgin Mary|Holy Family|Christ child|Buddha)$/u;
const STUFFS =
  /(?:^|\s)(?:grass|water|snow|ice|sand|food|fruit|bread|cheese|meat|wine|beer|coffee|tea|chocolate|smoke|fire|fog|mist|rain|snowfall|sunshine|wind|frost|drought|moonlight|surf|foliage|vegetation|moss|hair|fur|clothing|underwear|paint|make-up|jewellery|furniture|pottery|porcelain|armour|writing|text|calligraphy|lace|cloth|fabric|silk|velvet|wool|drapery|embroidery|wood|stone|metal|glass|paper|money|music|lightning|traffic|graffiti|machinery|lavender|wheat|corn|ivy|bamboo|architecture|nature|seafood|cooked fish|pasta|rice|soup|salad|honey|seaweed|soil|mud|dust|printed matter|kitchenware|waste|equipment|medical equipment|farmland|space|playing|harvest|rest|travel|flight|trade|prayer|worship|lighting|furnishing|rigging|broccoli|garlic|asparagus|lettuce|guacamole|sushi|mashed potato|hay|bark|rapeseed|concrete|rust|gold|silver|ivory|plastic|clay|ash|gravel|rubbish|wreckage|chalk|ham|chess|weather|scrollwork|personal care|spaghetti|water surface)$/u;
/** Capitalised terms in these groups are names: "Medusa", but not "German shepherd". */
const NAMED =
  /^(?:holy person|mythical being|god|goddess|personification|saint|gorgon|heavenly body|event)$/u;
/** Terms that are unusual in captions, with their replacement. */
const SAID: Readonly<Record<string, string>> = { mammal: 'animal', 'weasel family': 'animal' };

/** The term as used in captions. */
export const sayTerm = (term: string): string => SAID[term] ?? term;

/** Activities are uncountable, with these exceptions. */
const COUNTED_ACTIVITY = /(?:^|\s)(?:embrace|kiss|conversation|game)$/u;
/** Known scenes: "the crucifixion". */
const KNOWN = /^(?:religious|mythological|historical) scene$/u;

/** "a kitten", "an owl", "flowers", "grass", "the sea", "Medusa", "the crucifixion", and whether the verb is plural. */
export function termWords({ term, broader }: Term): { words: string; isMany: boolean } {
  const said = sayTerm(term);
  const [head = said] = said.split(/\s(?:of|in|on|with|at|for|from|under|and)\s/u);
  const isMany = isPlural(head);
  if (ONLY_ONES.test(said)) return { words: `the ${said}`, isMany: false };
  const isLarge = /^\p{Lu}/u.test(said) && !/(?:deity|immortal|scene)$/u.test(said);
  if (isLarge && broader.some((word) => NAMED.test(word) || KNOWN.test(word)))
    return { words: said, isMany: false };
  if (isMany || /^(?:the|three)\s/u.test(said) || isStuff(head)) return { words: said, isMany };
  if (broader.includes('activity') && !COUNTED_ACTIVITY.test(said)) return { words: said, isMany: false };
  if (broader.some((word) => KNOWN.test(word))) return { words: `the ${said}`, isMany: false };
  return { words: addArticle(said), isMany: false };
}

const isPlural = (word: string): boolean => PLURALS.test(word) || (/s$/u.test(word) && !SINGULARS.test(word));

const isStuff = (word: string): boolean => STUFFS.test(word);

export const addArticle = (words: string): string => `${startsWithVowel(words) ? 'an' : 'a'} ${words}`;

const startsWithVowel = (word: string): boolean =>
  /^(?:[aio]|e(?!w|u)|u(?!ni|s[ei]|k)|hour|heir|honest)/iu.test(word);

/** Known subjects of the image, in caption wording. */
export interface Shown {
  /** By confidence, without broader duplicates such as "cat" beside "kitten". */
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

/** Scenes for captions. Weather, time of day and views are for search only. */
export const placesToSay = (measures: Pick<Seen, 'subjects'>): Shown['scenes'] =>
  shownIn(measures).scenes.filter(({ term, broader }) =>
    broader.length === 0 ? !UNSAID.test(term) : !UNSAID.test(broader.at(-1)!),
  );
const UNSAID = /^(?:weather|season|time of day|view from above|space|close-up|spring|summer|autumn|winter)$/u;

/** Genres that name the technique; such a genre is used as the noun. */
const MADE_AS =
  /(?:painting|drawing|watercolou?r|engraving|etching|woodcut|mezzotint|linocut|print|photograph|poster|poster design|comic|cartoon|caricature|map|plan|chart|sculpture|statue|mosaic|screenshot|website|illustration|sketch|diagram|logo|logo design|advertisement|tapestry|manuscript|book|cover|pastel|collage|mural|fresco|lithograph|calligraphy|miniature|page|scroll|triptych|diptych|line art|rendering|pixel art)$/u;
/** Genres that precede the noun "photograph"; others stand alone. */
const BEFORE_PHOTOGRAPH = /^(?:self-portrait|(?:\S+ )?portrait|(?:\S+ )?still life|landscape|seascape)$/u;

/** Whether a genre names the technique. */
export const isMadeAs = ({ term }: SeenSubject): boolean => MADE_AS.test(term);

/** "photograph", "black-and-white photograph", "still life", "engraving": the noun for the image, without an article. */
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

/** Greyscale, as in black-and-white photographs and prints. */
export const isColourless = ({ color, isBlank }: Pick<Measures, 'color' | 'isBlank'>): boolean =>
  color.harmony.scheme === 'achromatic' && !isBlank;

/**
 * "a kitten appears with grass and flowers in this photograph", without a full stop. Names the detected subjects, but no relation between
 * them. Undefined without detected subjects.
 * @param of noun for the image, with its article
 * @param count maximum number of subjects
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
/** Terms that are not named beside people, who are more specific. */
const VAGUE =
  /^(?:clothing|material|structure|container|textile|furnishing|part of the body|head|face|hair)$/u;

/** The subjects to name in a sentence. */
export function thingsToSay(measures: Measures): Shown['things'] {
  const { things } = shownIn(measures);
  return isAboutPeople(measures) ? things.filter(({ term }) => !VAGUE.test(term)) : things;
}

/** Animals and people come first; other subjects are listed. */
function thingsClause(things: Shown['things'], of: string): string {
  const [first, ...others] = things.map(termWords);
  const company = joinWords(others.map(({ words }) => words));
  if (company === '') return `${first!.words} ${first!.isMany ? 'appear' : 'appears'} in ${of}`;
  return isAlive(things[0]!)
    ? `${first!.words} ${first!.isMany ? 'appear' : 'appears'} with ${company} in ${of}`
    : `${joinWords([first!, ...others].map(({ words }) => words))} appear in ${of}`;
}

/** Minimum share of the image at which people are the subject. */
export const PEOPLE_SHARE_MIN = 0.04;

/** Whether the subject is an animal or a person, which comes first in a sentence. */
export const isAlive = ({ term, broader }: SeenSubject): boolean =>
  [term, ...broader].some((word) => ALIVE.test(word) || PERSON.test(word));
const ALIVE = /^(?:animal|holy person|mythical being)$/u;

/** The networks without duplicates, and the lowest confidence among them, 0 to 1. */
export function joinSeen(
  used: readonly { readonly by: string; readonly confidence: number }[],
): { by: string; confidence: number } | undefined {
  if (used.length === 0) return undefined;
  return {
    by: [...new Set(used.flatMap(({ by }) => by.split(', ')))].join(', '),
    confidence: Math.min(...used.map(({ confidence }) => confidence)),
  };
}
