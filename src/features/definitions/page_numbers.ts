import { z } from 'zod';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { findPageFile } from '../../core/html/page_files.ts';
import { type AnyOperation, defineOperation } from './operation.ts';

/** Static files of the web pages. */
export const pageOperations: readonly AnyOperation[] = [
  defineOperation({
    name: 'page_file',
    methods: ['GET'],
    path: '/pages/{file}',
    tag: 'discovery',
    summary: 'A static file of the web pages, named by its content hash.',
    input: z.object({ file: z.string().max(250) }),
    answer: { file: '*/*', description: 'JavaScript, CSS, WOFF2, SVG, WebP, PNG, JPEG or AVIF.' },
    run: async ({ file: name }) => {
      const file = findPageFile(`/pages/${name}`);
      if (!file)
        throw new AtelierError(
          'not_found',
          'This file does not exist, or belongs to another version of this server. Reload the page.',
        );
      const { bytes, contentType } = file;
      return { bytes, contentType, headers: { 'Cache-Control': 'public, max-age=31536000, immutable' } };
    },
  }),
];
