import { bazaarOf } from '../../catalogue/bazaar.ts';
import { X402_HEADERS } from '../../catalogue/x402_names.ts';
import { AtelierError } from '../../errors/atelier_error.ts';
import { MIME_TYPE } from '../../services/x402/requirements.ts';
import type { AnyTool } from '../../tools/tool.ts';
import type { CallKit } from '../kit.ts';

/**
 * The same 402, asking for x402 as well: version 2 in the header, version 1 in the body. Clients look at the header first,
 * then for `x402Version: 1` in the body, so neither disturbs the other. Unchanged where x402 is off.
 * @param credits the price of this call
 */
export function withX402Demand(
  kit: CallKit,
  tool: AnyTool,
  credits: number,
  error: AtelierError,
): AtelierError {
  if (!kit.x402) return error;
  const { code, message, details } = error;
  const resource = { url: resourceOf(kit.services, tool), description: tool.summary, mimeType: MIME_TYPE };
  const { v1, v2 } = kit.x402.demand({ credits, resource: resource.url, description: tool.summary });
  const extensions = { bazaar: bazaarOf(tool) };
  const required = { x402Version: 2, error: message, resource, accepts: v2, extensions };
  const { payment_options: options = [] } = details.members ?? {};
  return new AtelierError(code, message, {
    ...details,
    headers: { ...details.headers, [X402_HEADERS.demand]: base64(required) },
    members: {
      ...(v1.length > 0 && { x402Version: 1, accepts: v1 }),
      ...details.members,
      payment_options: [...(options as object[]), PAYMENT_OPTION],
    },
  });
}

const PAYMENT_OPTION = {
  type: 'x402',
  header: X402_HEADERS.payment[2],
  header_v1: X402_HEADERS.payment[1],
  requirements: `${X402_HEADERS.demand} (version 2), accepts (version 1)`,
};

/** The address of a tool, as payments name it. */
export const resourceOf = ({ site }: CallKit['services'], { name }: AnyTool): string =>
  `${site.publicUrl}/api/tools/${name}`;

export const base64 = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** Over MCP there are no headers: the body itself speaks version 2, as the protocol's MCP transport wants it. */
export function asMcpDemand(
  problem: Record<string, unknown>,
  headers: Record<string, string>,
): Record<string, unknown> {
  const sent = headers[X402_HEADERS.demand];
  if (!sent) return problem;
  const { x402Version, resource, accepts } = JSON.parse(Buffer.from(sent, 'base64').toString('utf8'));
  return { ...problem, x402Version, resource, accepts };
}
