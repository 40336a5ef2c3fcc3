import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JSON_LIMITS, type JsonLimits, scanJson } from './scan_json.ts';

const scan = (text: string, limits: Partial<JsonLimits> = {}) =>
  scanJson(Buffer.from(text), { ...JSON_LIMITS, ...limits });

/** Counts from the parsed value, as an independent reference for the scan. */
function countsOf(value: unknown, depth = 0): Omit<JsonLimits, 'structureBytes' | 'escapes'> {
  const isNode = typeof value === 'object' && value !== null;
  const names = isNode && !Array.isArray(value) ? Object.keys(value).length : 0;
  const inner = isNode ? Object.values(value).map((member) => countsOf(member, depth + 1)) : [];
  const sum = (pick: 'values' | 'names') => inner.reduce((all, counts) => all + counts[pick], 0);
  return {
    values: 1 + sum('values'),
    names: names + sum('names'),
    namesPerObject: Math.max(names, ...inner.map((counts) => counts.namesPerObject)),
    depth: Math.max(isNode ? depth + 1 : depth, ...inner.map((counts) => counts.depth)),
  };
}

test('counts of valid JSON are exact: limits equal to them pass and lower ones fail', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(undefined, 1, '\t\n'), (value, space) => {
      const text = JSON.stringify(value, undefined, space);
      const counts = countsOf(JSON.parse(text));
      expect(scan(text, counts).excess).toBe(undefined);
      for (const name of Object.keys(counts) as (keyof typeof counts)[])
        if (counts[name] > 0) expect(scan(text, { ...counts, [name]: counts[name] - 1 }).excess).toBe(name);
    }),
    { numRuns: 300 },
  );
});

const piece = fc.constantFrom(
  '{',
  '}',
  '[',
  ']',
  '"',
  '\\',
  ':',
  ',',
  ' ',
  '1',
  'true',
  'é',
  '\\"',
  '""',
  '\n',
);

test('arbitrary bytes are scanned without an error', () => {
  const texts = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.array(piece, { maxLength: 200 }).map((pieces) => Buffer.from(pieces.join(''))),
  );
  fc.assert(
    fc.property(texts, (bytes) => {
      expect(scanJson(bytes, { ...JSON_LIMITS, depth: 5, values: 50 })).toHaveProperty('longStrings');
    }),
    { numRuns: 2000 },
  );
});

const many = (one: string, count: number) => Array(count).fill(one).join(',');

test.each<[keyof JsonLimits, string]>([
  ['values', `{"query":5,"x":[${many('[]', 300_000)}]}`],
  ['values', `[${many('""', 300_000)}]`],
  ['names', `[${many('{"a":1,"b":2}', 5001)}]`],
  ['namesPerObject', `{${Array.from({ length: 1001 }, (_, at) => `"k${at}":0`).join(',')}}`],
  ['depth', `${'['.repeat(65)}${']'.repeat(65)}`],
  ['depth', '{"a":'.repeat(100_000)],
  ['structureBytes', `[${' '.repeat(1024 * 1024)}]`],
  ['structureBytes', `[${'1'.repeat(1024 * 1024)}]`],
  ['structureBytes', `[${many(`"${'a'.repeat(60_000)}"`, 18)}]`],
  ['escapes', `"${'\\"'.repeat(1_000_001)}"`],
])('text that exceeds the limit on %s is rejected', (limit, text) => {
  expect(scan(text).excess).toBe(limit);
});

test('long strings are skipped, so scan cost does not grow with their length', () => {
  const bytes = Buffer.from(`{"image":"${'A'.repeat(30 * 1024 * 1024)}","width":1}`);
  let read = 0;
  const counted = new Proxy(bytes, {
    get: (target, key) => {
      if (typeof key === 'string' && /^\d+$/.test(key)) read += 1;
      const value = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  expect(scanJson(counted, JSON_LIMITS).longStrings).toEqual([{ from: 10, to: 10 + 30 * 1024 * 1024 }]);
  expect(read).toBeLessThan(200);
});

test('escapes, quotes and string ends are recognised at every offset', () => {
  const long = 'A'.repeat(70_000);
  const part = fc.constantFrom('\\\\', '\\"', '\\u0041', 'a', 'é', 'b'.repeat(15), 'c'.repeat(47), long);
  fc.assert(
    fc.property(fc.array(fc.array(part, { maxLength: 12 }), { maxLength: 6 }), (strings) => {
      const texts = strings.map((parts) => parts.join(''));
      const text = `[${texts.map((one) => `"${one}"`).join(',')}]`;
      const { longStrings } = scan(text, { structureBytes: Number.MAX_SAFE_INTEGER });
      const plain = texts.filter((one) => Buffer.byteLength(one) > 65_536 && !one.includes('\\'));
      const bytes = Buffer.from(text);
      expect(longStrings.map(({ from, to }) => bytes.subarray(from, to).toString())).toEqual(plain);
      expect(scan(text, { values: 1 + texts.length, structureBytes: 2 ** 30 }).excess).toBe(undefined);
    }),
    { numRuns: 100 },
  );
});
