import { pageFile } from '../../core/html/page_files.ts';
import { defineOperation } from '../../features/definitions/operation.ts';
import { noInput } from './no_input.ts';

/** The icon where browsers look for it that read no page. */
export const faviconOperation = defineOperation({
  name: 'favicon',
  methods: ['GET'],
  path: '/favicon.ico',
  tag: 'studio',
  summary: 'The icon of this server.',
  input: noInput,
  answer: { file: 'image/png', description: 'PNG.' },
  isPrivate: true,
  cacheSeconds: 86_400,
  run: async () => {
    const { bytes, contentType } = pageFile('icon.png');
    return { bytes, contentType };
  },
});
