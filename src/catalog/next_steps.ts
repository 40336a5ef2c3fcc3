import { highestPrice, type Price, usd } from '../features/definitions/price.ts';
import type { Suggestion } from '../features/definitions/tool.ts';
import type { CatalogueIndex } from './types.ts';

export interface NextStep {
  action: string;
  cost: string;
  endpoint: string;
  why: string;
  params?: Record<string, unknown>;
}

/** A next step for a client that calls tools by name, as models over MCP do. */
export interface ToolStep extends Omit<NextStep, 'endpoint'> {
  tool?: string;
  /** Present if no tool does it. */
  endpoint?: string;
}

/** Endpoints that have an equivalent tool, for clients that only call tools. */
const TOOL_OF_ENDPOINT: Readonly<Record<string, string>> = {
  'POST /api/wallet/register': 'register_wallet',
};

/**
 * The same steps with the name of the tool in place of its endpoint. An endpoint without a tool keeps its
 * method and gets the URL of this server, for clients that can also send requests.
 */
export const asToolSteps = (steps: readonly ToolStep[], publicUrl = ''): ToolStep[] =>
  steps.map((given) => {
    const { action, endpoint, ...step } = given;
    if (endpoint === undefined) return given;
    const tool = TOOL_OF_ENDPOINT[endpoint] ?? /^POST \/api\/tools\/(\w+)$/.exec(endpoint)?.[1];
    return tool === undefined
      ? { action, endpoint: endpoint.replace(' /', ` ${publicUrl}/`), ...step }
      : { action, tool, ...step };
  });

/**
 * Adds price and endpoint to each suggestion. Drops invalid ones: unknown tools, or parameters that the tool
 * refuses, such as a missing image that was sent as bytes and has no handle.
 */
export function nextSteps(catalogue: CatalogueIndex, suggestions: readonly Suggestion[]): NextStep[] {
  return suggestions.flatMap(({ action, tool: name, why, params }) => {
    const tool = catalogue.find(name);
    if (!tool?.input.safeParse(params ?? {}).success) return [];
    const cost = priceText(tool.price);
    return [{ action, cost, endpoint: `POST /api/tools/${name}`, why, ...(params && { params }) }];
  });
}

/** "free", "2 credits (0.20 USD)", "up to 2 credits (0.20 USD)". */
export function priceText(price: Price): string {
  if (price.kind === 'free') return 'free';
  if (price.kind === 'steps') return 'the sum of its steps';
  return `${price.kind === 'by' ? 'up to ' : ''}${creditsText(highestPrice(price))}`;
}

/** "1 credit (0.10 USD)" */
export const creditsText = (credits: number): string =>
  `${credits} ${credits === 1 ? 'credit' : 'credits'} (${usd(credits).toFixed(2)} USD)`;
