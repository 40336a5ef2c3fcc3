import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar';
import { expect, test } from 'vitest';
import { isFree } from '../features/definitions/price.ts';
import { tools } from '../features/tools.ts';
import { bazaarOf } from './bazaar.ts';

/** Proxies limit response headers to 4 to 8 kB; the payment requirements share them with others, and base64 adds a third. */
const BYTES_MAX = 1_500;

const sold = tools.filter(({ price, steps }) => !isFree(price) && !steps);

test.each(sold.map((tool) => [tool.name, tool] as const))(
  '%s: the Bazaar extension passes the validators of the protocol library',
  (_name, tool) => {
    const bazaar = bazaarOf(tool) as never;

    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true });
    expect(Buffer.byteLength(JSON.stringify(bazaar))).toBeLessThan(BYTES_MAX);
  },
);
