import type { ArtworkRecord } from '../records/record.ts';
import { fold, wordsOf } from './fold.ts';

interface Kind {
  /** Names used by people and museums, in several languages. */
  readonly names: string;
  /** Names of subtypes: a search for porcelain must not find all ceramics. */
  readonly narrower?: string;
  /** Words in a medium that imply the kind: "oil on canvas" is a painting. */
  readonly signs?: string;
  /**
   * The name counts as head noun after a material: "oil painting" is a painting. Not set for prints: a
   * "gelatin silver print" is a photograph.
   */
  readonly isHead?: true;
}

const listOf = (text = ''): string[] =>
  text.split(',').flatMap((name) => wordsOf(fold(name)).join(' ') || []);

/**
 * Kinds of works, one bit each, from general knowledge, checked against the words of 75,000 records. At most
 * 30.
 */
const KINDS = {
  painting: {
    names: `painting, paintings, peinture, peintures, tableau, tableaux, schilderij, schilderijen, schildering, schilderkunst, gemälde, malerei, pintura, pinturas,
      cuadro, dipinto, dipinti, pittura, quadro, 絵画`,
    narrower: 'paneel, rolschildering, icon, fresco, mural, screens',
    signs: 'oil, olieverf, huile, tempera, acrylic, acrylverf, encaustic, öl, olio, óleo',
    isHead: true,
  },
  drawing: {
    names: `drawing, drawings, tekening, tekeningen, dessin, dessins, zeichnung, zeichnungen, dibujo, dibujos, disegno, disegni, sketch, sketches, schets,
      schetsen, 素描`,
    narrower: 'silhouette, aquarel, pastel, pastels',
    signs: `graphite, pencil, chalk, charcoal, crayon, krijt, potlood, houtskool, pen, penseel, watercolor, watercolour, waterverf, gouache, aquarelle, mine de plomb,
      sanguine, fusain`,
    isHead: true,
  },
  print: {
    names: `print, prints, printmaking, prent, prenten, estampe, estampes, druckgrafik, druckgraphik, grafik, grabado, grabados, estampa, stampa,
      stampe, 版画`,
    narrower: 'surimono, affiche, poster, posters, plakat, afdruk, boekillustratie, gravures',
    signs: `etching, ets, eau forte, engraving, gravure, engraved, woodcut, woodblock, houtsnede, lithograph, lithographie, lithografie, aquatint, mezzotint,
      drypoint, screenprint, chromolithograph, linocut, burin, radierung, holzschnitt, kupferstich, xylographie, monotype`,
  },
  photograph: {
    names: `photograph, photographs, photo, photos, photography, foto, foto's, fotos, fotografie, photographie, photographies, fotografía, fotografías, fotografia,
      写真`,
    narrower: 'daguerreotype, daguerreotypes, photoprint, stereograph, fotoalbum',
    signs: `albumen, gelatin, daguerreotypie, ambrotype, tintype, cyanotype, calotype, collodion, photogravure, carbon print, platinum print, salted paper, bariet,
      barietpapier, daglichtgelatinezilverdruk, albuminedruk, fotopapier, carte de visite`,
    isHead: true,
  },
  sculpture: {
    names: `sculpture, sculptures, beeldhouwwerk, beeldhouwkunst, beelden, skulptur, skulpturen, plastik, escultura, esculturas, scultura, sculture, 彫刻`,
    narrower: `beeld, statue, statues, statua, estatua, statuette, statuettes, standbeeld, bust, busts, buste, büste, relief, reliefs, reliëf, figurine, figurines, plaquette,
      small bronze, netsuke`,
    signs: 'marble, marmer, marbre, alabaster, albast',
    isHead: true,
  },
  textile: {
    names:
      'textile, textiles, textiel, textil, textilien, tessuto, tessuti, tejido, tejidos, fabric, fabrics',
    narrower: `kleding, kleed, costume, costumes, clothing, dress, vêtement, vêtements, kleidung, garment, garments, tapestry, tapestries, tapisserie, wandtapijt, tapijt,
      tapijten, carpet, carpets, rug, rugs, tapis, teppich, lace, laces, kant, dentelle, spitze, embroidery, embroideries, borduurwerk, broderie, quilt, quilts, weefsel,
      servet, tafellaken, lendensloop, cloth, needlework, sampler, cross stitch`,
    signs: `silk, zijde, soie, linen, linnen, lin, katoen, cotton, coton, wool, wol, laine, velvet, fluweel, velours, damask, damast, batist, satin, satijn,
      halflinnen, brocade, tulle, tule, mousseline`,
  },
  ceramics: {
    names:
      'ceramic, ceramics, céramique, céramiques, keramiek, keramik, cerámica, ceramica, pottery, poterie, töpferei, 陶磁器',
    narrower: `aardewerk, porcelain, porcelains, porcelaine, porselein, porzellan, faience, faïence, delftware, maiolica, majolica, stoneware, steengoed, earthenware,
      terracotta, tegel, tegels, tegelveld, tegeltableau, tiles, vases`,
    signs: 'clay, klei, terre cuite, kaolin, gres, grès, biscuit, celadon',
  },
  glass: {
    names: 'glass, glassware, glas, glaswerk, verre, verrerie, vidrio, vetro',
    narrower: 'stained glass, glas in lood, vitrail, vitraux, glasmalerei, ruit',
  },
  metalwork: {
    names: 'metalwork, metalworks, metal, metaal, metaalwerk, metall, métal, metalen, orfebrería, oreficeria',
    narrower:
      'orfèvrerie, silverware, zilverwerk, goldsmith work, goudsmeedwerk, edelsmeedkunst, bronzes, sleutel',
    signs: `silver, zilver, argent, gold, goud, or, bronze, brons, copper, koper, cuivre, brass, messing, iron, ijzer, fer, steel, staal, tin, pewter, étain,
      lead, lood, alpaca, verguldsel, aluminum, electrum`,
  },
  jewellery: {
    names: `jewellery, jewelry, jewel, jewels, sieraad, sieraden, bijou, bijoux, joaillerie, schmuck, joya, joyas, joyería, gioiello, gioielli`,
    narrower: 'hanger, broche, brooch, armband, necklace, bracelet, earring, earrings, adornment',
  },
  furniture: {
    names: 'furniture, meubel, meubels, meubilair, mobilier, meuble, meubles, möbel, mueble, muebles, mobili',
    narrower: 'chair, stoel, armstoel, table, tafel, kast, cabinet, kaststel',
  },
  book: {
    names: `book, books, boek, boeken, livre, livres, buch, bücher, libro, libros, libri, books and manuscripts`,
    narrower: `manuscript, manuscripts, manuscrit, manuscrits, handschrift, handschriften, codex, codices, bound volume, illustrated books, album, albums`,
  },
  coin: {
    names: `coin, coins, munt, munten, monnaie, monnaies, münze, münzen, moneda, monedas, moneta, monete, numismatics, coins and medals`,
    narrower: `medal, medals, medallion, medallions, médaille, médailles, medaille, medailles, penning, penningen, medaglia, medalla, exchange media`,
  },
  arms: {
    names: `arms, armor, armour, arms and armor, arms and armour, weapon, weapons, wapen, wapens, arme, armes, waffe, waffen`,
    narrower:
      'wapenrusting, armure, armures, rüstung, sword, swords, zwaard, épée, helmet, helmets, helm, tsuba, kozuka, kris, dagger, daggers, firearms',
  },
  instrument: {
    names: `musical instrument, musical instruments, muziekinstrument, muziekinstrumenten, instrument de musique, instruments de musique, musikinstrument,
      musikinstrumente`,
    narrower: 'chordophone, aerophone, membranophone, idiophone, drum',
  },
} as const satisfies Record<string, Kind>;

export type KindName = keyof typeof KINDS;
export const KIND_NAMES = Object.keys(KINDS) as KindName[];
const ENTRIES = KIND_NAMES.map((name, at) => ({ name, bit: 1 << at, ...(KINDS[name] as Kind) }));
const BIT = Object.fromEntries(ENTRIES.map(({ name, bit }) => [name, bit])) as Record<KindName, number>;

const byWords = (...of: ('names' | 'narrower' | 'signs')[]): ReadonlyMap<string, number> =>
  new Map(
    ENTRIES.flatMap((one) =>
      of.flatMap((which) => listOf(one[which]).map((words) => [words, one.bit] as const)),
    ),
  );
/** Kinds can also be requested by their facet names. */
const ASKED = new Map([...byWords('names'), ...ENTRIES.map(({ name, bit }) => [name, bit] as const)]);
const NAMES = byWords('names', 'narrower');
const SIGNS = byWords('signs');
const HEADS = new Map(
  ENTRIES.filter(({ isHead }) => isHead).flatMap(({ names, bit }) =>
    listOf(names).map((name) => [name, bit]),
  ),
);

/** Among materials, the first one is the main one and decides; a process decides at any position. */
const PROCESSES = BIT.photograph | BIT.print | BIT.painting | BIT.drawing;
const ORDER = [BIT.photograph, BIT.print, BIT.painting, BIT.drawing];

/** Materials that no kind consists of: a lacquered box sprinkled with gold is not metalwork. */
const OTHER_MATERIALS =
  /^(?:wood|bois|holz|lacquer|lacquered|lak|laque|paper|papier|ivory|ivoor|ivoire|stone|steen|pierre|leather|leer|cuir|bone|been|horn|hoorn|agate|agaat|shell|schelp|bamboo|bamboe|wax|walnut|mahogany|oak)$|hout$/;

/** Suffixes of Dutch compounds such as "historiepenning" and "dameskleding". */
const ENDINGS = [...NAMES].filter(([name]) => name.length >= 4 && /^[a-z]+$/.test(name));
const ENDING_WORD_MIN = 8;

/** Bit set of the kinds of a work, from its type of object, else from its medium. 0: unknown. */
export function kindsOf({
  classification,
  medium,
}: Pick<ArtworkRecord, 'classification' | 'medium'>): number {
  const named = withoutMixUps(namedIn(wordsOf(fold(classification))));
  return named !== 0 ? named : madeOf(wordsOf(fold(medium)));
}

/** Corrects ambiguous words: a photoprint is not a print, and sword furniture is not furniture. */
function withoutMixUps(bits: number): number {
  let kinds = bits;
  if (kinds & BIT.photograph) kinds &= ~BIT.print;
  if (kinds & BIT.arms) kinds &= ~BIT.furniture;
  return kinds;
}

function namedIn(words: readonly string[]): number {
  let bits = 0;
  words.forEach((word, at) => {
    const pair = at + 1 < words.length ? NAMES.get(`${word} ${words[at + 1]}`) : undefined;
    bits |= pair ?? nameOf(word);
  });
  return bits;
}

function nameOf(word: string): number {
  const own = NAMES.get(word);
  if (own !== undefined) return own;
  if (word.length < ENDING_WORD_MIN) return 0;
  return ENDINGS.find(([name]) => word.endsWith(name))?.[1] ?? 0;
}

function madeOf(words: readonly string[]): number {
  let processes = 0;
  let material: number | undefined;
  words.forEach((word, at) => {
    const pair = at + 1 < words.length ? `${word} ${words[at + 1]}` : word;
    const bit =
      SIGNS.get(pair) ??
      SIGNS.get(word) ??
      SIGNS.get(word.replace(/s$/, '')) ??
      NAMES.get(pair) ??
      nameOf(word);
    processes |= bit & PROCESSES;
    if (bit !== 0 || OTHER_MATERIALS.test(word)) material ??= bit;
  });
  return ORDER.find((bit) => processes & bit) ?? material ?? 0;
}

/** Names of the kinds that a work is of. */
export const namesOfKinds = (kinds: number): KindName[] =>
  ENTRIES.filter(({ bit }) => kinds & bit).map(({ name }) => name);

/** A parsed medium. */
export interface MediumQuery {
  /** Bit set of accepted kinds; 0: any. */
  readonly kinds: number;
  /** Words that must occur in the medium or the type of object. */
  readonly words: string;
}

const OR = /\s*(?:[,;|/]|\bor\b|\bou\b|\bof\b|\boder\b)\s*/;

/**
 * Parses "painting", "prints or drawings", "oil painting", "oil on canvas": kinds by their names in any
 * language, the rest as words.
 */
export function readMedium(text: string): MediumQuery {
  const folded = fold(text);
  const either = folded.split(OR).filter(Boolean).map(nameAsked);
  if (either.length > 0 && either.every((bit) => bit !== undefined))
    return { kinds: either.reduce((sum, bit) => sum | bit, 0), words: '' };
  const words = wordsOf(folded);
  const heads = words.map((word) => HEADS.get(word) ?? 0);
  const rest = words.filter((_, at) => heads[at] === 0);
  return { kinds: heads.reduce((sum, bit) => sum | bit, 0), words: rest.join(' ') };
}

const nameAsked = (folded: string): number | undefined => ASKED.get(wordsOf(folded).join(' '));
