import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { messagePage } from '../../../core/html/html_page.ts';
import { defineOperation } from '../../definitions/operation.ts';
import type { Services } from '../../services.ts';
import { uploadPageFor } from '../pages/upload_page.ts';

/** Upload page of the link in a browser. An expired link is reported as a page, because people open it, not programs. */
export const uploadPage = defineOperation({
  name: 'upload_page',
  methods: ['GET'],
  path: '/api/uploads/{token}',
  tag: 'files',
  summary: 'The page where a person chooses or drops the file an upload link is for.',
  input: z.object({ token: z.string().max(500).describe('Part of the link.') }),
  answer: { file: 'text/html', description: 'A place to drop a file, or what became of the link.' },
  async run({ token }, { uploads }: Pick<Services, 'uploads'>) {
    try {
      const { id, expiresAt } = uploads.readInvitation(token);
      const isUsed = (await uploads.sizeOf(id)) !== undefined;
      return isUsed ? messagePage(...USED) : uploadPageFor(expiresAt);
    } catch (error) {
      if (!(error instanceof AtelierError) || error.code !== 'upload_link_ended') throw error;
      return messagePage(...ENDED);
    }
  },
});

const USED = [
  'The file is there',
  'A file has come by this link. Go back to your assistant and tell it so; for another file, ask it for another link.',
] as const;
const ENDED = [
  'This link has ended',
  'Upload links work for 20 minutes and exactly as they were given. Ask your assistant for a new one.',
] as const;
