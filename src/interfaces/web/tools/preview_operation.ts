import { z } from 'zod';
import { unknownTool } from '../../../catalog/unknown_tool.ts';
import { defineOperation } from '../../../features/definitions/operation.ts';
import { callTool } from '../../../pipeline/pipeline.ts';
import { PREVIEWS } from '../../../pipeline/rate_limit.ts';
import { readForm } from '../read_form.ts';
import type { Studio } from '../types.ts';
import { visitOf } from '../visit_of.ts';
import { PREVIEW_FORM_BYTES_MAX } from './limits.ts';
import { picturesIn, withSamples } from './post_run.ts';
import { runnableTool } from './runnable.ts';
import { settingsAmong } from './settings.ts';

/**
 * Runs the current form of a tool page with `preview: true`. Files were uploaded when they were chosen; only the first of several
 * images is previewed.
 */
export const previewOperation = (studio: Studio) =>
  defineOperation({
    name: 'studio_preview',
    methods: ['POST'],
    path: '/previews/{tool}',
    tag: 'studio',
    summary: 'Preview of the result of a tool for a form.',
    input: z.object({ tool: z.string().max(100) }),
    body: 'raw',
    maxBodyBytes: PREVIEW_FORM_BYTES_MAX,
    answer: { file: 'application/json', description: 'Response of the tool to `preview: true`.' },
    isPrivate: true,
    limit: PREVIEWS,
    async run({ tool: name }, _services, call) {
      const { catalogue } = studio.context.services;
      const tool = catalogue.find(name);
      if (!tool) throw unknownTool(catalogue, name);
      const visit = await visitOf(studio, call);
      const { params, fields } = runnableTool(tool);
      const form = Object.fromEntries(await readForm(studio, call));
      const sent = settingsAmong(fields, form);
      const settings = Object.fromEntries(
        Object.entries(sent).map(([field, text]) => [field, picturesIn(text)[0]!]),
      );
      const { workspace } = form;
      const input = {
        ...params(withSamples(settings), visit.visitor),
        preview: true,
        // In a workspace, images are referenced by their numbers.
        ...(typeof workspace === 'string' && { workspace }),
      };
      const { body } = await callTool(studio.context, name, input, { ...visit.caller, isCounted: true });
      return {
        bytes: JSON.stringify(body),
        contentType: 'application/json; charset=utf-8',
        headers: { 'Cache-Control': 'private, no-store' },
      };
    },
  });
