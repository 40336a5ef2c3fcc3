/** Answers of the interface of Paris Musées, one work a line: made up in the shape it documents, because it publishes no bulk file. */
export function madeParis(works: number): string {
  return Array.from({ length: works }, (_, at) => `${JSON.stringify(workOf(at))}\n`).join('');
}

const PLACES = ['la Seine', 'Montmartre', 'Lavacourt', 'le Pont-Neuf', 'Vincennes', 'Saint-Cloud', 'Meudon'];
const KINDS = ['Vue de', 'Étude pour', 'Souvenir de', 'Effet de neige à', 'Promenade à', 'Projet pour'];
const MAKERS = ['Vallin, Jacques-Antoine', 'Taraval, Hugues', 'Dupont, Jeanne', 'Moreau, Émile'];
const MATERIALS = ['Huile sur toile', 'Eau-forte', 'Plume et encre brune', 'Papier albuminé'];
const MUSEUM = 'Petit Palais, musée des Beaux-arts de la Ville de Paris';

const entities = (...names: string[]) => names.map((name) => ({ entity: { name } }));
const one = (names: readonly string[], at: number): string => names[at % names.length]!;

function workOf(at: number): object {
  const place = one(PLACES, at);
  const year = 1700 + (at % 200);
  const author = {
    fieldAuteurAuteur: {
      entity: {
        name: one(MAKERS, at),
        fieldPipDateNaissance: { startYear: year - 40 },
        fieldLieuDeces: 'Paris',
      },
    },
    fieldAuteurFonction: { entity: { name: 'Peintre' } },
  };
  // Every fourth is not free: the public interface shows a thumbnail of it only.
  const picture = at % 4 === 0 ? { vignette: `${FILES}/v${at}.jpg` } : { publicUrl: `${FILES}/${at}.jpg` };
  return {
    title: `${one(KINDS, Math.floor(at / 7))} ${place}, n° ${at}`,
    fieldLrefAdlib: 160_000_000 + at,
    fieldUrlAlias: `petit-palais/oeuvres/vue-${at}`,
    fieldOeuvreAuteurs: [{ entity: author }],
    fieldVisuels: [{ entity: picture }],
    fieldDateProduction: { startYear: year, endYear: year + 9, processed: `Entre ${year} et ${year + 9}` },
    fieldMateriauxTechnique: entities(one(MATERIALS, at)),
    fieldOeuvreTypesObjet: entities('Peinture'),
    fieldOeuvreThemeRepresente: entities('Paysage', 'Fleuve'),
    fieldLieuxConcernes: entities(place),
    fieldOeuvreNumInventaire: `PPP${at}`,
    fieldMusee: { entity: { name: MUSEUM } },
  };
}

const FILES = 'https://apicollections.parismusees.paris.fr/sites/default/files/atoms/images/PP';
