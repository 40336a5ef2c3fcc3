import { oklabDistance, oklabOf } from '../../pixels/oklab.ts';
import { roundTo } from '../../pixels/round_to.ts';
import type { SeenSubject } from '../../vision/seen.ts';
import type { Measures } from '../analyse_picture.ts';
import type { NamedColor } from '../measure_color.ts';
import { titleFromContext } from './context_words.ts';
import { capitalise, type Fact, joinWords, measuredFact } from './facts.ts';
import type { Given } from './given.ts';
import { facesTitle, isAboutPeople, peopleSeenBy } from './people_words.ts';
import {
  isAlive,
  isColourless,
  joinSeen,
  nounOf,
  placesToSay,
  shownIn,
  thingsToSay,
} from './subject_words.ts';
import { sayTerm, termWords } from './term_words.ts';

/**
 * A title where none was given: what the brief calls the picture, else what networks have seen in it ("Still Life with
 * Flowers"), else its colours in the manner of "Arrangement in Grey and Black".
 */
export function suggestTitle(measures: Measures, given: Given): Fact {
  const told = titleFromContext(given.context);
  if (told) return { value: told, basis: 'given', confidence: 0.6 };
  const { genres } = shownIn(measures);
  const things = thingsToSay(measures).slice(0, 2);
  const shown = things.length === 0 && !isAboutPeople(measures) ? placesToSay(measures).slice(0, 1) : things;
  const genre = genres.find(({ term }) => LEADS.test(term));
  const seen = joinSeen([...shown, ...(genre ? [genre] : [])]);
  if (seen) {
    const names = shown.map(({ term }) => sayTerm(term));
    const value = genre
      ? titleOfGenre(genre.term, shown)
      : names.join(isAlive(shown[0]!) ? ' with ' : ' and ');
    return {
      value: titleCase(value),
      basis: 'model',
      confidence: roundTo(0.6 * seen.confidence, 2),
      by: seen.by,
    };
  }
  const people = facesTitle(measures);
  if (people) {
    const { by } = peopleSeenBy(measures)[0]!;
    return { value: `${people} in ${colorsOf(measures)}`, basis: 'model', confidence: 0.4, by };
  }
  return { ...measuredFact(titleByLook(measures, given)), confidence: 0.3 };
}

/** Genres that museums begin a title with. */
const LEADS =
  /^(?:(?:\S+ )?still life|landscape(?: picture)?|seascape|cityscape|city view|(?:\S+ )?portrait|self-portrait|portrait of .+|interior view|nude study|flower piece|allegory)$/u;

/** "Still Life with Flowers", "Portrait of a Woman". */
function titleOfGenre(term: string, shown: readonly SeenSubject[]): string {
  const genre = term.replace(/ picture$/u, '');
  const [first] = shown;
  if (!first || genre.includes(' of ')) return genre;
  if (genre === 'portrait') return `portrait of ${termWords(first).words}`;
  return `${genre} with ${joinWords(shown.map(({ term }) => sayTerm(term)))}`;
}

function titleByLook(measures: Measures, given: Given): string {
  const { subject, isBlank, color } = measures;
  if (isBlank) return `Field of ${titleCase(color.palette[0]!.name)}`;
  if (subject.textLines > 0) return `Page in ${colorsOf(measures)}`;
  if (subject.pattern) return `Pattern in ${colorsOf(measures)}`;
  const noun = nounOf(measures, given);
  if (isColourless(measures)) return titleCase(noun);
  return `${noun === 'artwork' ? 'Composition' : titleCase(noun)} in ${colorsOf(measures)}`;
}

function colorsOf({ color }: Measures): string {
  const second = findContrasting(color.palette);
  return titleCase([color.palette[0]!.name, ...(second ? [second.name] : [])].join(' and '));
}

/** The entry that differs most from the first, of those that cover a twentieth; none that has its name. */
function findContrasting([first, ...others]: readonly NamedColor[]): NamedColor | undefined {
  const [lab, ...labs] = [first!, ...others].map(({ hex }) => {
    const color = Number.parseInt(hex.slice(1), 16);
    return oklabOf(color >> 16, (color >> 8) & 255, color & 255);
  });
  const distances = others.map(({ name, share }, index) =>
    name === first!.name || share < 5 ? 0 : oklabDistance(lab!, labs[index]!),
  );
  const most = Math.max(0, ...distances);
  return most > 0 ? others[distances.indexOf(most)] : undefined;
}

const SMALL = new Set(['and', 'of', 'with', 'in', 'on', 'a', 'an', 'the']);

const titleCase = (text: string): string =>
  text
    .split(' ')
    .map((word, at) => (at > 0 && SMALL.has(word) ? word : capitalise(word)))
    .join(' ')
    .replace(/-(?!and-)(\p{L})/gu, (_, letter: string) => `-${letter.toUpperCase()}`);
