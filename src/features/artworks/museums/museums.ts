/**
 * The museums whose open-access works are in the dataset, those of the specification first, in its order.
 * Usable by all layers: tools offer these names and importers are selected by them.
 */
export const MUSEUMS = {
  met: {
    name: 'The Metropolitan Museum of Art',
    city: 'New York',
    home: 'https://www.metmuseum.org',
    policy: 'https://www.metmuseum.org/about-the-met/policies-and-documents/open-access',
    evidence: 'https://github.com/metmuseum/openaccess',
    dataLicence: 'CC0-1.0',
    hasFiles: true,
    hasStarter: true,
  },
  chicago: {
    name: 'Art Institute of Chicago',
    city: 'Chicago',
    home: 'https://www.artic.edu',
    policy: 'https://www.artic.edu/open-access',
    evidence: 'https://github.com/art-institute-of-chicago/api-data',
    dataLicence: 'CC0-1.0 (descriptions CC-BY-4.0)',
    hasFiles: true,
    hasStarter: true,
  },
  nga: {
    name: 'National Gallery of Art',
    city: 'Washington',
    home: 'https://www.nga.gov',
    policy: 'https://www.nga.gov/open-access-images.html',
    evidence: 'https://github.com/NationalGalleryOfArt/opendata',
    dataLicence: 'CC0-1.0',
    hasFiles: true,
    hasStarter: true,
  },
  rijks: {
    name: 'Rijksmuseum',
    city: 'Amsterdam',
    home: 'https://www.rijksmuseum.nl',
    policy: 'https://data.rijksmuseum.nl/policy/',
    evidence: 'https://data.rijksmuseum.nl/policy/',
    dataLicence: 'CC0-1.0',
    hasFiles: true,
    hasStarter: true,
  },
  smithsonian: {
    name: 'Smithsonian Institution',
    city: 'Washington',
    home: 'https://www.si.edu',
    policy: 'https://www.si.edu/openaccess',
    evidence: 'https://github.com/Smithsonian/OpenAccess',
    dataLicence: 'CC0-1.0',
    hasFiles: true,
    hasStarter: true,
  },
  cleveland: {
    name: 'The Cleveland Museum of Art',
    city: 'Cleveland',
    home: 'https://www.clevelandart.org',
    policy: 'https://www.clevelandart.org/open-access',
    evidence: 'https://github.com/ClevelandMuseumArt/openaccess',
    dataLicence: 'CC0-1.0',
    hasFiles: true,
    hasStarter: true,
  },
  paris: {
    name: 'Paris Musées',
    city: 'Paris',
    home: 'https://www.parismuseescollections.paris.fr',
    policy: 'https://github.com/ParisMusees/api-documentation',
    evidence: 'https://github.com/ParisMusees/api-documentation',
    dataLicence: 'CC0-1.0',
    hasFiles: false,
    hasStarter: true,
  },
  smk: {
    name: 'SMK, National Gallery of Denmark',
    city: 'Copenhagen',
    home: 'https://www.smk.dk',
    policy: 'https://www.smk.dk/en/section/use-of-smk-material/',
    evidence: 'https://api.smk.dk/api/v1/docs/',
    dataLicence: 'CC0-1.0',
    hasFiles: false,
    hasStarter: false,
  },
  mia: {
    name: 'Minneapolis Institute of Art',
    city: 'Minneapolis',
    home: 'https://new.artsmia.org',
    policy: 'https://collections.artsmia.org/info/open-access',
    evidence: 'https://github.com/artsmia/collection',
    dataLicence: 'CC0-1.0',
    hasFiles: true,
    hasStarter: false,
  },
  mkg: {
    name: 'Museum für Kunst und Gewerbe Hamburg',
    city: 'Hamburg',
    home: 'https://www.mkg-hamburg.de',
    policy: 'https://sammlungonline.mkg-hamburg.de/en/termsandconditions',
    evidence: 'https://github.com/MKGHamburg/MKGCollectionOnlineLIDO_XML',
    dataLicence: 'CC0-1.0',
    hasFiles: true,
    hasStarter: false,
  },
  fng: {
    name: 'Finnish National Gallery',
    city: 'Helsinki',
    home: 'https://www.kansallisgalleria.fi',
    policy: 'https://kokoelma.kansallisgalleria.fi/en/api-sovelluskehittajille',
    evidence: 'https://kokoelma.kansallisgalleria.fi/en/api-sovelluskehittajille',
    dataLicence: 'CC0-1.0 (pictures; the records are open data)',
    hasFiles: true,
    hasStarter: false,
  },
  wellcome: {
    name: 'Wellcome Collection',
    city: 'London',
    home: 'https://wellcomecollection.org',
    policy: 'https://wellcomecollection.org/about-us/terms-of-use',
    evidence: 'https://developers.wellcomecollection.org/docs/datasets',
    dataLicence: 'CC0-1.0',
    hasFiles: true,
    hasStarter: false,
  },
} as const satisfies Record<string, Museum>;

interface Museum {
  readonly name: string;
  readonly city: string;
  readonly home: string;
  /** Page where the museum states what may be done with its open-access works. */
  readonly policy: string;
  /**
   * Where the museum publishes its records and their licence; rights statements are verified against this.
   */
  readonly evidence: string;
  /** Licence of the records themselves. */
  readonly dataLicence: string;
  /** The museum publishes files with all its works. */
  readonly hasFiles: boolean;
  /** The starter catalogue contains works of the museum. */
  readonly hasStarter: boolean;
}

export type MuseumName = keyof typeof MUSEUMS;

export const MUSEUM_NAMES = Object.keys(MUSEUMS) as [MuseumName, ...MuseumName[]];

/** Museums with a table in the starter catalogue. */
export const STARTER_MUSEUMS: readonly MuseumName[] = MUSEUM_NAMES.filter((name) => MUSEUMS[name].hasStarter);

/**
 * Works downloaded by default: an equal share for each museum of the specification, which are those of the
 * starter catalogue.
 */
export const PULLED_SHARE: number = Math.ceil(53_000 / STARTER_MUSEUMS.length);
