/** Images that a view may load: those of this server, by URL, and small embedded ones. */
import { create, isShown, textOf, webAddress } from './elements.ts';
import { callTool, type Fields, hostCan, type ToolAnswer } from './host.ts';

/** Base64 prefixes of image formats that browsers display. */
const BEGINNINGS = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['UklGR', 'image/webp'],
  ['R0lGOD', 'image/gif'],
] as const;
/** Longest side of the copy to compare with: four times the width of a chat. */
const BEFORE_PX_MAX = 2048;

export interface Shown {
  readonly image: HTMLImageElement;
  /** Caption of a substitute, such as a preview. */
  readonly note: string;
}

/** The first of several URLs that loads; undefined if none does. */
async function firstThatLoads(
  sources: readonly (readonly [string | undefined, string])[],
  alt: string,
): Promise<Shown | undefined> {
  for (const [source, note] of sources) {
    if (source === undefined) continue;
    const image = create('img');
    Object.assign(image, { alt, src: source, draggable: false, decoding: 'async' });
    const loaded = await image.decode().then(
      () => true,
      () => false,
    );
    if (loaded) return { image, note };
  }
  return undefined;
}

/** The image that a response links to, else its embedded preview. */
export const pictureOf = ({ body, answer }: { body: Fields; answer: ToolAnswer }, alt: string) => {
  const url = isShown(textOf(body.content_type)) ? webAddress(body.result_url) : undefined;
  return firstThatLoads(
    [
      [url, ''],
      [previewIn(answer), 'a preview'],
    ],
    alt,
  );
};

function previewIn({ content = [] }: ToolAnswer): string | undefined {
  const block = content.find(({ type, mimeType = '' }) => type === 'image' && isShown(mimeType));
  return block && `data:${block.mimeType};base64,${block.data}`;
}

/**
 * The input image: the original where its bytes were sent; else a public copy from the server, no larger than the result, so that
 * it matches what the tool saw.
 */
export async function pictureSent(sent: string, { width, height }: Fields): Promise<Shown | undefined> {
  const type = BEGINNINGS.find(([beginning]) => sent.startsWith(beginning))?.[1];
  if (type) return firstThatLoads([[`data:${type};base64,${sent}`, '']], 'Before');
  if (sent.startsWith('data:image/')) return firstThatLoads([[sent, '']], 'Before');
  if (sent === '' || !hostCan('serverTools')) return undefined;
  const scale = Math.min(1, BEFORE_PX_MAX / Math.max(Number(width), Number(height)));
  const side = (pixels: unknown) => Math.max(1, Math.round(Number(pixels) * scale));
  const answer = await callTool('resize_image', {
    image: sent,
    width: side(width),
    height: side(height),
    format: 'webp',
    include_preview: false,
  });
  if (answer.isError) return undefined;
  return firstThatLoads([[webAddress(answer.structuredContent?.result_url), 'a copy']], 'Before');
}
