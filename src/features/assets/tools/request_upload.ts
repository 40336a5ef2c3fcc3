import { z } from 'zod';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { invalidField } from '../../../core/errors/atelier_error.ts';
import { briefly } from '../../definitions/brief.ts';
import { expectedFields } from '../../definitions/fields.ts';
import { FREE } from '../../definitions/price.ts';
import { defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { FILE_NAME_CHARACTERS_MAX } from '../limits.ts';

const HOUR_S = 3600;
/** Links per call. Each takes about 120 tokens of the response. */
const LINKS_MAX = 20;

/**
 * Between double quotes these characters are literal in every shell (sh, cmd, PowerShell) and in curl, which globs braces and
 * brackets.
 */
const PLAIN_NAME = /^[\p{L}\p{N}\p{M} .,_()+=@~/\\:-]+$/u;
/** Names that curl interprets as standard input. */
const PIPES = ['-', '.'];

export const requestUpload = defineTool({
  name: 'request_upload',
  title: 'Bring a file',
  category: 'storage',
  toolset: 'always',
  summary:
    "For an image that is only on the person's machine: returns a short-lived link, a command that uploads the file, and its future handle.",
  words:
    'send a local file, it lies on my laptop, phone or desktop, attach, upload link, path on disk, no base64, how do I upload an image, bring or hand over a file, i have a file on my disk, the user has the picture on his phone or computer, send you a local file, base64 too long for the chat, share a photo from my computer, curl, browse for a file, give you my picture, hard drive, camera roll, file path, attachment, attach a file, picture from the computer of the user, drag and drop, file too large to paste, get my picture to you, where do I put the file, one-time link, scan on my pc, desktop, gallery of my phone, put it here, import a picture, presigned url',
  price: FREE,
  input: z.object({
    file: z
      .string()
      .min(1)
      .max(FILE_NAME_CHARACTERS_MAX)
      .optional()
      .describe('Name or path of the file on that machine, used in the command.')
      .meta({ title: 'Name of the file' }),
    count: briefly(
      z
        .int()
        .min(1)
        .max(LINKS_MAX)
        .default(1)
        .describe('Number of links, one per file; `uploads` lists them.'),
      'number of links',
    ),
    files: briefly(
      z
        .array(z.string().min(1).max(FILE_NAME_CHARACTERS_MAX))
        .min(1)
        .max(LINKS_MAX)
        .optional()
        .describe('Names of several files, one link each; results made from them keep the names.')
        .meta({ title: 'Names of several files' }),
      'names, instead of count',
    ),
    upload: z
      .string()
      .regex(/^upload:[\w-]{1,200}$/, 'must be a handle such as upload:<id>')
      .optional()
      .describe('A handle from an earlier call: returns whether the file has arrived.'),
    ...expectedFields,
  }),
  output: z.object({
    state: z.enum(['waiting', 'arrived']),
    handle: z.string().describe('For any image field, once the file has arrived.'),
    upload_url: z
      .string()
      .optional()
      .describe('Accepts the bytes of one file by PUT or POST; shows an upload page in a browser.'),
    command: z
      .string()
      .optional()
      .describe(
        'Uploads the file. Run it in your shell, or give it to the person; in Windows PowerShell: curl.exe.',
      ),
    uploads: z
      .array(z.object({ handle: z.string(), upload_url: z.string(), name: z.string().optional() }))
      .optional()
      .describe('With files, or count above 1: every link and its handle, including the first.'),
    link_expires_at: z.string().optional(),
    expires_at: z.string().optional().describe('When the file is deleted.'),
    size_bytes: z.int().min(1).max(UPLOAD_BYTES_MAX).optional(),
    max_bytes: z.int().min(1).max(UPLOAD_BYTES_MAX),
  }),
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limit: {
    name: 'upload-links',
    calls: 240,
    perSeconds: HOUR_S,
    also: [{ name: 'upload-links-of-all', calls: 50_000, perSeconds: HOUR_S, by: 'everybody' }],
  },
  examples: [{ file: 'photo.jpg' }, {}],
  next: ({ state, handle }) =>
    state === 'arrived'
      ? [
          {
            action: 'Get its colours',
            tool: 'extract_palette',
            why: 'Free; any tool with an image field accepts the handle',
            params: { image: handle },
          },
        ]
      : [
          {
            action: 'See whether it has arrived',
            tool: 'request_upload',
            why: 'After the command has run or the person says so',
            params: { upload: handle },
          },
        ],

  async run(input, { uploads }: Pick<Services, 'uploads'>, call) {
    if (input.upload !== undefined) {
      const size = await uploads.sizeOf(input.upload.slice('upload:'.length));
      return {
        state: size === undefined ? ('waiting' as const) : ('arrived' as const),
        handle: input.upload,
        ...(size !== undefined && { size_bytes: size }),
        max_bytes: UPLOAD_BYTES_MAX,
      };
    }
    const { expect_sha256: sha256, expect_bytes: sizeBytes, file, files } = input;
    const isOne = sha256 !== undefined || sizeBytes !== undefined || file !== undefined;
    if ((input.count > 1 || files !== undefined) && isOne)
      throw invalidField(
        'count',
        'file, expect_bytes and expect_sha256 apply to one file. Omit them, or request one link at a time.',
      );
    const names = files ?? Array.from({ length: input.count }, () => file);
    const invited = names.map((one) => uploads.invite({ sha256, sizeBytes }, one));
    const { id, url, expiresAt, fileExpiresAt } = invited[0]!;
    const name = file ?? 'photo.jpg';
    const isPlain = PLAIN_NAME.test(name) && !PIPES.includes(name);
    if (!isPlain)
      call.warn(
        'The file name has characters that a shell may interpret. Insert it into the command yourself.',
      );
    return {
      state: 'waiting' as const,
      handle: `upload:${id}`,
      upload_url: url,
      command: `curl -T "${isPlain ? name : 'photo.jpg'}" ${url}`,
      ...((files ?? invited).length > 1 && {
        uploads: invited.map((one, at) => ({
          handle: `upload:${one.id}`,
          upload_url: one.url,
          ...(files && { name: files[at] }),
        })),
      }),
      link_expires_at: expiresAt.toISOString(),
      expires_at: fileExpiresAt.toISOString(),
      max_bytes: UPLOAD_BYTES_MAX,
    };
  },
});
