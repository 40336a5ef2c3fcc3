import { AtelierError } from '../../core/errors/atelier_error.ts';
import type { OperationCall } from '../../features/definitions/operation.ts';
import { isFromOtherOrigin } from '../../pipeline/admission.ts';
import type { Studio } from './types.ts';

/** The largest form has about a hundred. */
const FORM_FIELDS_MAX = 1_000;

/**
 * Reads a posted form and rejects cross-site requests: they could sign the visitor in as someone else, even on a public server. Browsers send
 * `Sec-Fetch-Site` with every request to https and loopback, and `Origin` with every POST; other clients send neither.
 * @throws AtelierError forbidden_origin, invalid_input
 */
export async function readForm(
  { publicUrl }: Pick<Studio, 'publicUrl'>,
  { body, header }: OperationCall,
): Promise<FormData> {
  const origin = header('origin');
  const hosts = [header('host'), new URL(publicUrl).host];
  const isOther = origin !== undefined && !(URL.canParse(origin) && hosts.includes(new URL(origin).host));
  if (isOther || isFromOtherOrigin(header('sec-fetch-site')))
    throw new AtelierError(
      'forbidden_origin',
      'The form was sent from a page of another origin. Open the page on this server and submit the form there.',
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
