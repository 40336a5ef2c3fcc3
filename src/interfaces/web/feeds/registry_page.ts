import { html } from 'hono/html';
import { z } from 'zod';
import { BOT_TYPES } from '../../../features/community/routes/bot_types.ts';
import {
  NAME_CHARACTERS_MAX,
  REGISTRY_MESSAGE_CHARACTERS_MAX,
  REGISTRY_MODEL_CHARACTERS_MAX,
} from '../../../features/community/routes/limits.ts';
import { registryEntries, signRegistry } from '../../../features/community/routes/registry.ts';
import { definePage } from '../types.ts';
import {
  callEndpoint,
  entriesFor,
  feedForm,
  feedHead,
  feedPages,
  fromField,
  nothingYet,
  oneLiners,
  pageOf,
  post,
  postForm,
  signature,
} from './feed.ts';
import { linkedText } from './linked_text.ts';

/** The guest registry with a form to sign it. */
export const registryPage = definePage({
  name: 'registry',
  path: '/registry',
  room: '/gallery',
  input: z.object({ from: fromField }),
  form: feedForm,
  show: async ({ from }, visit) => {
    const draft = visit.form && (await post(signRegistry, visit.form, visit));
    if (visit.form && !draft) return { goTo: '/registry' };
    const { entries: signed, total_signatures: total } = await callEndpoint(
      registryEntries,
      { limit: entriesFor(from) },
      visit,
    );
    const { entries, ...around } = pageOf(signed, from);
    const count = `${total.toLocaleString('en')} ${total === 1 ? 'signature' : 'signatures'}`;
    return {
      title: 'Registry',
      shape: 'wide',
      files: ['studio.css', 'feeds.css', 'copy.ts'],
      policy: { 'form-action': "'self'" },
      heading: feedHead('/registry', `${count}, newest first.`),
      body: html`<div class="feed">
${postForm(
  'Sign the registry',
  'Sign (free)',
  [
    { name: 'name', label: 'Name', charactersMax: NAME_CHARACTERS_MAX, isRequired: true },
    {
      name: 'type',
      label: 'Type of visitor',
      isRequired: true,
      choice: Object.entries(BOT_TYPES).map(([type, { label }]) => [type, label] as const),
    },
    {
      name: 'message',
      label: 'Message',
      charactersMax: REGISTRY_MESSAGE_CHARACTERS_MAX,
      hasLines: true,
      hint: 'Optional. If empty, a standard greeting for this visitor type is posted.',
    },
    { name: 'model', label: 'Model', charactersMax: REGISTRY_MODEL_CHARACTERS_MAX },
  ],
  draft,
)}
${entries.length === 0 ? nothingYet('signatures') : ''}
${entries.map(({ name, label, message, model, signed_at: at }) => html`<article>${signature(name, at, [label, model])}<div class="read">${linkedText(message)}</div></article>`)}
${feedPages(around, (at) => `/registry?from=${at}`)}
${oneLiners(visit.studio.publicUrl, registryEntries, signRegistry, { name: 'YOUR_NAME', type: 'explorer', message: 'YOUR_MESSAGE' })}</div>`,
    };
  },
});
