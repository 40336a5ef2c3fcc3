import { priceOf, usd } from '../tools/price.ts';
import type { AnyTool } from '../tools/tool.ts';
import type { CallKit } from './call_tool.ts';

/** Answers `dry_run: true`: the input is valid, this is the price, nothing ran and nothing was charged. */
export async function quote(
  kit: CallKit,
  tool: AnyTool,
  input: Record<string, unknown>,
  warnings: string[],
  wallet: string | undefined,
): Promise<Record<string, unknown>> {
  const credit = priceOf(tool.price, input);
  const outlook = await tool.outlook?.(input, kit.services);
  const state = wallet && credit > 0 ? await kit.services.wallets.find(wallet) : undefined;
  return {
    dry_run: true,
    tool: tool.name,
    valid: true,
    quote: {
      credit,
      usd: usd(credit),
      ...(wallet &&
        credit > 0 && {
          affordable: (state?.available ?? 0) >= credit * 1000,
          balance_after: Math.max(0, (state?.balance ?? 0) / 1000 - credit),
        }),
      ...outlook,
    },
    cost: { credit: 0, usd: 0, note: 'A dry run costs nothing.' },
    next_steps: [
      {
        action: 'Run it',
        cost: credit === 0 ? 'free' : `${credit} credits`,
        endpoint: `POST /api/tools/${tool.name}`,
        why: 'The input is valid; send it again without dry_run.',
      },
    ],
    ...(warnings.length > 0 && { warnings }),
  };
}
