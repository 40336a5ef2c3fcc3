import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { isBase64Field, isBytesField, isLongTextField } from '../../catalog/mcp_tools.ts';
import type { AnyTool } from '../../features/definitions/tool.ts';
import type { Services } from '../../features/services.ts';
import { MCP_TEXT_FIELD_CHARACTERS_MAX, PREVIEW_BYTES_MAX } from './limits.ts';
import { isPicture, type Picture, preview } from './preview.ts';
import { withoutReceipt } from './receipt_reference.ts';
import { RESULT_PREFIX } from './resources/results.ts';
import { shortAnswer } from './short_answer.ts';

type Body = Record<string, unknown>;

const BASE64_CHARACTERS_MAX = Math.ceil((PREVIEW_BYTES_MAX * 4) / 3);

/** What goes along with the fields, and what the reader should know about it. */
interface Attached {
  readonly blocks: ContentBlock[];
  readonly warning?: string;
}

/**
 * An answer for a model to read: its fields without any bytes, a small preview of a picture, and a link to the file.
 * base64 as text would fill the reader's context.
 */
export async function toolResult(
  services: Pick<Services, 'pixels' | 'results' | 'site'>,
  tool: AnyTool,
  answer: Body,
  { wantsPreview, signal }: { wantsPreview: boolean; signal: AbortSignal },
): Promise<CallToolResult> {
  const { body, blocks: receipt, _meta } = withoutReceipt(answer, services.site.publicUrl);
  const shown = pictureOf(body);
  const attached = [
    ...(wantsPreview && shown ? [attachPreview(await preview(services, shown, signal))] : []),
    fileOf(tool, body),
    ...(wantsPreview ? picturesWithin(body) : []),
  ];
  const whole = withWarnings(
    withoutBytes(body),
    attached.flatMap(({ warning }) => warning ?? []),
  );
  const { structuredContent, blocks } = tool.isDocument
    ? { structuredContent: whole, blocks: [] }
    : await shortened(services.results, whole);
  const text: ContentBlock = { type: 'text', text: JSON.stringify(structuredContent) };
  return {
    content: [text, ...attached.flatMap((one) => one.blocks), ...blocks, ...receipt],
    structuredContent,
    ...(_meta && { _meta }),
  };
}

/** What is to be seen of an answer: itself, or of a sheet that programs cannot show the picture of its page. */
function pictureOf(body: Body): Picture | undefined {
  if (isPicture(body)) return body;
  const { preview: page } = body;
  return typeof page === 'object' && page !== null && isPicture(page) ? page : undefined;
}

interface Shown {
  readonly structuredContent: Body;
  readonly blocks: ContentBlock[];
}

/** A long answer with its lists cut and the whole of it kept as a file; where it cannot be kept, the whole of it. */
async function shortened(results: Services['results'], whole: Body): Promise<Shown> {
  const { body, cut } = shortAnswer(whole);
  if (cut.length === 0) return { structuredContent: whole, blocks: [] };
  try {
    const bytes = Buffer.from(JSON.stringify(whole));
    const { handle, url: uri } = await results.keep(bytes, 'application/json');
    const resource = `${RESULT_PREFIX}${handle.replace('result:', '')}`;
    const warning = `Shortened for you to read: ${cut.join(', ')}. The whole answer is the resource ${resource} and behind the link, for 24 hours.`;
    const link = {
      type: 'resource_link' as const,
      uri,
      name: 'whole_answer.json',
      mimeType: 'application/json',
    };
    return { structuredContent: withWarnings(body, [warning]), blocks: [{ ...link, size: bytes.length }] };
  } catch {
    return { structuredContent: whole, blocks: [] };
  }
}

const attachPreview = (picture: ContentBlock | undefined): Attached =>
  picture
    ? { blocks: [picture] }
    : { blocks: [], warning: 'No preview could be made just now; result_url has the picture.' };

/** The file as a link; bytes that have none go along while they are small, else the reader is told the way. */
function fileOf(tool: AnyTool, body: Body): Attached {
  const link = linkTo(tool, body);
  if (link) return { blocks: [link] };
  const bytes = Object.entries(body).find(([name, value]) => isBytesField(name) && typeof value === 'string');
  if (!bytes) return { blocks: [] };
  const blob = bytes[1] as string;
  if (blob.length > BASE64_CHARACTERS_MAX) {
    const warning = `The bytes are too many to read here. POST /api/tools/${tool.name} answers with them.`;
    return { blocks: [], warning };
  }
  const uri = `atelier://files/${encodeURIComponent(typeof body.key === 'string' ? body.key : tool.name)}`;
  return { blocks: [{ type: 'resource', resource: { uri, blob, ...mimeOf(body) } }] };
}

function linkTo(tool: AnyTool, body: Body): ContentBlock | undefined {
  const uri = body.result_url ?? body.url;
  if (typeof uri !== 'string' || !/^https?:/.test(uri)) return undefined;
  const size = typeof body.size_bytes === 'number' ? { size: body.size_bytes } : {};
  return { type: 'resource_link', uri, name: fileName(tool, body), ...mimeOf(body), ...size };
}

const mimeOf = ({ content_type: type }: Body) => (typeof type === 'string' ? { mimeType: type } : {});

/** "resize_image.webp" */
function fileName(tool: AnyTool, { content_type: type }: Body): string {
  const subtype = typeof type === 'string' ? type.split(/[/;+]/)[1] : undefined;
  return subtype ? `${tool.name}.${subtype}` : tool.name;
}

function withoutBytes(body: Body): Body {
  const shown = Object.entries(body).filter(([name, value]) => {
    if (typeof value !== 'string') return true;
    return !isBytesField(name) && !(isLongTextField(name) && value.length > MCP_TEXT_FIELD_CHARACTERS_MAX);
  });
  return Object.fromEntries(shown.map(([name, value]) => [name, withoutBase64(value)]));
}

/** The same value without base64, however deep it stands. */
function withoutBase64(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutBase64);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name, part]) => !isBase64(name, part));
  return Object.fromEntries(kept.map(([name, part]) => [name, withoutBase64(part)]));
}

const isBase64 = (name: string, value: unknown): value is string =>
  typeof value === 'string' && isBase64Field(name);

/** Small pictures inside objects of the answer, such as a map of changes: shown, for nothing else leads to them. */
function picturesWithin(body: Body): Attached[] {
  const within = Object.values(body).filter((value) => typeof value === 'object' && value !== null);
  return within
    .flatMap((value) => base64In(value as object))
    .flatMap((data) => {
      const mimeType = PICTURE_TYPES.find(([beginning]) => data.startsWith(beginning))?.[1];
      if (!mimeType || data.length > BASE64_CHARACTERS_MAX) return [];
      return [{ blocks: [{ type: 'image' as const, data, mimeType }] }];
    });
}

/** How the base64 of a picture begins, by its type. */
const PICTURE_TYPES = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
] as const;

const base64In = (value: object): string[] =>
  Object.entries(value).flatMap(([name, part]) => {
    if (isBase64(name, part)) return [part];
    return typeof part === 'object' && part !== null ? base64In(part) : [];
  });

function withWarnings(body: Body, added: string[]): Body {
  if (added.length === 0) return body;
  return { ...body, warnings: [...(Array.isArray(body.warnings) ? body.warnings : []), ...added] };
}
