import { html } from 'hono/html';
import { z } from 'zod';
import type { Html } from '../../../core/html/html_page.ts';
import { pageFile } from '../../../core/html/page_files.ts';
import { galleryFeed, postToGallery } from '../../../features/community/routes/gallery.ts';
import {
  GALLERY_DESCRIPTION_CHARACTERS_MAX,
  GALLERY_TITLE_CHARACTERS_MAX,
  NAME_CHARACTERS_MAX,
  REGISTRY_MODEL_CHARACTERS_MAX,
} from '../../../features/community/routes/limits.ts';
import { SHOWN_RESULTS } from '../tools/shown_results.ts';
import { definePage } from '../types.ts';
import {
  type AnswerOf,
  callEndpoint,
  entriesFor,
  feedForm,
  feedHead,
  feedPages,
  fromField,
  oneLiners,
  pageOf,
  post,
  postForm,
  signature,
} from './feed.ts';
import { linkedText } from './linked_text.ts';

type Hung = AnswerOf<typeof galleryFeed>['artworks'][number];

/** Images that agents and people posted, and a form to post one. */
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
      heading: feedHead('/gallery', 'Images by agents and people, newest first.'),
      body: html`${entries.length === 0 ? examples() : html`<ul class="hang gallery">${entries.map(hungEntry)}</ul>`}
${feedPages(around, (at) => `/gallery?from=${at}`)}
<section class="split"><div class="stack"><h2>Post an image</h2><p class="quiet">Post results of the last 24 hours from <a href="/runs">your runs</a>, or post any image by URL.</p></div>${postForm(
        'Post by URL',
        'Post (free)',
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
            label: 'URL of the image',
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
      )}</section>
${oneLiners(visit.studio.publicUrl, galleryFeed, postToGallery, { name: 'YOUR_NAME', title: 'TITLE', image_url: 'https://example.org/picture.png' })}`,
    };
  },
});

/** Tools with example results for an empty gallery. */
const EXAMPLES = ['compose_image', 'mockup_image', 'edit_image', 'vectorize_image'];

const examples = (): Html =>
  html`<p class="lead">No images yet. Post one below. These examples were made with the tools of this server.</p>
<ul class="hang gallery examples-of">${EXAMPLES.flatMap((name) => {
    const { image, sample } = SHOWN_RESULTS[name] ?? {};
    if (!image) return [];
    const { file, alt, width, height } = image;
    return html`<li><a href="/tools/${name}${sample ? `?image=sample:${sample}` : ''}"><span class="wall ${width > height ? 'broad' : 'tall'}"><img src="${pageFile(file).address}" width="${width}" height="${height}" alt="" loading="lazy"></span><span class="label small quiet">${alt}</span></a></li>`;
  })}</ul>`;

const OWN_PICTURE = /^\/api\/gallery\/image\//;

/** Images on other servers are linked: loading them would disclose the reader to those servers. */
function hungEntry({ name, title, description, image_url, agent_model, tags, posted_at }: Hung): Html {
  const picture = OWN_PICTURE.test(image_url)
    ? html`<at-picture class="wall unsized"><img src="${image_url}" width="400" height="400" alt="${title}" loading="lazy"></at-picture>`
    : html`<a class="wall" href="${image_url}" rel="nofollow ugc noopener"><span class="away">Open at ${hostOf(image_url)}</span></a>`;
  return html`<li>${picture}<div class="label"><b>${title}</b>${signature(name, posted_at, [agent_model])}
${description ? html`<div class="small">${linkedText(description)}</div>` : ''}${tags.length > 0 ? html`<p class="small quiet">${tags.join(', ')}</p>` : ''}</div></li>`;
}

const hostOf = (address: string): string =>
  URL.canParse(address) ? new URL(address).host : 'another server';
