import { hasSameLetters, inWords } from '../../definitions/spellings.ts';
import { MUSEUM_NAMES, MUSEUMS } from '../museums/museums.ts';
import { SEARCH_QUERY_CHARACTERS_MAX } from './limits.ts';

/** Museums by their own names, with "The" or without. */
const BY_NAME = inWords({
  ...{ all: '', any: '' },
  ...Object.fromEntries(
    MUSEUM_NAMES.flatMap((name) =>
      [name, MUSEUMS[name].name.replace(/^The /, '')].flatMap((long) => [
        [long, name],
        [`The ${long}`, name],
      ]),
    ),
  ),
});

/** "Rijksmuseum, Amsterdam", "metmuseum": a museum whose name, or short name with "museum", stands among the words. */
function museumAmong(sent: unknown): string | undefined {
  if (typeof sent !== 'string' || sent.length > SEARCH_QUERY_CHARACTERS_MAX) return undefined;
  const parts = [...sent.split(/\s*[,(/]\s*|\s+/u), ...sent.split(/\s*[,(]\s*/u)];
  const named = MUSEUM_NAMES.filter((name) =>
    parts.some((part) =>
      [name, `${name}museum`, MUSEUMS[name].name, `The ${MUSEUMS[name].name}`].some((known) =>
        hasSameLetters(known, part),
      ),
    ),
  );
  return named.length === 1 ? named[0] : undefined;
}

/** The museum that is meant; undefined where that would be a guess. */
export const museumIn = (sent: unknown): unknown => BY_NAME(sent) ?? museumAmong(sent);
