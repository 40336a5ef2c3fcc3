import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import { isBytesField, isLongTextField } from '../catalogue/mcp_tools.ts';
import { MCP_TEXT_FIELD_CHARACTERS_MAX, PREVIEW_BYTES_MAX } from '../limits.ts';
import type { Services } from '../services/services.ts';
import type { AnyTool } from '../tools/tool.ts';
import { preview } from './preview.ts';

type Body = Record<string, unknown>;
type Needs = Pick<Services, 'pixels' | 'results'>;

/**
 * An answer for a model to read: its fields without any bytes, a small preview of a picture, and a link to the file.
 * base64 as text would fill the reader's context.
 */
export async function toolResult(
  services: Needs,
  tool: AnyTool,
  body: Body,
  { wantsPreview, signal }: { wantsPreview: boolean; signal: AbortSignal },
): Promise<CallToolResult> {
  const shown = withoutBytes(body);
  const picture = wantsPreview ? await preview(services, body, signal) : undefined;
  const { structured, attached } = withFile(tool, body, shown);
  return {
    content: [{ type: 'text', text: JSON.stringify(structured) }, ...(picture ? [picture] : []), ...attached],
    structuredContent: structured,
  };
}

function withoutBytes(body: Body): Body {
  return Object.fromEntries(
    Object.entries(body).filter(([name, value]) => {
      if (typeof value !== 'string') return true;
      return !isBytesField(name) && !(isLongTextField(name) && value.length > MCP_TEXT_FIELD_CHARACTERS_MAX);
    }),
  );
}

/** The file as a link; bytes that have none go along while they are small, else the reader is told the way. */
function withFile(tool: AnyTool, body: Body, shown: Body): { structured: Body; attached: ContentBlock[] } {
  const link = linkTo(tool, body);
  if (link) return { structured: shown, attached: [link] };
  const bytes = Object.entries(body).find(([name, value]) => isBytesField(name) && typeof value === 'string');
  if (!bytes) return { structured: shown, attached: [] };
  const blob = bytes[1] as string;
  if (blob.length <= Math.ceil((PREVIEW_BYTES_MAX * 4) / 3)) {
    const name = typeof body.key === 'string' ? body.key : tool.name;
    const uri = `atelier://files/${encodeURIComponent(name)}`;
    return { structured: shown, attached: [{ type: 'resource', resource: { uri, blob, ...mimeOf(body) } }] };
  }
  const warning = `The bytes are too many to read here. POST /api/tools/${tool.name} answers with them.`;
  return { structured: { ...shown, warnings: [...warningsOf(shown), warning] }, attached: [] };
}

function linkTo(tool: AnyTool, body: Body): ContentBlock | undefined {
  const uri = body.result_url ?? body.url;
  if (typeof uri !== 'string' || !/^https?:/.test(uri)) return undefined;
  const size = typeof body.size_bytes === 'number' ? { size: body.size_bytes } : {};
  return { type: 'resource_link', uri, name: fileName(tool, body), ...mimeOf(body), ...size };
}

const mimeOf = ({ content_type }: Body) =>
  typeof content_type === 'string' ? { mimeType: content_type } : {};

const warningsOf = ({ warnings }: Body): unknown[] => (Array.isArray(warnings) ? warnings : []);

/** "resize_image.webp" */
function fileName(tool: AnyTool, { content_type }: Body): string {
  const subtype = typeof content_type === 'string' ? content_type.split(/[/;+]/)[1] : undefined;
  return subtype ? `${tool.name}.${subtype}` : tool.name;
}
