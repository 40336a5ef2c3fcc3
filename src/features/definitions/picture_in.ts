/** Members that tell of a picture and are not the picture. */
const ABOUT = new Set(
  [
    'type',
    'mime_type',
    'mimetype',
    'media_type',
    'content_type',
    'encoding',
    'detail',
    'name',
    'filename',
  ].map(plain),
);
/** Members in which interfaces of models put one. */
const HOLDS = new Set(
  [
    'url',
    'uri',
    'image_url',
    'data',
    'base64',
    'b64',
    'b64_json',
    'source',
    'image',
    'handle',
    'result',
    'path',
  ].map(plain),
);
const DEPTH_MAX = 3;

/**
 * The picture in what was sent: in a list of one, `{url}`, `{type: "image_url", image_url: {url}}`, `{type: "image", data, mimeType}` and
 * the like. Undefined where it could be two, or is none.
 */
export function pictureIn(sent: unknown, depth = 0): string | undefined {
  if (typeof sent === 'string') return depth > 0 ? sent : undefined;
  if (typeof sent !== 'object' || sent === null || depth === DEPTH_MAX) return undefined;
  if (Array.isArray(sent)) return sent.length === 1 ? pictureIn(sent[0], depth + 1) : undefined;
  const members = Object.entries(sent).filter(([name]) => !ABOUT.has(plain(name)));
  const [[name, value] = ['', undefined]] = members;
  return members.length === 1 && HOLDS.has(plain(name)) ? pictureIn(value, depth + 1) : undefined;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}
