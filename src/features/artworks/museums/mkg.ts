import { type XmlElement, xmlRecords } from '../readers/xml_records.ts';
import {
  address,
  entries,
  given,
  iconclass,
  idNumber,
  joined,
  list,
  namedMakers,
  pictureAt,
  plain,
  text,
  yearSpan,
} from './clean.ts';
import { type Importer, NO_NUMBER, NOT_PUBLIC_DOMAIN, statedRights } from './importer.ts';
import { readLido } from './lido.ts';

const FILES =
  'https://raw.githubusercontent.com/MKGHamburg/MKGCollectionOnlineLIDO_XML/master/mkg_lido-dC.web_';

/** Museum für Kunst und Gewerbe Hamburg: LIDO, from its published files or a repository. */
export const mkg: Importer = {
  published: { files: [0, 1, 2].map((part) => `${FILES}${part}.xml`), bytesAbout: 150_000_000 },
  reads:
    'mkg_lido-dC.web_*.xml of https://github.com/MKGHamburg/MKGCollectionOnlineLIDO_XML, or other files of LIDO records',
  free: '`lido:rightsResource` of a picture',
  async *rows(source) {
    for await (const file of source.files()) {
      let number = 0;
      for await (const element of xmlRecords(file, 'lido:lido')) {
        number += 1;
        yield { where: `${file.name} record ${number}`, value: { element } };
      }
    }
  },
  map(row) {
    const lido = readLido(row.element as XmlElement);
    const id = idNumber(lido.recordId);
    if (!id) return { leftOut: NO_NUMBER };
    const [free] = lido.copies.flatMap(({ url, rights: said }) => {
      const [rights] = said.flatMap((value) => statedRights('rightsResource', value) ?? []);
      return rights ? [{ url, rights }] : [];
    });
    if (!free) return { leftOut: NOT_PUBLIC_DOMAIN };
    const titles = list(lido.titles, 11, 1000);
    return {
      record: {
        id: `mkg_${id}`,
        museum: 'mkg',
        accession_number: text(lido.inventoryNumber, 200),
        title: titles[0] ?? 'Ohne Titel',
        other_titles: titles.slice(1),
        artists: namedMakers(lido.makers),
        date: text(lido.date, 200) || joined([lido.from, lido.to], 2, 6, '–'),
        ...yearSpan(lido.from, lido.to),
        medium: joined(lido.media, 10, 90),
        dimensions: text(lido.dimensions),
        classification: text(lido.kind, 200),
        department: text(lido.collection, 200),
        culture: joined(lido.places, 3, 99),
        credit_line: text(lido.credit),
        description: plain(lido.description, 4000),
        tags: list(lido.subjects, 50, 100),
        ...given({
          iconclass: iconclass(lido.iconclass),
          places: lido.points.length > 0 ? lido.points.slice(0, 8).map((point) => ({ ...point })) : undefined,
          provenance: entries(lido.provenance.join('\n')),
          exhibitions: entries(lido.exhibitions.join('\n')),
          references: entries(lido.references.join('\n')),
        }),
        source_url: withTls(lido.page) || 'https://www.mkg-hamburg.de/',
        image: pictureAt('', withTls(free.url)),
        rights: free.rights,
      },
    };
  },
};

/** Its files are from 2017 and contain http URLs. */
const withTls = (url: string): string => address(url.replace(/^http:/, 'https:'));
