import { z } from 'zod';
import { defineOperation } from '../../../features/definitions/operation.ts';
import type { Studio } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import { checkPicture } from './check_picture.ts';
import { evidenceSheet } from './evidence_sheet.ts';

const HASH_DIGITS_SHOWN = 12;

/** What was found out about a picture as a file to keep: asked anew, so that it says when. */
export const evidenceOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_evidence',
    methods: ['GET'],
    path: '/verify/evidence',
    tag: 'studio',
    summary: 'What is known of a picture, as a sheet to keep.',
    input: z.object({ image: z.string().trim().min(1).max(300) }),
    answer: { file: 'text/plain', description: 'The sheet.' },
    isPrivate: true,
    limit: { name: 'studio-evidence', calls: 120, perSeconds: 3600 },
    async run({ image }, _services: object, call) {
      const checked = await checkPicture(image, await visitOf(studio, call));
      const name = `evidence_${checked.sha256.slice(0, HASH_DIGITS_SHOWN)}.txt`;
      return {
        bytes: evidenceSheet(checked, { server: studio.publicUrl, version: studio.version, at: new Date() }),
        contentType: 'text/plain; charset=utf-8',
        headers: {
          'Content-Disposition': `attachment; filename="${name}"`,
          'Cache-Control': 'private, no-store',
        },
      };
    },
  });
