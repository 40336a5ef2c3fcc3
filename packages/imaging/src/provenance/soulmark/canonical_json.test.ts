import { expect, test } from 'vitest';
import { canonicalJson } from './canonical_json.ts';

/** Examples of RFC 8785: sections 3.2.2 and 3.2.3, and numbers of appendix B by their IEEE 754 bits. */
test('the RFC 8785 example is canonicalised', () => {
  const sent = String.raw`{"numbers":[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001],"string":"\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/","literals":[null,true,false]}`;
  expect(canonicalJson(JSON.parse(sent))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
});

test('members are sorted by UTF-16 code units', () => {
  const names = JSON.parse(
    String.raw`{"\u20ac":1,"\r":2,"\ufb33":3,"1":4,"\ud83d\ude00":5,"\u0080":6,"\u00f6":7}`,
  );
  const order = ['\\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33'];
  const members = [2, 4, 6, 7, 1, 5, 3].map((value, index) => `"${order[index]}":${value}`);
  expect(canonicalJson(names)).toBe(`{${members.join(',')}}`);
});

test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['7fefffffffffffff', '1.7976931348623157e+308'],
  ['4340000000000000', '9007199254740992'],
  ['4430000000000000', '295147905179352830000'],
  ['44b52d02c7e14af5', '9.999999999999997e+22'],
  ['44b52d02c7e14af6', '1e+23'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8c', '9.999999999999997e-7'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555557', '333333333.33333343'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
  ['43143ff3c1cb0959', '1424953923781206.2'],
])('the number %s is serialised as %s', (bits, text) => {
  expect(canonicalJson(Buffer.from(bits, 'hex').readDoubleBE())).toBe(text);
});

test.each([
  ['a lone surrogate', { a: '\ud800' }],
  ['a lone surrogate in a name', { '\udead': 1 }],
  ['no number', [Number.NaN]],
  ['excessive nesting', JSON.parse('['.repeat(100) + ']'.repeat(100))],
])('%s has no canonical form', (_what, value) => {
  expect(() => canonicalJson(value)).toThrow(TypeError);
});
