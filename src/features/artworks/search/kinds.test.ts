import { expect, test } from 'vitest';
import { kindsOf, namesOfKinds, readMedium } from './kinds.ts';

test.each([
  ['prent', 'papier', ['print']],
  ['kostuumprent', 'papier', ['print']],
  ['dameskleding', 'zijde, zilverdraad', ['textile']],
  ['historiepenning', 'zilver', ['coin']],
  ['schilderij', 'doek, olieverf', ['painting']],
  ['Peinture', '', ['painting']],
  ['Photography-Photoprint', 'albumen silver print', ['photograph']],
  ['', 'Gelatin silver print', ['photograph']],
  ['', 'Oil on canvas', ['painting']],
  ['', 'Watercolor over graphite', ['drawing']],
  ['', 'Set of four etchings', ['print']],
  ['Sword Furniture-Tsuba', 'Iron, gold', ['arms']],
  ['Ceramics-Musical Instruments', 'Terracotta', ['ceramics', 'instrument']],
  ['kom', 'porselein, glazuur', ['ceramics']],
  ['Inrō', 'Wood, lacquer sprinkled with gold', []],
  ['Painting/Drawing/Print', '', ['painting', 'drawing', 'print']],
  ['', '', []],
])('classification "%s" and medium "%s" map to kinds %j', (classification, medium, kinds) => {
  expect(namesOfKinds(kindsOf({ classification, medium }))).toEqual(kinds);
});

test.each([
  ['Paintings', ['painting'], ''],
  ['Gemälde', ['painting'], ''],
  ['oil painting', ['painting'], 'oil'],
  ["peinture à l'huile", ['painting'], 'a l huile'],
  ['prints or drawings', ['drawing', 'print'], ''],
  ['painting, sculpture', ['painting', 'sculpture'], ''],
  ['oil on canvas', [], 'oil on canvas'],
  ['silver', [], 'silver'],
  ['stained glass', [], 'stained glass'],
  ['porcelain', [], 'porcelain'],
  ['gelatin silver print', [], 'gelatin silver print'],
  ['%_%', [], ''],
])('the medium filter "%s" maps to kinds %j and words "%s"', (text, kinds, words) => {
  const asked = readMedium(text);
  expect([namesOfKinds(asked.kinds), asked.words]).toEqual([kinds, words]);
});

test('a hostile medium is parsed without delay', () => {
  const before = process.cpuUsage().user;
  for (const text of [' , '.repeat(5000), 'or '.repeat(5000), 'é'.repeat(10_000)]) readMedium(text);
  expect(process.cpuUsage().user - before).toBeLessThan(1_000_000);
});
