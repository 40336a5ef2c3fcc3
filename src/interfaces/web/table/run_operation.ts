import { z } from 'zod';
import { unknownTool } from '../../../catalog/unknown_tool.ts';
import { defineOperation } from '../../../features/definitions/operation.ts';
import { readForm } from '../read_form.ts';
import { settingsAmong } from '../tools/settings.ts';
import { refusalOf } from '../tools/words.ts';
import type { Studio } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import { TABLE_FORM_BYTES_MAX } from './limits.ts';
import { numbersIn } from './panel_html.ts';
import { openTable } from './read_table.ts';
import { runOnItems } from './run_tool.ts';
import { tableRunnable } from './table_runnable.ts';

/** Starts a tool for each selected item and returns the outcome to the scripts of the page. */
export const tableRunOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_table_run',
    methods: ['POST'],
    path: '/table-runs/{tool}',
    tag: 'studio',
    summary: 'Runs a tool or a recipe on images of a table.',
    input: z.object({ tool: z.string().max(100) }),
    body: 'raw',
    maxBodyBytes: TABLE_FORM_BYTES_MAX,
    answer: {
      file: 'application/json',
      description: 'Started runs, reasons for failed starts, and images left for later.',
    },
    isPrivate: true,
    limit: { name: 'studio-table-runs', calls: 1_200, perSeconds: 3600, by: 'address' },
    async run({ tool: name }, _services, call) {
      const visit = await visitOf(studio, call);
      const runnable = await tableRunnable(visit, name);
      if (!runnable) throw unknownTool(studio.context.services.catalogue, name);
      const form = await readForm(studio, call);
      const table = await openTable(visit, String(form.get('table') ?? ''));
      const numbers = new Set(numbersIn(String(form.get('items') ?? '')));
      const items = table.state.items.filter(({ item, deleted }) => numbers.has(item) && !deleted);
      const settings = settingsAmong(runnable.fields, Object.fromEntries(form));
      const press = String(form.get('press') ?? '');
      const { acts, failed, left } = await runOnItems(
        runnable,
        { key: table.key, items, settings, press },
        visit,
      );
      const [first] = failed;
      // If no run was started, the whole request fails with the first error.
      if (first && acts.length === 0) throw first.error;
      return {
        bytes: JSON.stringify({
          acts,
          left,
          failed: failed.map(({ item, name: file, error }) => ({
            item,
            name: file,
            detail: refusalOf(error, runnable.fields).text,
          })),
        }),
        contentType: 'application/json; charset=utf-8',
        headers: { 'Cache-Control': 'private, no-store' },
      };
    },
  });
