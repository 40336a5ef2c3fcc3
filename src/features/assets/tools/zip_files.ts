import mime from 'mime';
import { z } from 'zod';
import { UPLOAD_BYTES_MAX } from '../../../config/limits.ts';
import { AtelierError, invalidField } from '../../../core/errors/atelier_error.ts';
import { briefly, shownAs } from '../../definitions/brief.ts';
import { EXAMPLE_PNG_B64 } from '../../definitions/example_image.ts';
import { fileAnswer } from '../../definitions/fields.ts';
import { linkAnswer } from '../../definitions/passthrough_answer.ts';
import { FREE } from '../../definitions/price.ts';
import { withAliases } from '../../definitions/spellings.ts';
import { type CallContext, defineTool } from '../../definitions/tool.ts';
import type { Services } from '../../services.ts';
import { FILE_NAME_CHARACTERS_MAX, ZIP_BYTES_MAX, ZIP_FILES_MAX } from '../limits.ts';
import type { FileToPack } from '../zip/types.ts';

const handle = z.string().min(1).max(4096);
const fileName = z.string().min(1).max(FILE_NAME_CHARACTERS_MAX);
const ZIP_TYPE = 'application/zip';

export const zipFiles = defineTool({
  name: 'zip_files',
  title: 'Pack and unpack ZIP files',
  category: 'storage',
  summary:
    'Pack up to 100 results, uploads or stored files into one ZIP, under their names; or unpack a ZIP into a handle for each file.',
  words:
    'archive, bundle, one download, in one zip, everything in one file, download all results together, compress into a zip, package, extract, unzip, unpack, decompress, a zip of photos, several files at once',
  price: FREE,
  input: z.object({
    files: shownAs(
      withAliases(
        z
          .array(z.union([handle, z.object({ file: handle, name: fileName.optional() })]))
          .min(1)
          .max(ZIP_FILES_MAX)
          .optional()
          .describe('To pack: handles or URLs, or {file, name} to rename one.'),
        'results',
        'handles',
        'images',
      ),
      { type: 'array', items: {}, description: 'to pack: handles, or {file, name}' },
    ),
    zip: briefly(
      withAliases(
        handle.optional().describe('To unpack: handle or URL of a ZIP of up to 25 MB.'),
        'archive',
        'file',
      ),
      'to unpack: a handle',
    ),
    name: briefly(fileName.default('files.zip').describe('File name of the ZIP.'), ''),
  }),
  output: z.object({
    files: z.array(
      z.object({
        name: z.string(),
        size_bytes: z.int().min(0).max(Number.MAX_SAFE_INTEGER),
        handle: z
          .string()
          .optional()
          .describe('Handle of an unpacked file: for any image field, for one hour.'),
        content_type: z.string().optional(),
      }),
    ),
    skipped: z.array(z.object({ name: z.string(), why: z.string() })).optional(),
    ...z.object(fileAnswer).partial().shape,
  }),
  effects: { readOnly: false, destructive: false, idempotent: false, openWorld: false },
  limit: { name: 'zips', calls: 120, perSeconds: 3600 },
  examples: [{ files: [{ file: EXAMPLE_PNG_B64, name: 'sun.png' }], name: 'pictures.zip' }],
  next: ({ files }) => {
    const unpacked = files.flatMap((file) => file.handle ?? []);
    return unpacked.length === 0
      ? []
      : [
          {
            action: 'Process all files',
            tool: 'run_recipe',
            why: 'One call for all files, up to 20 at a time',
            params: {
              steps: [{ tool: 'resize_image', params: { image: '$photo', width: 1200, height: 1200 } }],
              for_each: { photo: unpacked.slice(0, 20) },
            },
          },
        ];
  },

  run({ files, zip, name }, services: Needs, call) {
    if ((files === undefined) === (zip === undefined))
      throw invalidField('files', 'Send either files (to pack) or zip (to unpack).');
    return files === undefined ? unpack(zip!, services, call) : pack(files, name, services, call);
  },
});

type Needs = Pick<Services, 'images' | 'results' | 'uploads' | 'zips'>;
type Listed = string | { readonly file: string; readonly name?: string | undefined };

async function unpack(zip: string, { images, uploads, zips }: Needs, { wallet, signal }: CallContext) {
  const bytes = await images.read(zip, 'zip', { signal, ...(wallet && { wallet }) }, UPLOAD_BYTES_MAX);
  const { files, skipped, close } = await zips.read(bytes);
  try {
    const kept = [];
    let expiresAt: Date | undefined;
    for (const { name, read } of files) {
      signal.throwIfAborted();
      const contentType = mime.getType(name) ?? 'application/octet-stream';
      const upload = await uploads.keepBytes(await read(), contentType, { fileName: name });
      expiresAt ??= upload.expiresAt;
      kept.push({
        name: upload.name ?? name,
        size_bytes: upload.sizeBytes,
        handle: `upload:${upload.id}`,
        content_type: contentType,
      });
    }
    return {
      files: kept,
      ...(expiresAt && { expires_at: expiresAt.toISOString() }),
      ...(skipped.length > 0 && { skipped: [...skipped] }),
    };
  } finally {
    close();
  }
}

async function pack(
  listed: readonly Listed[],
  name: string,
  { images, results, zips }: Needs,
  call: CallContext,
) {
  const { wallet, signal } = call;
  let total = 0;
  async function* opened(): AsyncGenerator<FileToPack> {
    for (const [at, one] of listed.entries()) {
      signal.throwIfAborted();
      const { file, name: wished } = typeof one === 'string' ? { file: one, name: undefined } : one;
      const sender = { signal, ...(wallet && { wallet }) };
      const bytes = await images.read(file, `files.${at}`, sender, ZIP_BYTES_MAX - total);
      total += bytes.length;
      yield { name: wished ?? images.nameOf(file), bytes };
      call.onProgress((at + 1) / listed.length, `${at + 1} of ${listed.length} files`);
    }
  }
  const kept = await results.make(ZIP_TYPE, (path) => zips.write(path, opened()), name).catch(asTooLarge);
  return {
    files: kept.made.map((file) => ({ name: file.name, size_bytes: file.sizeBytes })),
    content_type: ZIP_TYPE,
    size_bytes: kept.sizeBytes,
    ...linkAnswer(kept),
  };
}

function asTooLarge(error: unknown): never {
  if (!(error instanceof AtelierError) || error.code !== 'payload_too_large') throw error;
  throw new AtelierError(
    'zip_too_large',
    `The files have more than ${ZIP_BYTES_MAX} bytes in total, the limit for a ZIP. Pack fewer.`,
    { cause: error },
  );
}
