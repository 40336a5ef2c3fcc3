import type { SeenSubject } from '../../vision/seen.ts';

type Term = Pick<SeenSubject, 'term' | 'broader'>;

/** What a lone word is to the ear: many of them, a stuff that is not counted, or the one there is. */
const PLURALS =
  /(?:^|\s)(?:people|cattle|sheep|children|men|women|teeth|clergy|mice|geese|deer|fish|poultry)$/u;
const SINGULARS = /(?:ss|us|is|as|\bbus|\blens|\bgas|rhinoceros|albatross|cosmos|news|mathematics)$/u;
const ONLY_ONES =
  /^(?:sea|open sea|sky|blue sky|cloudy sky|grey sky|dramatic sky|starry sky|night sky|sun|moon|full moon|crescent moon|horizon|ocean|Milky Way|aurora borealis|countryside|Virgin Mary|Holy Family|Christ child|Buddha)$/u;
const STUFFS =
  /(?:^|\s)(?:grass|water|snow|ice|sand|food|fruit|bread|cheese|meat|wine|beer|coffee|tea|chocolate|smoke|fire|fog|mist|rain|snowfall|sunshine|wind|frost|drought|moonlight|surf|foliage|vegetation|moss|hair|fur|clothing|underwear|paint|make-up|jewellery|furniture|pottery|porcelain|armour|writing|text|calligraphy|lace|cloth|fabric|silk|velvet|wool|drapery|embroidery|wood|stone|metal|glass|paper|money|music|lightning|traffic|graffiti|machinery|lavender|wheat|corn|ivy|bamboo|architecture|nature|seafood|cooked fish|pasta|rice|soup|salad|honey|seaweed|soil|mud|dust|printed matter|kitchenware|waste|equipment|medical equipment|farmland|space|playing|harvest|rest|travel|flight|trade|prayer|worship|lighting|furnishing|rigging|broccoli|garlic|asparagus|lettuce|guacamole|sushi|mashed potato|hay|bark|rapeseed|concrete|rust|gold|silver|ivory|plastic|clay|ash|gravel|rubbish|wreckage|chalk|ham|chess|weather|scrollwork|personal care|spaghetti|water surface)$/u;
/** Of these a word written large is a name: "Medusa", not "German shepherd". */
const NAMED =
  /^(?:holy person|mythical being|god|goddess|personification|saint|gorgon|heavenly body|event)$/u;
/** Terms no caption would use, and what it says. */
const SAID: Readonly<Record<string, string>> = { mammal: 'animal', 'weasel family': 'animal' };

/** As a caption says it. */
export const sayTerm = (term: string): string => SAID[term] ?? term;

/** What goes on is not counted, but for a few. */
const COUNTED_ACTIVITY = /(?:^|\s)(?:embrace|kiss|conversation|game)$/u;
/** Known scenes: "the crucifixion". */
const KNOWN = /^(?:religious|mythological|historical) scene$/u;

/** "a kitten", "an owl", "flowers", "grass", "the sea", "Medusa", "the crucifixion", and whether its verb stands in the plural. */
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
