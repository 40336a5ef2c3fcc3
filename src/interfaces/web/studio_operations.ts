import type { z } from 'zod';
import { AtelierError } from '../../core/errors/atelier_error.ts';
import { htmlPage } from '../../core/html/html_page.ts';
import { pageFile } from '../../core/html/page_files.ts';
import {
  type AnyOperation,
  type BytesAnswer,
  defineOperation,
  type OperationCall,
} from '../../features/definitions/operation.ts';
import { isFromOtherOrigin } from '../../pipeline/admission.ts';
import { frameOf } from './frame.ts';
import { noInput } from './no_input.ts';
import { pages } from './pages.ts';
import { pictureOperation } from './tools/picture_operation.ts';
import { zipOperation } from './tools/zip_operation.ts';
import type { AnyPage, Studio, Visit } from './types.ts';
import { evidenceOperation } from './verify/evidence_operation.ts';
import { visitOf } from './visit_of.ts';
import { passedFiles } from './wallet/passed_files.ts';

/** The icon where browsers look for it that read no page. */
const faviconOperation = defineOperation({
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

/** The largest form has about a hundred. */
const FORM_FIELDS_MAX = 1_000;

/** Every page of the studio as an endpoint: limits, bodies and refusals are those of every other. In no document for machines. */
export const studioOperations = (studio: Studio): readonly AnyOperation[] => [
  ...pages.flatMap((page) => [lookAt(studio, page), ...(page.form ? [postTo(studio, page, page.form)] : [])]),
  faviconOperation,
  pictureOperation(studio),
  zipOperation(studio),
  evidenceOperation(studio),
  ...passedFiles(studio),
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

/** Counted apart: looking costs nothing of what may be posted. */
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

/** To be read by GET, whatever was sent. */
const redirectTo = (address: string, headers: Record<string, string> | undefined): BytesAnswer => ({
  bytes: '',
  contentType: 'text/plain; charset=utf-8',
  status: 303,
  headers: { Location: address, 'Cache-Control': 'private, no-store', ...headers },
});

/**
 * Reads a posted form. A form on a page of another origin could sign the visitor in as someone else, even on a public server. Browsers send
 * `Sec-Fetch-Site` with every request to https and loopback, and `Origin` with every POST; requests of programs have neither.
 * @throws AtelierError forbidden_origin, invalid_input
 */
async function readForm({ publicUrl }: Studio, { body, header }: OperationCall): Promise<FormData> {
  const origin = header('origin');
  const hosts = [header('host'), new URL(publicUrl).host];
  const isOther = origin !== undefined && !(URL.canParse(origin) && hosts.includes(new URL(origin).host));
  if (isOther || isFromOtherOrigin(header('sec-fetch-site')))
    throw new AtelierError(
      'forbidden_origin',
      'A page of another origin sent this form. Open the page of this server and send the form from there.',
    );
  const type = header('content-type') ?? '';
  const bytes = body?.bytes ?? new Uint8Array();
  requireFewFields(bytes, type);
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, {
      headers: { 'Content-Type': type },
    }).formData();
  } catch (error) {
    throw new AtelierError(
      'invalid_input',
      'The form cannot be read. Send it as multipart/form-data or application/x-www-form-urlencoded.',
      { cause: error },
    );
  }
}

/**
 * Counts separators before the form is parsed: each field becomes several objects.
 * @throws AtelierError payload_too_large
 */
function requireFewFields(bytes: Uint8Array, type: string): void {
  const boundary = /boundary="?([^";\s]+)/i.exec(type)?.[1];
  const separator = type.startsWith('multipart/') ? boundary && `--${boundary}` : '&';
  if (separator === undefined) return;
  const form = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let fields = 0;
  for (let at = form.indexOf(separator); at >= 0; at = form.indexOf(separator, at + separator.length)) {
    fields += 1;
    if (fields > FORM_FIELDS_MAX)
      throw new AtelierError(
        'payload_too_large',
        `The form has more than ${FORM_FIELDS_MAX.toLocaleString('en')} fields. Send fewer.`,
      );
  }
}
