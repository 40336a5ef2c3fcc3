import { validateDiscoveryExtension, validateDiscoveryExtensionSpec } from '@x402/extensions/bazaar';
import { expect, test } from 'vitest';
import { isFree } from '../features/definitions/price.ts';
import { tools } from '../features/tools.ts';
import { bazaarOf } from './bazaar.ts';

/** Proxies give the headers of an answer 4 to 8 kB; the demand has others beside it, and base64 makes it a third longer. */
const BYTES_MAX = 1_500;

const sold = tools.filter(({ price, steps }) => !isFree(price) && !steps);

test.each(sold.map((tool) => [tool.name, tool] as const))(
  '%s: as the protocol’s own library wants it',
  (_name, tool) => {
    const bazaar = bazaarOf(tool) as never;

    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true });
    expect(validateDiscoveryExtensionSpec(bazaar)).toEqual({ valid: true });
    expect(Buffer.byteLength(JSON.stringify(bazaar))).toBeLessThan(BYTES_MAX);
  },
);
