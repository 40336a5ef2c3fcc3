import type { FakeMuseums } from './fake_museums.ts';

/**
 * Responses in the formats of the museums' APIs, with invented contents. Works are from the starter
 * catalogue.
 */

export const MET = 'collectionapi.metmuseum.org/public/collection/v1/objects/436535';
export const metAnswer = (more: object = {}) => ({
  objectID: 436535,
  isHighlight: false,
  isPublicDomain: true,
  title: 'A Field',
  artistDisplayName: 'Painter of Fields',
  objectDate: '1889',
  objectBeginDate: 1889,
  objectEndDate: 1889,
  medium: 'Oil on canvas',
  primaryImage: 'https://images.metmuseum.org/CRDImages/ep/original/field.jpg',
  objectURL: 'https://www.metmuseum.org/art/collection/search/436535',
  ...more,
});
export const MET_PICTURE = 'images.metmuseum.org/CRDImages/ep/original/field.jpg';

const CHICAGO_IMAGE = '00000000-0000-4000-8000-000000000001';
const NGA_IMAGE = 'api.nga.gov/iiif/b3844568-a5d2-4da7-82db-eb843c11a311';
const RIJKS = 'data.rijksmuseum.nl';
const english = { language: [{ id: 'http://vocab.getty.edu/aat/300388277', type: 'Language' }] };
const named = (label: string) => ({ notation: [{ '@language': 'en', '@value': label }] });
const aat = (term: string) => ({
  classified_as: [{ id: `http://vocab.getty.edu/aat/${term}`, type: 'Type' }],
});

const linkedArt = (number: string, id: number) => ({
  id: `https://id.rijksmuseum.nl/${id}`,
  type: 'HumanMadeObject',
  identified_by: [
    { type: 'Identifier', content: number, ...aat('300312355') },
    { type: 'Name', content: 'De wacht' },
    { type: 'Name', content: 'The Watch', ...english },
  ],
  produced_by: {
    part: [{ carried_out_by: [{ type: 'Person', ...named('Painter of Watches') }] }],
    timespan: { identified_by: [{ type: 'Name', content: '1642', ...english }] },
  },
  referred_to_by: [{ content: 'oil on canvas', ...aat('300435429'), ...english }],
  shows: [{ id: `https://id.rijksmuseum.nl/202${id}`, type: 'VisualItem' }],
});

/** By museum: a work of the starter catalogue, the request to its museum, and the expected result. */
export const COMPLETED = [
  ['met_436535', 'A Field', 'isPublicDomain', [MET, MET_PICTURE]],
  [
    'chicago_27992',
    'A Sunday',
    'is_public_domain',
    ['api.artic.edu/api/v1/artworks/27992', `www.artic.edu/iiif/2/${CHICAGO_IMAGE}/full/600,/0/default.jpg`],
  ],
  [
    'cleveland_136911',
    'A View',
    'share_license_status',
    [
      'openaccess-api.clevelandart.org/api/artworks/136911',
      'openaccess-cdn.clevelandart.org/1961.39/print.jpg',
    ],
  ],
  ['nga_26', 'The Alba Madonna', null, [`${NGA_IMAGE}/info.json`, `${NGA_IMAGE}/full/600,/0/default.jpg`]],
  [
    'rijks_SK-C-5',
    'The Watch',
    'shows.subject_to.classified_as',
    [
      `${RIJKS}/search/collection?objectNumber=SK-C-5`,
      `${RIJKS}/550?_profile=la-framed`,
      `${RIJKS}/5?_profile=la-framed`,
      `${RIJKS}/2025?_profile=la-framed`,
      `${RIJKS}/2055?_profile=la-framed`,
      'iiif.micr.io/ABCDE/info.json',
      'iiif.micr.io/ABCDE/full/600,/0/default.jpg',
    ],
  ],
  [
    'smithsonian_saam_1929.6.112',
    'An Angel',
    'online_media.media[].usage.access',
    ['api.si.edu/openaccess/api/v1.0/content/edanmdm:saam_1929.6.112', 'ids.si.edu/ids/deliveryService?id=1'],
  ],
  [
    'paris_courbet-le-sommeil',
    'Le Sommeil',
    'fieldVisuels.entity.publicUrl',
    ['apicollections.parismusees.paris.fr/graphql', 'apicollections.parismusees.paris.fr/files/sommeil.jpg'],
  ],
] as const;

/** Makes a fake server respond for one work of each museum. */
export function answerForMuseums(museums: FakeMuseums, picture: Uint8Array): void {
  const size = { width: 600, height: 400 };
  for (const [, , , addresses] of COMPLETED) {
    const shown = addresses.at(-1)!;
    museums.says(shown, picture);
    for (const full of ['full', 'max']) museums.says(shown.replace('/600,/', `/${full}/`), picture);
  }
  museums.says(MET, metAnswer());
  museums.says('api.artic.edu/api/v1/artworks/27992', {
    data: {
      id: 27992,
      title: 'A Sunday',
      is_public_domain: true,
      image_id: CHICAGO_IMAGE,
      thumbnail: size,
      date_display: '1884',
      artist_titles: ['Painter of Parks'],
    },
    config: { iiif_url: 'https://www.artic.edu/iiif/2' },
  });
  museums.says('openaccess-api.clevelandart.org/api/artworks/136911', {
    data: {
      id: 136911,
      accession_number: '1961.39',
      title: 'A View',
      share_license_status: 'CC0',
      creators: [{ description: 'Painter of Views (American, 1801–1848)' }],
      images: {
        print: {
          url: 'https://openaccess-cdn.clevelandart.org/1961.39/print.jpg',
          width: '600',
          height: '400',
        },
      },
    },
  });
  museums.says(`${NGA_IMAGE}/info.json`, { '@context': 'http://iiif.io/api/image/2/context.json', ...size });
  museums.says(`${RIJKS}/search/collection?objectNumber=SK-C-5`, {
    type: 'OrderedCollectionPage',
    // The search also returns numbers that begin with the requested one.
    orderedItems: [{ id: 'https://id.rijksmuseum.nl/550' }, { id: 'https://id.rijksmuseum.nl/5' }],
  });
  museums.says(`${RIJKS}/550?_profile=la-framed`, linkedArt('SK-C-50', 550));
  museums.says(`${RIJKS}/5?_profile=la-framed`, linkedArt('SK-C-5', 5));
  museums.says(`${RIJKS}/2025?_profile=la-framed`, {
    type: 'VisualItem',
    subject_to: [
      {
        type: 'Right',
        classified_as: [{ id: 'https://creativecommons.org/publicdomain/mark/1.0/', type: 'Type' }],
      },
    ],
    digitally_shown_by: [{ id: 'https://id.rijksmuseum.nl/2055', type: 'DigitalObject' }],
  });
  museums.says(`${RIJKS}/2055?_profile=la-framed`, {
    type: 'DigitalObject',
    access_point: [{ id: 'https://iiif.micr.io/ABCDE/full/max/0/default.jpg', type: 'DigitalObject' }],
  });
  museums.says('iiif.micr.io/ABCDE/info.json', { type: 'ImageService3', ...size });
  museums.says('api.si.edu/openaccess/api/v1.0/content/edanmdm:saam_1929.6.112', {
    status: 200,
    response: {
      title: 'An Angel',
      unitCode: 'SAAM',
      content: {
        descriptiveNonRepeating: {
          record_ID: 'saam_1929.6.112',
          metadata_usage: { access: 'CC0' },
          online_media: {
            media: [
              {
                type: 'Images',
                usage: { access: 'CC0' },
                content: 'https://ids.si.edu/ids/deliveryService?id=1',
              },
            ],
          },
        },
      },
    },
  });
  museums.says('apicollections.parismusees.paris.fr/graphql', {
    data: {
      nodeQuery: {
        entities: [
          parisWork(1, 'Le Sommeil', 'Somebody, Else'),
          parisWork(2, 'Le Sommeil', 'Courbet, Gustave'),
        ],
      },
    },
  });
}

const parisWork = (number: number, title: string, name: string) => ({
  fieldLrefAdlib: number,
  title,
  fieldOeuvreAuteurs: [{ entity: { fieldAuteurAuteur: { entity: { name } } } }],
  fieldVisuels: [{ entity: { publicUrl: 'https://apicollections.parismusees.paris.fr/files/sommeil.jpg' } }],
});
