import { highestPrice } from '../features/definitions/price.ts';
import type { AnyContract } from '../features/definitions/tool.ts';
import type { PaymentWays } from './payment_ways.ts';
import type { X402Offers } from './x402_names.ts';

/**
 * /.well-known/x402: the URLs that accept payments by x402, for directories. The requirements to sign come
 * with the 402 of each; `offers` are the maximum amounts, by network and scheme.
 */
export function x402Document(
  tools: readonly AnyContract[],
  {
    publicUrl,
    x402,
    x402Extensions: extensions,
  }: Pick<PaymentWays, 'x402Extensions'> & { readonly publicUrl: string; readonly x402: X402Offers },
) {
  const paid = tools.filter(({ price }) => price.kind !== 'steps' && highestPrice(price) > 0);
  const resourceOf = ({ name }: AnyContract) => `${publicUrl}/api/tools/${name}`;
  return {
    version: 1,
    x402Version: 2,
    ...(extensions && { extensions }),
    resources: paid.map(resourceOf),
    items: paid.map((tool) => ({
      resource: resourceOf(tool),
      type: 'http',
      method: 'POST',
      description: tool.summary,
      offers: x402(highestPrice(tool.price)).flatMap(
        ({ network, asset, payTo, amount, schemes = ['exact'] }) =>
          schemes.map((scheme) => ({ scheme, network, asset, payTo, amount })),
      ),
    })),
  };
}
