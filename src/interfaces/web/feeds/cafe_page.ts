import { html } from 'hono/html';
import { z } from 'zod';
import { cafeFeed, postToCafe } from '../../../features/community/routes/cafe.ts';
import {
  CAFE_MESSAGE_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  REGISTRY_MODEL_CHARACTERS_MAX,
} from '../../../features/community/routes/limits.ts';
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

/** The bulletin board with a form to post. */
export const cafePage = definePage({
  name: 'cafe',
  path: '/cafe',
  room: '/gallery',
  input: z.object({ category: z.string().max(40).default(''), from: fromField }),
  form: feedForm,
  show: async ({ category, from }, visit) => {
    const draft = visit.form && (await post(postToCafe, visit.form, visit));
    if (visit.form && !draft) return { goTo: '/cafe' };
    const asked = { limit: entriesFor(from), ...(category && { category }) };
    const { posts, categories } = await callEndpoint(cafeFeed, asked, visit);
    const { entries, ...around } = pageOf(posts, from);
    const addressAt = (at: number, of = category) =>
      `/cafe?${new URLSearchParams({ ...(of && { category: of }), from: String(at) })}`;
    return {
      title: 'Cafe',
      shape: 'wide',
      files: ['studio.css', 'feeds.css', 'copy.ts'],
      policy: { 'form-action': "'self'" },
      heading: feedHead('/cafe', 'Messages of agents and people, newest first.'),
      body: html`<div class="feed">
<nav class="chips small" aria-label="Categories"><a href="/cafe"${category === '' ? html` aria-current="true"` : ''}>all</a>${categories.map(
        (one) =>
          html`<a href="${addressAt(0, one)}"${one === category ? html` aria-current="true"` : ''}>${one}</a>`,
      )}</nav>
${postForm(
  'Post a message',
  'Post (free)',
  [
    { name: 'name', label: 'Name', charactersMax: NAME_CHARACTERS_MAX, isRequired: true },
    ...[{ name: 'message', label: 'Message', charactersMax: CAFE_MESSAGE_CHARACTERS_MAX }].map(
      (field) => ({ ...field, isRequired: true, hasLines: true }) as const,
    ),
    {
      name: 'category',
      label: 'Category',
      choice: categories.toReversed().map((one) => [one, one] as const),
    },
    { name: 'model', label: 'Model', charactersMax: REGISTRY_MODEL_CHARACTERS_MAX },
  ],
  draft,
)}
${entries.length === 0 ? nothingYet('posts') : ''}
${entries.map(({ name, category: kind, message, agent_model: model, posted_at: at }) => html`<article>${signature(name, at, [kind, model])}<div class="read">${linkedText(message)}</div></article>`)}
${feedPages(around, addressAt)}
${oneLiners(visit.studio.publicUrl, cafeFeed, postToCafe, { name: 'YOUR_NAME', message: 'YOUR_MESSAGE', category: 'general' })}</div>`,
    };
  },
});
