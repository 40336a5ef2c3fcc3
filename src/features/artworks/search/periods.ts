import type { Period } from './types.ts';

interface Style {
  /** Names of the style, school or period, as people write them. */
  readonly names: readonly string[];
  /** When works of it were made, and where; without years it is told by its makers alone. */
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

/** Styles, schools and periods by years, places and makers, from our own knowledge of the field. Bounds are those textbooks agree on. */
export const STYLES: readonly Style[] = [
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
  style('ancient egypt, ancient egyptian', -3200, 30, 'egypt'),
  style('ancient greece, ancient greek', -900, -30, 'greece'),
  style('ancient rome, ancient roman, roman empire', -500, 476, 'roman'),
];
