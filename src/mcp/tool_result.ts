import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { isBytesField, isLongTextField } from '../catalogue/mcp_tools.ts';
import { MCP_TEXT_FIELD_CHARACTERS_MAX, PREVIEW_BYTES_MAX } from '../limits.ts';
import type { Services } from '../services/services.ts';
import type { AnyTool } from '../tools/tool.ts';
import { isPicture, preview } from './preview.ts';

type Body = Record<string, unknown>;

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
  services: Pick<Services, 'pixels' | 'results'>,
  tool: AnyTool,
  body: Body,
  { wantsPreview, signal }: { wantsPreview: boolean; signal: AbortSignal },
): Promise<CallToolResult> {
  const attached = [
    ...(wantsPreview && isPicture(body) ? [shown(await preview(services, body, signal))] : []),
    fileOf(tool, body),
  ];
  const structuredContent = withWarnings(
    withoutBytes(body),
    attached.flatMap(({ warning }) => warning ?? []),
  );
  const text: ContentBlock = { type: 'text', text: JSON.stringify(structuredContent) };
  return { content: [text, ...attached.flatMap(({ blocks }) => blocks)], structuredContent };
}

const shown = (picture: ContentBlock | undefined): Attached =>
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
  if (blob.length > Math.ceil((PREVIEW_BYTES_MAX * 4) / 3)) {
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
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => {
      if (typeof value !== 'string') return true;
      return !isBytesField(name) && !(isLongTextField(name) && value.length > MCP_TEXT_FIELD_CHARACTERS_MAX);
    }),
  );
}

function withWarnings(body: Body, added: string[]): Body {
  if (added.length === 0) return body;
  return { ...body, warnings: [...(Array.isArray(body.warnings) ? body.warnings : []), ...added] };
}
