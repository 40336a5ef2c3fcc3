import { html } from 'hono/html';
import type { Html } from '../../../core/html/html_page.ts';
import { thumbnailAddress } from '../tools/picture_operation.ts';

/** Image types without active content. */
const SHOWN = /^image\/(png|apng|jpeg|webp|avif|gif)$/;

/** A file with thumbnail and link. @param url signed URL of this server */
export function thumb({
  key,
  content_type: type,
  url,
}: {
  key: string;
  content_type: string;
  url: string;
}): Html {
  const { pathname, search } = new URL(url);
  return cell(key, type, { address: pathname + search, small: thumbnailAddress(`asset:${key}`) });
}

/** The same for a version or a file in the trash. @param label displayed name */
export const earlierThumb = (
  { id, content_type: type }: { id: string; content_type: string },
  label: string,
): Html => {
  const address = `/wallet/earlier/${encodeURIComponent(id)}`;
  return cell(label, type, { address, small: `${address}?size=small` });
};

interface Places {
  readonly address: string;
  /** Of the preview. */
  readonly small: string | undefined;
}

const cell = (label: string, type: string, { address, small }: Places): Html =>
  html`<span class="file"><span class="thumb">${SHOWN.test(type) && small ? html`<img src="${small}" width="48" height="48" alt="" loading="lazy">` : ''}</span><a href="${address}"><bdi>${label}</bdi></a> <span class="small quiet">${SHOWN.test(type) ? '' : type}</span></span>`;
