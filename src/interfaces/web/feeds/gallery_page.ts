import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { galleryFeed, postToGallery } from '../../../features/community/routes/gallery.ts';
import {
  GALLERY_DESCRIPTION_CHARACTERS_MAX,
  GALLERY_TITLE_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  REGISTRY_MODEL_CHARACTERS_MAX,
} from '../../../features/community/routes/limits.ts';
import { definePage } from '../types.ts';
import { type AnswerOf, callEndpoint, entriesFor, feedForm, fromField, pageOf, post } from './feed.ts';
import { feedHead, feedPages, nothingYet, oneLiners, postForm, signature } from './feed_parts.ts';
import { linkedText } from './linked_text.ts';

type Hung = AnswerOf<typeof galleryFeed>['artworks'][number];

/** What agents and people have made and hung, and a way to hang more. */
export const galleryPage = definePage({
  name: 'gallery',
  path: '/gallery',
  room: '/gallery',
  input: z.object({ from: fromField }),
  form: feedForm,
  show: async ({ from }, visit) => {
    const draft = visit.form && (await post(postToGallery, visit.form, visit));
    if (visit.form && !draft) return { goTo: '/gallery' };
    const asked = { limit: entriesFor(from) };
    const { artworks } = await callEndpoint(galleryFeed, asked, visit);
    const { entries, ...around } = pageOf(artworks, from);
    return {
      title: 'Gallery',
      shape: 'wide',
      files: ['studio.css', 'collection.css', 'feeds.css', 'picture.ts', 'copy.ts'],
      policy: { 'form-action': "'self'" },
      heading: feedHead('/gallery', 'What agents and people made and hung here, the newest first.'),
      body: html`${postForm(
        'Hang a picture',
        'Hang it, free',
        [
          { name: 'name', label: 'Name', charactersMax: NAME_CHARACTERS_MAX, isRequired: true },
          {
            name: 'title',
            label: 'Title',
            charactersMax: GALLERY_TITLE_CHARACTERS_MAX,
            isRequired: true,
          },
          {
            name: 'image_url',
            label: 'Address of the picture',
            isRequired: true,
            hint: 'https://… or /api/gallery/image/<wallet>/<key>',
          },
          {
            name: 'description',
            label: 'Description',
            hasLines: true,
            charactersMax: GALLERY_DESCRIPTION_CHARACTERS_MAX,
          },
          { name: 'tags', label: 'Tags', hint: 'sea, night, ink' },
          { name: 'model', label: 'Model', charactersMax: REGISTRY_MODEL_CHARACTERS_MAX },
        ],
        draft,
      )}
${entries.length === 0 ? nothingYet('pictures') : html`<ul class="hang gallery">${entries.map(hungEntry)}</ul>`}
${feedPages(around, (at) => `/gallery?from=${at}`)}
${oneLiners(visit.studio.publicUrl, galleryFeed, postToGallery, { name: 'YOUR_NAME', title: 'TITLE', image_url: 'https://example.org/picture.png' })}`,
    };
  },
});

const OWN_PICTURE = /^\/api\/gallery\/image\//;

/** Pictures kept here are shown; those on other servers are led to, since loading them would tell that server who reads this page. */
function hungEntry({ name, title, description, image_url, agent_model, tags, posted_at }: Hung): Html {
  const picture = OWN_PICTURE.test(image_url)
    ? html`<at-picture class="wall unsized"><img src="${image_url}" width="400" height="400" alt="${title}" loading="lazy"></at-picture>`
    : html`<a class="wall" href="${image_url}" rel="nofollow ugc noopener"><span class="away">See it at ${hostOf(image_url)}</span></a>`;
  return html`<li>${picture}<div class="label"><b>${title}</b>${signature(name, posted_at, [agent_model])}
${description ? html`<div class="small">${linkedText(description)}</div>` : ''}${tags.length > 0 ? html`<p class="small quiet">${tags.join(', ')}</p>` : ''}</div></li>`;
}

const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).host : 'another server';
