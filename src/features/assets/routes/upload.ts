import { z } from 'zod';
import { CONTENT_TYPE_CHARACTERS_MAX, UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { expectedFields } from '../../definitions/fields.ts';
import { costFields, freeAnswer } from '../../definitions/free_answer.ts';
import { defineOperation, type OperationCall } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { FILE_NAME_CHARACTERS_MAX } from '../limits.ts';
import type { KeepTerms } from '../uploads/uploads.ts';

/** Response to an upload. */
const uploaded = z.object({
  uri: z.string().describe('upload:<id>, for any image field.'),
  upload_id: z.string(),
  size_bytes: z.int().min(1).max(UPLOAD_BYTES_MAX),
  sha256: z.string(),
  content_type: z.string().describe('As declared by the request; image formats are detected from the bytes.'),
  expires_at: z.string(),
  name: z.string().optional().describe('As declared by the request; names of results derive from it.'),
  ...costFields,
});

const LIMIT = { name: 'uploads', calls: 600, perSeconds: 3600 } as const;

export const upload = defineOperation({
  name: 'upload',
  methods: ['POST'],
  path: '/api/uploads',
  tag: 'files',
  summary:
    'Accepts the bytes of one file (up to 25 MB) as the body and returns a handle that every image field accepts for one hour.',
  input: z.object({
    name: z
      .string()
      .max(FILE_NAME_CHARACTERS_MAX)
      .optional()
      .describe('Name of the file. Results made from it, and their downloads, reuse the name.'),
    expect_sha256: expectedFields.expect_sha256,
    expect_bytes: z.coerce
      .number()
      .int()
      .min(1)
      .max(UPLOAD_BYTES_MAX)
      .optional()
      .describe('Expected size of the body in bytes; any other size is refused.'),
  }),
  body: 'file',
  maxBodyBytes: UPLOAD_BYTES_MAX,
  beforeBody: requireRoom,
  answer: uploaded,
  limit: LIMIT,

  run: (
    { name: fileName, expect_sha256: sha256, expect_bytes: sizeBytes },
    services: Needs,
    { file, body },
  ) => keep(services, file ?? body, { fileName, expected: { sha256, sizeBytes } }),
});

export const uploadByLink = defineOperation({
  name: 'upload_by_link',
  methods: ['PUT', 'POST'],
  path: '/api/uploads/{token}',
  tag: 'files',
  summary:
    'Accepts the bytes of one file (up to 25 MB) by a link from request_upload, as curl -T sends them. No credentials; one file per link.',
  input: z.object({ token: z.string().max(500).describe('Part of the link.') }),
  body: 'file',
  maxBodyBytes: UPLOAD_BYTES_MAX,
  beforeBody: requireRoom,
  answer: uploaded,
  limit: LIMIT,

  run: async ({ token }, services: Needs, { file }) =>
    keep(services, file, services.uploads.readInvitation(token)),
});

type Needs = Pick<Services, 'uploads' | 'catalogue'>;

function requireRoom({ uploads }: Needs, bytes: number): Promise<void> {
  return uploads.requireRoom(bytes);
}

/** Stores an upload. @param file on disk, or, from a form, in memory */
async function keep(
  { uploads, catalogue }: Needs,
  file: OperationCall['file'] | OperationCall['body'],
  terms: KeepTerms,
) {
  if (!file) throw invalidField('body', 'The body is empty. Send the bytes of one file as the body.');
  const contentType = file.contentType.slice(0, CONTENT_TYPE_CHARACTERS_MAX) || 'application/octet-stream';
  const kept =
    'bytes' in file
      ? await uploads.keepBytes(file.bytes, contentType, terms)
      : await uploads.keep(file, contentType, terms);
  const uri = `upload:${kept.id}`;
  return {
    uri,
    upload_id: kept.id,
    size_bytes: kept.sizeBytes,
    sha256: kept.sha256,
    content_type: kept.contentType,
    expires_at: kept.expiresAt.toISOString(),
    ...(kept.name !== undefined && { name: kept.name }),
    ...freeAnswer(catalogue, [
      {
        action: 'Get its colours',
        tool: 'extract_palette',
        why: 'Free; any tool with an image field accepts the handle',
        params: { image: uri },
      },
    ]),
  };
}
