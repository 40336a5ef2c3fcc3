import { readFileSync } from 'node:fs';
import type { Language } from './fields.ts';
import { fold, wordsOf } from './fold.ts';
import type { Period, Term } from './types.ts';

interface Style {
  /** Names of the style, school or period. */
  readonly names: readonly string[];
  /** Years and places of its works; a style without years is recognised by its makers alone. */
  readonly period?: Period;
  readonly makers?: readonly string[];
}

const IMPRESSIONISTS =
  'claude monet, renoir, degas, pissarro, sisley, mary cassatt, berthe morisot, caillebotte, guillaumin, bazille, childe hassam, isaac israels, breitner';

const style = (names: string, from?: number, to?: number, places = '', makers = ''): Style => {
  const list = (text: string) => text.split(', ').filter(Boolean);
  return {
    names: list(names),
    ...(from !== undefined && to !== undefined && { period: { from, to, places: list(places) } }),
    makers: list(makers),
  };
};

/**
 * Styles, schools and periods with years, places and makers, from general knowledge. Year ranges follow
 * textbooks.
 */
const STYLES: readonly Style[] = [
  style('renaissance', 1400, 1600),
  style('italian renaissance, renaissance italy', 1400, 1600, 'italy, rome, venice, florence'),
  style('northern renaissance', 1420, 1600, 'dutch, german, antwerp'),
  style('high renaissance', 1490, 1530, 'italy, rome, venice, florence'),
  style(
    'mannerism, mannerist, manierisme',
    1520,
    1610,
    '',
    'parmigianino, bronzino, pontormo, goltzius, spranger, el greco, cornelis van haarlem',
  ),
  style('baroque, barok, barock', 1600, 1740),
  style('rococo, rokoko', 1715, 1780, '', 'watteau, boucher, fragonard, tiepolo'),
  style(
    'neoclassicism, neoclassical, classicism',
    1760,
    1830,
    '',
    'ingres, jacques louis david, canova, flaxman',
  ),
  style(
    'romanticism, romantic',
    1790,
    1850,
    '',
    'delacroix, gericault, turner, caspar david friedrich, john martin',
  ),
  style(
    'impressionism, impressionist, impressionists, impressionisme, impressionismus',
    undefined,
    undefined,
    '',
    IMPRESSIONISTS,
  ),
  style(
    'post impressionism, post impressionist, postimpressionism',
    undefined,
    undefined,
    '',
    'van gogh, cezanne, gauguin, seurat, signac, toulouse lautrec, emile bernard, henri rousseau',
  ),
  style(
    'pointillism, neo impressionism, divisionism',
    undefined,
    undefined,
    '',
    'seurat, signac, henri edmond cross, theo van rysselberghe, jan toorop',
  ),
  style(
    'pre raphaelite, pre raphaelites, preraphaelite',
    undefined,
    undefined,
    '',
    'dante gabriel rossetti, millais, william holman hunt, edward burne jones, ford madox brown',
  ),
  style(
    'symbolism, symbolist',
    undefined,
    undefined,
    '',
    'odilon redon, gustave moreau, puvis de chavannes, fernand khnopff, jan toorop',
  ),
  style(
    'hague school, haagse school',
    undefined,
    undefined,
    '',
    'jozef israels, anton mauve, jacob maris, willem maris, matthijs maris, weissenbruch, mesdag, willem roelofs, bosboom, blommers, neuhuys, paul joseph constantin gabriel',
  ),
  style(
    'barbizon school, barbizon',
    undefined,
    undefined,
    '',
    'camille corot, jean francois millet, theodore rousseau, daubigny, diaz de la pena, constant troyon, jules dupre, charles jacque',
  ),
  style(
    'hudson river school',
    undefined,
    undefined,
    '',
    'thomas cole, frederic edwin church, bierstadt, asher brown durand, kensett, sanford gifford, cropsey, thomas moran, martin johnson heade, george inness',
  ),
  style(
    'ashcan school',
    undefined,
    undefined,
    '',
    'robert henri, john sloan, george bellows, william glackens, george luks, everett shinn',
  ),
  style(
    'utrecht caravaggism, utrecht caravaggisti, caravaggisti',
    undefined,
    undefined,
    '',
    'gerard van honthorst, hendrick ter brugghen, dirck van baburen, caravaggio',
  ),
  style(
    'delft school, school of delft',
    undefined,
    undefined,
    '',
    'johannes vermeer, pieter de hooch, carel fabritius, emanuel de witte',
  ),
  style(
    'school of fontainebleau, fontainebleau school',
    1528,
    1610,
    'france',
    'primaticcio, rosso fiorentino, leon davent, antonio fantuzzi',
  ),
  style(
    'little masters, kleinmeister',
    undefined,
    undefined,
    '',
    'hans sebald beham, barthel beham, georg pencz, heinrich aldegrever, albrecht altdorfer',
  ),
  style('dutch golden age, golden age, gouden eeuw', 1588, 1690, 'dutch'),
  style(
    'art nouveau, jugendstil',
    1888,
    1912,
    '',
    'toulouse lautrec, alphonse mucha, jules cheret, theo van hoytema',
  ),
  style('arts and crafts', 1860, 1915, '', 'william morris'),
  style('victorian, victorian era', 1837, 1901, 'english'),
  style('georgian, georgian era', 1714, 1830, 'english'),
  style('elizabethan', 1558, 1603, 'english'),
  style('medieval, middle ages, middeleeuwen', 500, 1450),
  style('gothic, gotiek', 1150, 1500),
  style('romanesque, romaans', 1000, 1200),
  style('byzantine', 330, 1453, 'byzantine'),
  style(
    'ukiyo e, ukiyoe, ukiyo',
    1670,
    1900,
    'japan',
    'utamaro, hokusai, hiroshige, harunobu, sharaku, kuniyoshi, kunisada, kiyonaga',
  ),
  style('edo period, edo era, edo', 1603, 1868, 'japan'),
  style('meiji, meiji period, meiji era', 1868, 1912, 'japan'),
  style('momoyama, momoyama period', 1573, 1615, 'japan'),
  style('muromachi, muromachi period', 1336, 1573, 'japan'),
  style('kamakura, kamakura period', 1185, 1333, 'japan'),
  style('heian, heian period', 794, 1185, 'japan'),
  style('ming, ming dynasty, ming period', 1368, 1644, 'china'),
  style('qing, qing dynasty, qing period, ching dynasty', 1644, 1912, 'china'),
  style('kangxi, kangxi period', 1662, 1722, 'china'),
  style('yuan dynasty', 1271, 1368, 'china'),
  style('song dynasty, sung dynasty', 960, 1279, 'china'),
  style('tang dynasty, tang', 618, 907, 'china'),
  style('han dynasty', -206, 220, 'china'),
  style('joseon, joseon dynasty, choson', 1392, 1910, 'korea'),
  style('goryeo, goryeo dynasty, koryo', 918, 1392, 'korea'),
  style('mughal, mughal period, mogul', 1526, 1857, 'india'),
  style('safavid, safavid period', 1501, 1736, 'iran'),
  style('tudor, tudor period', 1485, 1603, 'english'),
  style('jacobean', 1603, 1625, 'english'),
  style('restoration england, stuart period', 1603, 1714, 'english'),
  style('regency england, regency period', 1800, 1830, 'english'),
  style('edwardian, edwardian era', 1901, 1910, 'english'),
  style('louis xiv, louis quatorze, sun king', 1643, 1715, 'france'),
  style('louis xv, louis quinze', 1715, 1774, 'france'),
  style('louis xvi, louis seize', 1774, 1792, 'france'),
  style('french revolution', 1789, 1799, 'france'),
  style('napoleonic era, napoleonic', 1799, 1815, 'france'),
  style('second empire', 1852, 1870, 'france'),
  style('belle epoque', 1871, 1914, 'france'),
  style('fin de siecle', 1880, 1910),
  style('biedermeier', 1815, 1848, 'german'),
  style('art deco', 1918, 1940),
  style('interwar, interwar years, between the wars', 1918, 1939),
  style('gilded age', 1865, 1901, 'american'),
  style('federal period', 1780, 1830, 'american'),
  style('colonial america', 1607, 1776, 'american'),
  style('carolingian', 751, 987),
  style('ottonian', 919, 1024),
  style('viking age, viking', 793, 1066),
  style('hellenistic, hellenistic period', -323, -30, 'greece'),
  style('archaic greece, archaic greek', -700, -480, 'greece'),
  style('classical greece, classical greek', -480, -323, 'greece'),
  style('old kingdom', -2649, -2130, 'egypt'),
  style('middle kingdom', -2030, -1640, 'egypt'),
  style('new kingdom', -1550, -1070, 'egypt'),
  style('ptolemaic, ptolemaic period', -304, -30, 'egypt'),
  style('sasanian, sasanian period, sassanian', 224, 651, 'iran'),
  style('achaemenid', -550, -330, 'iran'),
  style('timurid, timurid period', 1370, 1507, 'iran'),
  style('qajar, qajar period', 1789, 1925, 'iran'),
  style('ottoman, ottoman period, ottoman empire', 1299, 1922, 'turkish'),
  style('zhou dynasty', -1046, -256, 'china'),
  style('shang dynasty', -1600, -1046, 'china'),
  style('qianlong, qianlong period', 1736, 1795, 'china'),
  style('wanli, wanli period', 1573, 1620, 'china'),
  style('tokugawa, tokugawa period, tokugawa era', 1603, 1868, 'japan'),
  style('taisho, taisho period, taisho era', 1912, 1926, 'japan'),
  style('showa, showa period, showa era', 1926, 1989, 'japan'),
  style('nara period', 710, 794, 'japan'),
  style('ancient egypt, ancient egyptian', -3200, 30, 'egypt'),
  style('ancient greece, ancient greek', -900, -30, 'greece'),
  style('ancient rome, ancient roman, roman empire', -500, 476, 'roman'),
];

/** Makers with several names, used in all catalogues. */
const MAKERS: readonly (readonly string[])[] = [
  ['titian', 'tiziano vecellio', 'tiziano', 'titiaan', 'titien'],
  ['raphael', 'raffaello sanzio', 'raffaello', 'rafael'],
  ['leonardo', 'leonardo da vinci', 'da vinci'],
  ['michelangelo', 'michelangelo buonarroti'],
  ['caravaggio', 'michelangelo merisi'],
  ['el greco', 'domenikos theotokopoulos'],
  ['tintoretto', 'jacopo robusti'],
  ['veronese', 'paolo caliari'],
  ['parmigianino', 'francesco mazzola'],
  ['guercino', 'giovanni francesco barbieri'],
  ['canaletto', 'giovanni antonio canal'],
  ['botticelli', 'alessandro filipepi'],
  ['bruegel', 'brueghel', 'breughel'],
  ['hiroshige', 'ando hiroshige', 'utagawa hiroshige', '歌川広重', '安藤広重', '広重'],
  ['hokusai', 'katsushika hokusai', '葛飾北斎', '北斎'],
  ['utamaro', 'kitagawa utamaro', '喜多川歌麿', '歌麿'],
  ['kuniyoshi', 'utagawa kuniyoshi', '歌川国芳', '国芳'],
  ['kunisada', 'utagawa kunisada', '歌川国貞', '国貞'],
  ['harunobu', 'suzuki harunobu', '鈴木春信', '春信'],
  ['sharaku', 'toshusai sharaku', '東洲斎写楽', '写楽'],
  ['kiyonaga', 'torii kiyonaga', '鳥居清長', '清長'],
  ['yoshitoshi', 'tsukioka yoshitoshi', '月岡芳年', '芳年'],
  ['kiyochika', 'kobayashi kiyochika', '小林清親', '清親'],
  ['hasui', 'kawase hasui', '川瀬巴水', '巴水'],
  ['claude lorrain', 'claude gellee', 'lorrain'],
  ['jordaens', 'jordaans'],
  ['van dyck', 'anthony van dyck', 'antoon van dyck', 'dijck'],
  ['durer', 'albrecht durer', 'duerer'],
  ['bosch', 'hieronymus bosch', 'jheronimus bosch'],
  ['manet', 'edouard manet'],
  ['whistler', 'james mcneill whistler'],
];

/** Catalogue language of the columns in subjects.txt; the other columns are query languages. */
const CATALOGUES: Readonly<Record<string, Language>> = {
  en: 'english',
  nl: 'dutch',
  fr: 'french',
  de: 'german',
};

interface Subject {
  /** Its terms by column, folded. */
  readonly terms: ReadonlyMap<string, readonly string[]>;
}

/**
 * Narrower subjects of general words, by the first English term of each: records name the animal, and rarely
 * call it an animal.
 */
const NARROWER: Readonly<Record<string, string>> = {
  animal:
    'horse, cow, cattle, donkey, dog, cat, bird, goat, sheep, pig, rabbit, deer, bear, lion, tiger, leopard, elephant, rhinoceros, camel, monkey, mouse, rat, fox, wolf, squirrel, fish, whale, frog, turtle, snake, crocodile, dragon, unicorn, boar, ox',
  bird: 'eagle, owl, heron, crane, swan, duck, goose, peacock, parrot, rooster, chicken, crow, dove, falcon, swallow, sparrow, turkey',
  pet: 'dog, cat, bird, parrot, rabbit, monkey, squirrel',
  insect: 'butterfly, dragonfly, bee, fly, spider',
  flower: 'rose, tulip, lily, iris, peony, sunflower, chrysanthemum, cherry blossom, lotus, poppy',
  people: 'woman, man, child, girl, boy',
  tree: 'oak, willow, pine, palm tree',
  weapon: 'sword, gun, bow and arrow, cannon, shield',
  'musical instrument': 'lute, violin, guitar, flute, harp, organ, piano, virginal, drum, trumpet, bagpipe',
  fruit: 'apple, grape, grapes, lemon, orange, peach, cherry',
};

const normalised = (words: string) => wordsOf(fold(words)).join(' ');

/**
 * Subjects, types of work and places with their terms in seven languages. Written from general knowledge and
 * general dictionaries, then checked against the words of catalogues (docs/decisions/0038-search.md).
 */
const SUBJECTS: readonly Subject[] = readSubjects(
  readFileSync(new URL('./subjects.txt', import.meta.url), 'utf8'),
);

function readSubjects(text: string): Subject[] {
  const [names, ...rows] = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.split(',').map(normalised).filter(Boolean)));
  return rows.map((cells) => ({ terms: new Map(cells.map((cell, at) => [names![at]![0]!, cell])) }));
}

/** A subject with a given term, and the columns that contain it. */
interface Reading {
  readonly subject: Subject;
  readonly columns: readonly string[];
}

const READINGS = new Map<string, Reading[]>();
for (const subject of SUBJECTS) {
  const columns = new Map<string, string[]>();
  for (const [column, terms] of subject.terms)
    for (const term of terms) columns.set(term, [...(columns.get(term) ?? []), column]);
  for (const [term, of] of columns)
    READINGS.set(term, [...(READINGS.get(term) ?? []), { subject, columns: of }]);
}

const NARROWER_SUBJECTS = new Map(
  Object.entries(NARROWER).map(([general, names]) => {
    const subjects = names
      .split(', ')
      .flatMap((name) => SUBJECTS.find(({ terms }) => terms.get('en')?.includes(name)) ?? []);
    return [general, subjects] as const;
  }),
);

const BY_STYLE = new Map(
  STYLES.flatMap((style) => style.names.map((name) => [normalised(name), style] as const)),
);
const BY_MAKER = new Map(
  MAKERS.map((line) => line.map(normalised)).flatMap((line) => line.map((words) => [words, line] as const)),
);

/** In words; a character of a script without spaces counts as one. */
export const SYNONYM_LENGTH_MAX = Math.max(
  ...[...READINGS.keys(), ...BY_STYLE.keys(), ...BY_MAKER.keys()].map((words) => words.split(' ').length),
);

export const isKnown = (words: string): boolean =>
  BY_MAKER.has(words) || BY_STYLE.has(words) || readingsOf(words).length > 0;

const SINGULARS: readonly (readonly [RegExp, string])[] = [
  [/ies$/, 'y'],
  [/es$/, ''],
  [/s$/, ''],
  [/en$/, ''],
  [/e$/, ''],
];

/** Single words of the table with the same beginning and a similar length: candidates for an unknown word. */
export const termsLike = (word: string): string[] =>
  [...READINGS.keys()].filter(
    (term) => term[0] === word[0] && Math.abs(term.length - word.length) <= 2 && !term.includes(' '),
  );

/** Subjects of a wording or, if there are none, of its singular. */
function readingsOf(words: string): readonly Reading[] {
  const own = READINGS.get(words);
  if (own || words.length < 5) return own ?? [];
  for (const [ending, singular] of SINGULARS) {
    const readings = ending.test(words) && READINGS.get(words.replace(ending, singular));
    if (readings) return readings;
  }
  return [];
}

/** The column in which most wordings of a query have a meaning. English if several have as many. */
export function languageOfWordings(wordings: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const words of wordings)
    for (const column of new Set(readingsOf(words).flatMap(({ columns }) => columns)))
      counts.set(column, (counts.get(column) ?? 0) + 1);
  let likeliest = 'en';
  for (const [column, count] of counts) if (count > (counts.get(likeliest) ?? 0)) likeliest = column;
  return likeliest;
}

/**
 * All equivalents, starting with the words themselves, each for the catalogues of its language. A wording
 * with another meaning in a catalogue's language is not searched there: "boot" is not a boat, "golf" not a
 * wave, and "crane" not a skull.
 * @param language column that takes precedence
 */
export function termsOf(words: string, language: string): Term[] {
  return [...termsInWords(words, language), ...termsOfStyle(words)];
}

function termsInWords(words: string, language: string): Term[] {
  const maker = BY_MAKER.get(words);
  if (maker) return [words, ...maker.filter((other) => other !== words)].map((text) => ({ text }));
  const readings = readingsOf(words);
  const inLanguage = readings.filter(({ columns }) => columns.includes(language));
  const inEnglish = readings.filter(({ columns }) => columns.includes('en'));
  const meant = inLanguage.length > 0 ? inLanguage : inEnglish.length > 0 ? inEnglish : readings;
  if (meant.length === 0) return [{ text: words }];
  const terms = Object.entries(CATALOGUES).flatMap(([column, of]) => {
    const texts = [...new Set(meant.flatMap(({ subject }) => shortest(subject.terms.get(column) ?? [])))];
    const same = columns(meant).includes(column) ? words : texts[0]!;
    return texts
      .filter((text) => text !== words)
      .map((text) => ({ text, languages: [of], ...(!isForm(text, same) && { isRelated: true as const }) }));
  });
  const narrower = meant.flatMap(({ subject }) => narrowerTerms(subject));
  const forms = [words, words.replace(/s$/, '')].flatMap((form) => READINGS.get(form) ?? []);
  const others = forms.filter(({ subject }) => !meant.some((one) => one.subject === subject));
  const languages = Object.entries(CATALOGUES).flatMap(([column, of]) => {
    const isHere = (some: readonly Reading[]) => some.some(({ columns }) => columns.includes(column));
    return isHere(others) && !isHere(meant) ? [] : [of];
  });
  return [{ text: words, languages }, ...terms, ...narrower];
}

const columns = (readings: readonly Reading[]): string[] => readings.flatMap((one) => [...one.columns]);

/** Leading letters that forms of a word share: "ships" and "ship", "kreeften" and "kreeft". */
const FORM_LETTERS = 4;
const isForm = (text: string, other: string): boolean =>
  text.slice(0, FORM_LETTERS) === other.slice(0, FORM_LETTERS);

/** Terms of the narrower subjects, each for the catalogues of its language. */
const narrowerTerms = ({ terms }: Subject): Term[] =>
  (NARROWER_SUBJECTS.get(terms.get('en')?.[0] ?? '') ?? []).flatMap((subject) =>
    Object.entries(CATALOGUES).flatMap(([column, of]) =>
      (subject.terms.get(column) ?? []).map((text) => ({ text, languages: [of], isNarrower: true }) as const),
    ),
  );

/** Expands a style, school or period to its makers, years and places. */
function termsOfStyle(words: string): Term[] {
  const style = BY_STYLE.get(words);
  if (!style) return [];
  const { period, makers = [] } = style;
  return [...makers.map((text) => ({ text })), ...(period ? [{ text: words, period }] : [])];
}

/** Words for a place in catalogues of a language. */
export const placesIn = ({ places }: Period, language: Language): string[] => [
  ...new Set(
    places
      .flatMap((place) => termsInWords(place, 'en'))
      .flatMap(({ text, languages }) => (!languages || languages.includes(language) ? [text] : [])),
  ),
];

/** Drops phrases that contain another term, which already finds them. */
const shortest = (terms: readonly string[]): readonly string[] =>
  terms.filter((term) => {
    const words = term.split(' ');
    return words.length === 1 || !words.some((word) => terms.includes(word));
  });
