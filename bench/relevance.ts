import { readEdition } from '../src/dataset/editions/edition_store.ts';
import { search } from '../src/dataset/search/search.ts';
import { artworkDatabases } from './support/artworks.ts';
import { makePlainIndex, plainSearch } from './support/plain_index.ts';

const TOP = 10;

/**
 * What somebody who looks for a work would type, and the works that would please. Written by hand from the real records, in
 * English also where the museum writes Dutch.
 */
const WANTED: readonly (readonly [query: string, ...ids: string[]])[] = [
  ['study for la grande jatte', 'met_437658'],
  ['seurat sunday', 'met_437658'],
  ['el greco saint jerome', 'met_459088'],
  ['domenikos theotokopoulos jerome scholar', 'met_459088'],
  ['david leonidas thermopylae', 'met_334245'],
  ['armor of emperor ferdinand', 'met_23944'],
  ['armour 1549', 'met_23944'],
  ['regensburg synagogue altdorfer', 'met_336256'],
  ['ingres princess de broglie', 'met_459106'],
  ['josephine galard de brassac', 'met_459106'],
  ['caravaggio musicians', 'met_435844'],
  ['merisi musicians', 'met_435844'],
  ['guercino samson', 'met_436603'],
  ['samson captured by the philistines', 'met_436603'],
  ['barbieri samson philistines', 'met_436603'],
  ['melencolia', 'met_336228'],
  ['duerer melencolia 1514', 'met_336228'],
  ['dürer engraving melencolia', 'met_336228'],
  ['winslow homer northeaster', 'met_11130'],
  ['homer northeaster sea', 'met_11130'],
  ['rough waves ogata korin', 'met_44918'],
  ['korin waves', 'met_44918'],
  ['whistler theodore duret', 'met_13211'],
  ['arrangement in flesh colour and black', 'met_13211'],
  ['pieter de hooch leisure time', 'met_459086'],
  ['sweerts clothing the naked', 'met_437769'],
  ['filippino lippi madonna', 'met_436892'],
  ['judgment of paris raimondi', 'met_337058'],
  ['marcantonio raimondi paris venus', 'met_337058'],
  ['poussin bacchanal', 'met_335240'],
  ['statue of gudea', 'met_329072'],
  ['stork in a landscape', 'met_454011'],
  ['jan brueghel heidelberg', 'met_337489'],
  ['breughel view of heidelberg', 'met_337489'],
  ['tiepolo betrothal of the virgin', 'met_459237'],
  ['shield of henry ii of france', 'met_23948'],
  ['carpet with palm trees', 'met_446999'],
  ['high chest of drawers', 'met_4285'],
  ['jewish bride', 'rijks_SK-C-216'],
  ['rembrandt joodse bruidje', 'rijks_SK-C-216'],
  ['rembrandt isaak rebekka', 'rijks_SK-C-216'],
  ['haesje cleyburg', 'rijks_SK-A-4833'],
  ['rembrandt jeremia', 'rijks_SK-A-3276'],
  ['rembrant jeremia jeruzalem', 'rijks_SK-A-3276'],
  ['rembrandt titus monk', 'rijks_SK-A-3138'],
  ['rembrandt titus', 'rijks_SK-A-3138'],
  ['rembrandt 1660 painting', 'rijks_SK-A-3138'],
  ['frans hals massa', 'rijks_SK-A-133'],
  ['frans hals wedding couple 1622', 'rijks_SK-A-133'],
  ['reynier reael', 'rijks_SK-C-374'],
  ['frans hals 1637', 'rijks_SK-C-374'],
  ['heda still life', 'rijks_SK-A-4830'],
  ['stilleven vergulde bokaal', 'rijks_SK-A-4830'],
  ['avercamp ice', 'rijks_SK-A-802'],
  ['ijsvermaak avercamp', 'rijks_SK-A-802'],
  ['ruisdael waterfall landscape', 'rijks_SK-C-210'],
  ['ruisdael waterval', 'rijks_SK-C-210'],
  ['jan steen quack', 'rijks_SK-A-392'],
  ['jan steen kwakzalver', 'rijks_SK-A-392'],
  ['saenredam town hall amsterdam', 'rijks_SK-C-1409'],
  ['saenredam assendelft church', 'rijks_SK-C-217'],
  ['sanredam assendelft', 'rijks_SK-C-217'],
  ['breitner winter amsterdam', 'rijks_SK-A-2979'],
  ['breitner horses dam', 'rijks_SK-A-3658'],
  ['breitner four cows', 'rijks_SK-A-3557'],
  ['liotard girl hyacinth', 'rijks_SK-A-241'],
  ['maes old woman prayer', 'rijks_SK-C-535'],
  ['molenaer virginaal', 'rijks_SK-C-140'],
  ['koninck landscape 1655', 'rijks_SK-A-4133'],
  ['"gebed zonder end"', 'rijks_SK-C-535'],
];

/** `npm run bench relevance`: how often the work somebody means is first, or among ten. */
export async function run(): Promise<string> {
  const rows: string[] = [];
  for (const { name, database } of await artworkDatabases(53_000)) {
    const edition = (await readEdition(database))!;
    const ours = async (query: string) =>
      (await search(database, edition.number, { query, limit: TOP })).hits.map(({ record }) => record.id);
    await makePlainIndex(database);
    const plain = async (query: string) =>
      (await plainSearch(database, query)).map(({ id }) => id).slice(0, TOP);
    rows.push(row(`search_artworks, ${name}`, await ranksOf(ours)));
    rows.push(row(`plain full-text search, ${name}`, await ranksOf(plain)));
    await database.close();
  }
  return [
    '## Finding the work that is meant',
    '',
    `${WANTED.length} queries written by hand, each for one known work among 53,000 real records.`,
    '',
    '| | first | among ten | mean reciprocal rank |',
    '|---|---|---|---|',
    ...rows,
  ].join('\n');
}

/** The place of the first wanted work, from 1; undefined beyond the tenth. */
async function ranksOf(find: (query: string) => Promise<string[]>): Promise<(number | undefined)[]> {
  const ranks: (number | undefined)[] = [];
  for (const [query, ...ids] of WANTED) {
    const at = (await find(query)).findIndex((id) => ids.includes(id));
    ranks.push(at < 0 ? undefined : at + 1);
    if (process.env.RELEVANCE_MISSES && at !== 0) console.error(`${at < 0 ? 'not found' : at + 1}: ${query}`);
  }
  return ranks;
}

function row(name: string, ranks: readonly (number | undefined)[]): string {
  const share = (max: number) =>
    `${Math.round((100 * ranks.filter((rank) => rank !== undefined && rank <= max).length) / ranks.length)} %`;
  const reciprocal =
    ranks.reduce<number>((sum, rank) => sum + (rank === undefined ? 0 : 1 / rank), 0) / ranks.length;
  return `| ${name} | ${share(1)} | ${share(TOP)} | ${reciprocal.toFixed(2)} |`;
}
