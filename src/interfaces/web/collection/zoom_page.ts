import { html } from 'hono/html';
import { AtelierError } from '../../../core/errors/atelier_error.ts';
import { definePage } from '../types.ts';
import { seePicture } from './load_work.ts';
import { workId } from './work_page.ts';

/** Deep zoom into the image of a work; tiles load on demand. */
export const zoomPage = definePage({
  name: 'work_zoom',
  path: '/works/{id}/zoom',
  room: '/collection',
  input: workId,
  show: async ({ id }, visit) => {
    const { record } = await visit.studio.context.services.artworks.find(id);
    const { service, problem } = await seePicture(id, visit);
    if (!service || problem)
      throw new AtelierError('image_not_found', problem ?? 'IIIF is disabled on this server.');
    const [maker] = record.artists;
    return {
      title: `${record.title}: deep zoom`,
      shape: 'wide',
      files: ['studio.css', 'zoom.css', 'openseadragon.js', 'zoom.ts'],
      heading: html`<div class="head"><h1>${record.title}</h1><p><a href="/works/${record.id}">Back to the work</a></p></div>`,
      body: html`<at-zoom class="stage" data-service="${service}" data-title="${record.title}"><noscript><img src="${service}/full/max/0/default.jpg" alt="${maker ? `${record.title}, by ${maker.name}` : record.title}"></noscript></at-zoom>
<p class="small quiet">Drag to move, scroll or pinch to zoom. Keys: arrows to move, + and − to zoom, 0 to show the whole image.</p>`,
    };
  },
});
