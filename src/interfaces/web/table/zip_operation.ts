import { makeZip } from 'client-zip';
import { z } from 'zod';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { type Item, shownItems } from '../../../core/html/browser/table_state.ts';
import {
  defineOperation,
  type FileAnswer,
  type OperationCall,
} from '../../../features/definitions/operation.ts';
import { itemFile } from '../../../features/workspaces/routes/index.ts';
import { callOperation } from '../../../pipeline/operations.ts';
import { uniqueNames } from '../tools/file_names.ts';
import type { Studio, Visit } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import { numbersIn } from './panel_html.ts';
import { openTable } from './read_table.ts';

/** Images of a table as a streamed ZIP: one image is in memory at a time. */
export const tableZipOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_table_zip',
    methods: ['GET'],
    path: '/table/{id}/images.zip',
    tag: 'studio',
    summary: 'Images of a table as a ZIP.',
    input: z.object({ id: z.string().max(200), items: z.string().max(8_000).default('') }),
    answer: { file: 'application/zip', description: 'The files of the items, under their names.' },
    isPrivate: true,
    limit: { name: 'studio-zips', calls: 60, perSeconds: 3600, by: 'address' },
    async run({ id, items: wanted }, _services: object, call) {
      const visit = await visitOf(studio, call);
      const { key, state } = await openTable(visit, id);
      const numbers = new Set(numbersIn(wanted));
      const items = wanted
        ? state.items.filter(({ item, deleted }) => numbers.has(item) && !deleted)
        : shownItems(state);
      if (items.length === 0)
        throw new AtelierError(
          'invalid_input',
          'None of these images are on the table. Select images on the table.',
        );
      return {
        contentType: 'application/zip',
        headers: {
          'Content-Disposition': 'attachment; filename="images.zip"',
          'Cache-Control': 'private, no-store',
        },
        chunks: () => zipped(items, { key, visit, call }),
      };
    },
  });

interface From {
  readonly key: string;
  readonly visit: Visit;
  readonly call: OperationCall;
}

async function* zipped(items: readonly Item[], from: From): AsyncGenerator<Uint8Array> {
  const names = archiveNames(items.map(({ name }) => name));
  async function* entries() {
    for (const [at, { item }] of items.entries()) {
      const { bytes } = await fileOf(item, from);
      const input = typeof bytes === 'string' || bytes instanceof Uint8Array ? bytes : bytes.stream();
      yield { name: names[at]!, input: input as Uint8Array<ArrayBuffer> };
    }
  }
  yield* makeZip(entries()) as ReadableStream<Uint8Array>;
}

async function fileOf(item: number, { key, visit, call }: From): Promise<FileAnswer> {
  const request = { method: 'GET', header: call.header } as const;
  const answer = await callOperation(
    visit.studio.context,
    itemFile,
    { id: key, item, size: 'full' },
    visit.caller,
    request,
  );
  if ('file' in answer) return answer.file;
  throw new Error('an item is a file');
}

/** Unique file names of an archive, without path traversal. */
export const archiveNames = (names: readonly string[]): readonly string[] =>
  uniqueNames(names.map((name) => name.replace(/[/\\:\p{Cc}]/gu, '_').replace(/^[.\s]+/, '_') || 'image'));
