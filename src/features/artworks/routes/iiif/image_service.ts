import { z } from 'zod';
import { AtelierError } from '../../../../core/errors/atelier_error.ts';
import { type AnyOperation, defineOperation } from '../../../definitions/operation.ts';
import { strangersFile } from '../../../definitions/untrusted_file.ts';
import type { Services } from '../../../services.ts';
import { DOCUMENT_CACHE_SECONDS, IIIF_LIMIT, IMAGE_CACHE_SECONDS } from './limits.ts';
import { linkedData, linkedDocument } from './linked_data.ts';

const idField = z.string().max(200).describe('Of a work, as search_artworks answers it (credit_id).');
const part = (meaning: string) => z.string().max(100).describe(meaning);

type Version = 2 | 3;

/** A picture of the dataset as an image service of one version of the Image API, level 2. */
export const imageService = (version: Version): readonly AnyOperation[] =>
  // The last takes everything that is left.
  [info(version), image(version), base(version)];

const named = (version: Version) => (version === 3 ? 'IIIF Image API 3.0' : 'IIIF Image API 2.1');
const profile = (version: Version) => `<http://iiif.io/api/image/${version}/level2.json>;rel="profile"`;

const image = (version: Version) =>
  defineOperation({
    name: `iiif_image_${version}`,
    methods: ['GET'],
    path: `/iiif/${version}/{id}/{region}/{size}/{rotation}/{file}`,
    tag: 'iiif',
    summary: `A part of the picture of a museum work: ${named(version)}, level 2. Free, for everybody. 503 where the picture cannot be had just now.`,
    input: z.object({
      id: idField,
      region: part('full, square, x,y,w,h or pct:x,y,w,h.'),
      size: part(
        version === 3
          ? 'max, w, or ,h or pct:n or w,h or !w,h; with ^ before it, it may be larger than the region.'
          : 'full, max, w, or ,h or pct:n or w,h or !w,h.',
      ),
      rotation: part('Degrees clockwise; ! before them mirrors.'),
      file: part('quality.format: default, color, gray or bitonal; jpg, png or webp.'),
    }),
    limit: IIIF_LIMIT,
    answer: { file: 'image/*', description: 'The part of the picture.' },

    async run({ id, ...request }, { iiif }: Pick<Services, 'iiif'>, call) {
      const { bytes, contentType, canonical } = await iiif.image(id, { version, ...request }, call);
      const answer = strangersFile(bytes, contentType, `public, max-age=${IMAGE_CACHE_SECONDS}`);
      return {
        ...answer,
        headers: { ...answer.headers, Link: `${profile(version)}, <${canonical}>;rel="canonical"` },
      };
    },
  });

const info = (version: Version) =>
  defineOperation({
    name: `iiif_info_${version}`,
    methods: ['GET'],
    path: `/iiif/${version}/{id}/info.json`,
    tag: 'iiif',
    summary: `Size of the picture of a museum work, and the tiles to ask for: info.json of the ${named(version)}.`,
    input: z.object({ id: idField }),
    limit: IIIF_LIMIT,
    cacheSeconds: DOCUMENT_CACHE_SECONDS,
    answer: linkedDocument('As the Image API says.'),

    run: async ({ id }, { iiif }: Pick<Services, 'iiif'>, call) =>
      linkedData(await iiif.info(id, version, call), {
        context: `http://iiif.io/api/image/${version}/context.json`,
        accept: call.header('accept'),
        links: [profile(version)],
        isPlain: version === 2,
      }),
  });

const base = (version: Version) =>
  defineOperation({
    name: `iiif_picture_${version}`,
    methods: ['GET'],
    path: `/iiif/${version}/{id}`,
    tag: 'iiif',
    summary: `Leads to info.json of the picture (${named(version)}).`,
    input: z.object({ id: idField }),
    limit: IIIF_LIMIT,
    answer: { file: 'text/plain', description: 'Empty.' },
    leadsTo: 'info.json of the picture.',

    async run({ id }, { iiif }: Pick<Services, 'iiif'>) {
      if (id.includes('/'))
        throw new AtelierError(
          'not_found',
          'A picture is asked for as {id}/{region}/{size}/{rotation}/{quality}.{format}; a slash within an identifier has to be sent as %2F.',
        );
      const headers = { Location: `${iiif.service(id, version)}/info.json` };
      return { bytes: '', contentType: 'text/plain', status: 303, headers };
    },
  });
