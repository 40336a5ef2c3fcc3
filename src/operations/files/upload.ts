import { z } from 'zod';
import { invalidField } from '../../errors/atelier_error.ts';
import { CONTENT_TYPE_CHARACTERS_MAX, UPLOAD_BYTES_MAX } from '../../limits.ts';
import type { Services } from '../../services/contract.ts';
import { costFields, freeAnswer } from '../free_answer.ts';
import { defineOperation } from '../operation.ts';

export const upload = defineOperation({
  name: 'upload',
  methods: ['POST'],
  path: '/api/uploads',
  tag: 'files',
  summary:
    'Takes the bytes of one file (up to 25 MB) as the body and answers a handle that every image field accepts for an hour.',
  input: z.object({}),
  body: 'raw',
  maxBodyBytes: UPLOAD_BYTES_MAX,
  answer: z.object({
    uri: z.string().describe('upload:<id>, for any image field.'),
    upload_id: z.string(),
    size_bytes: z.int().min(1).max(UPLOAD_BYTES_MAX),
    sha256: z.string(),
    content_type: z.string().describe('As the request said; pictures are judged by their own bytes.'),
    expires_at: z.string(),
    ...costFields,
  }),
  limit: { name: 'uploads', calls: 600, perSeconds: 3600 },

  async run(_, { uploads, catalogue }: Pick<Services, 'uploads' | 'catalogue'>, { body }) {
    if (!body) throw invalidField('body', 'The body is empty. Send the bytes of one file as the body.');
    const contentType = body.contentType.slice(0, CONTENT_TYPE_CHARACTERS_MAX) || 'application/octet-stream';
    const kept = await uploads.keep(body.bytes, contentType);
    const uri = `upload:${kept.id}`;
    return {
      uri,
      upload_id: kept.id,
      size_bytes: kept.sizeBytes,
      sha256: kept.sha256,
      content_type: kept.contentType,
      expires_at: kept.expiresAt.toISOString(),
      ...freeAnswer(catalogue, [
        {
          action: 'Take its colours',
          tool: 'extract_palette',
          why: 'Free; any tool with an image field takes the handle',
          params: { image: uri },
        },
      ]),
    };
  },
});
