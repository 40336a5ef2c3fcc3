import type { z } from 'zod';
import { htmlPage } from '../../core/html/html_page.ts';
import { pageFile } from '../../core/html/page_files.ts';
import {
  type AnyOperation,
  type BytesAnswer,
  defineOperation,
  type OperationCall,
} from '../../features/definitions/operation.ts';
import { frameOf } from './frame.ts';
import { noInput } from './no_input.ts';
import { pages } from './pages.ts';
import { readForm } from './read_form.ts';
import { tableRunOperation } from './table/run_operation.ts';
import { tableZipOperation } from './table/zip_operation.ts';
import { pictureOperation } from './tools/picture_operation.ts';
import { previewOperation } from './tools/preview_operation.ts';
import { tableOperation } from './tools/table_operation.ts';
import { zipOperation } from './tools/zip_operation.ts';
import type { AnyPage, Studio, Visit } from './types.ts';
import { evidenceOperation } from './verify/evidence_operation.ts';
import { visitOf } from './visit_of.ts';
import { passedFiles } from './wallet/passed_files.ts';

/** Default icon path, for browsers that do not read the page. */
const faviconOperation = defineOperation({
  name: 'favicon',
  methods: ['GET'],
  path: '/favicon.ico',
  tag: 'studio',
  summary: 'Icon of the server.',
  input: noInput,
  answer: { file: 'image/png', description: 'PNG.' },
  isPrivate: true,
  cacheSeconds: 86_400,
  run: async () => {
    const { bytes, contentType } = pageFile('icon.png');
    return { bytes, contentType };
  },
});

/**
 * Every studio page as an endpoint with the usual limits and errors, left out of the OpenAPI document. Pages come last: the last path
 * parameter matches slashes, so `/table/{id}` would also match `/table/{id}/images.zip`.
 */
export const studioOperations = (studio: Studio): readonly AnyOperation[] => [
  faviconOperation,
  pictureOperation(studio),
  previewOperation(studio),
  zipOperation(studio),
  tableOperation(studio),
  tableRunOperation(studio),
  tableZipOperation(studio),
  evidenceOperation(studio),
  ...passedFiles(studio),
  ...pages.flatMap((page) => [lookAt(studio, page), ...(page.form ? [postTo(studio, page, page.form)] : [])]),
];

const lookAt = (studio: Studio, page: AnyPage) =>
  defineOperation({
    name: page.name,
    methods: ['GET'],
    path: page.path,
    tag: 'studio',
    summary: `A page of the studio: ${page.name.replaceAll('_', ' ')}.`,
    input: page.input,
    answer: { file: 'text/html', description: 'A page for people.' },
    isPrivate: true,
    ...(page.limit && { limit: page.limit }),
    run: (input, _services, call) => showPage(studio, page, input, call),
  });

/** Has its own rate limit: viewing a page does not use up the limit for posting. */
const postTo = (studio: Studio, page: AnyPage, { bytesMax, limit }: NonNullable<AnyPage['form']>) =>
  defineOperation({
    ...lookAt(studio, page),
    name: `${page.name}_form`,
    methods: ['POST'],
    body: 'raw',
    maxBodyBytes: bytesMax,
    limit,
  });

/** A page without access control. */
export async function showPage(
  studio: Studio,
  page: AnyPage,
  input: z.output<z.ZodObject>,
  call: OperationCall,
): Promise<BytesAnswer> {
  const known = await visitOf(studio, call);
  const visit: Visit = call.method === 'POST' ? { ...known, form: await readForm(studio, call) } : known;
  const { cookie, ...shown } = await page.show(input, visit);
  const set = cookie === undefined ? undefined : { 'Set-Cookie': cookie };
  if ('goTo' in shown) return redirectTo(shown.goTo, set);
  const { headers, ...answer } = await htmlPage(shown, frameOf(studio, visit.visitor, page));
  return { ...answer, headers: { ...headers, ...set } };
}

/** Redirect that the browser follows with GET. */
const redirectTo = (address: string, headers: Record<string, string> | undefined): BytesAnswer => ({
  bytes: '',
  contentType: 'text/plain; charset=utf-8',
  status: 303,
  headers: { Location: address, 'Cache-Control': 'private, no-store', ...headers },
});
