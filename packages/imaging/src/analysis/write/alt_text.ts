import type { Measures } from '../analyse_picture.ts';
import { atPlace } from '../places.ts';
import { colorWords, leadingColors } from './color_words.ts';
import { figureOf, heightWords, horizonOf } from './composition_words.ts';
import { closeSentence, fitSentences, tellingSentences } from './context_words.ts';
import { capitalise, joinWords } from './facts.ts';
import { type Given, oneLine } from './given.ts';
import { isColourless, nounOf, shownIn, subjectClause } from './subject_words.ts';

/** Screen readers read alt text in one go: what is longer belongs into the description. */
const ALT_CHARACTERS_MAX = 125;
/** Of what the caller tells at least so much is said, however long the title is. */
const TOLD_CHARACTERS_MIN = 40;
const THINGS_MAX = 3;

/**
 * For people who cannot see the picture: names, what the caller or a museum says is shown, what networks have seen, and looks
 * only where there is room. Whole sentences, without "image of". Source: W3C, "An alt Decision Tree" and WCAG 2.2, 1.1.1.
 */
export function altText(measures: Measures, given: Given): string {
  const named = nameOf(given);
  const told = toldOf(
    given,
    Math.max(TOLD_CHARACTERS_MIN, ALT_CHARACTERS_MAX - (named ? named.length + 2 : 0)),
  );
  const known = [named, told].filter(Boolean).map(closeSentence);
  const isTold = (term: string) => wordsOf(known.join(' ')).includes(wordsOf(term));
  const { things, scenes } = shownIn(measures);
  const [leader = scenes[0]] = things;
  const seen = leader && isTold(leader.term) ? [] : seenSentences(measures, given);
  const looks =
    known.length > 0 || seen.length > 0 ? colorSentences(measures) : looksSentences(measures, given);
  let text = known.join(' ');
  for (const wordings of [seen, looks]) {
    const fitting = wordings.find((wording) => joined(text, wording).length <= ALT_CHARACTERS_MAX);
    if (fitting !== undefined) text = joined(text, fitting);
  }
  return text || looks.at(-1)!;
}

/** In small letters, each word between spaces. */
const wordsOf = (text: string): string =>
  ` ${(text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ')} `;

const joined = (text: string, more: string): string => (text ? `${text} ${more}` : more);

/** "Cypresses by Vincent van Gogh (1889)"; empty where nothing was given. */
function nameOf(given: Given): string {
  const [title, artist, year] = [given.title, given.artist_name, given.creation_year].map(oneLine);
  return [title, artist && (title ? `by ${artist}` : `By ${artist}`), year && `(${year})`]
    .filter(Boolean)
    .join(' ');
}

/** What is shown as the caller or a museum has it; of a museum's subjects the first few. */
function toldOf({ museum, context }: Given, charactersMax: number): string {
  if (museum)
    return museum.subjects.length > 0
      ? `Subjects: ${museum.subjects.slice(0, 5).map(oneLine).join(', ')}`
      : '';
  return fitSentences(tellingSentences(context), charactersMax);
}

/** From the longest wording to the shortest; none where no network has seen anything. */
function seenSentences(measures: Measures, given: Given): string[] {
  const dark = measures.tone.key === 'low key' ? 'dark ' : '';
  const noun = nounOf(measures, given);
  return [THINGS_MAX, 2, 1].flatMap((count) => {
    const clause = subjectClause(measures, `this ${dark}${noun}`, count);
    return clause ? [`${capitalise(clause)}.`] : [];
  });
}

/** Colours in a sentence of their own; of greys, which the picture's name says, where they are lightest. */
function colorSentences(measures: Measures): string[] {
  const { brightest, darkest } = measures.light;
  if (measures.isBlank || (isColourless(measures) && brightest === darkest)) return [];
  if (isColourless(measures))
    return [` and darkest ${atPlace(darkest)}`, ''].map(
      (more) => `The picture is lightest ${atPlace(brightest)}${more}.`,
    );
  const names = leadingColors(measures.color.palette).map(({ name }) => name);
  return [3, 2, 1].map((count) => {
    const some = names.slice(0, count);
    return some.length > 1 ? `The main colours are ${joinWords(some)}.` : `The main colour is ${some[0]}.`;
  });
}

/** Where nobody has said what is shown: how it looks, from the longest wording to the shortest. */
function looksSentences(measures: Measures, given: Given): string[] {
  const noun = nounOf(measures, given);
  if (measures.isBlank) return [`This ${noun} is one plain field of ${measures.color.palette[0]!.name}.`];
  const dark =
    measures.tone.key === 'low key' ? 'dark ' : measures.tone.key === 'high key' ? 'light-toned ' : '';
  const form = formSentence(measures, noun);
  if (form) return [...colorSentences(measures).map((colors) => `${form} ${colors}`), form];
  const names = colorWords(measures.color.palette).map(({ name }) => name);
  const { brightest, darkest } = measures.light;
  const where = brightest === darkest ? '' : `lightest ${atPlace(brightest)}`;
  const places = where ? [`${where} and darkest ${atPlace(darkest)}`, where, ''] : [''];
  return places.map((place) =>
    isColourless(measures)
      ? `This ${dark}${noun} is ${place || `mainly ${joinWords(names.slice(0, 2))}`}.`
      : `This ${dark}${noun} is mainly ${joinWords(names.slice(0, 3))}${place && `, ${place}`}.`,
  );
}

/** What form tells that words can give a reader who does not see it. */
function formSentence(measures: Measures, noun: string): string | undefined {
  const { subject } = measures;
  const [horizon, figure] = [horizonOf(measures), figureOf(measures)];
  if (subject.textLines > 0) return `Lines of writing fill part of this ${noun}.`;
  if (figure)
    return `One form or group stands out from the plain ground of this ${noun}, ${atPlace(figure.place)}.`;
  if (horizon) return `A level line, like a horizon, crosses this ${noun} ${heightWords(horizon.height)}.`;
  return subject.pattern ? `One motif repeats across this ${noun}.` : undefined;
}
