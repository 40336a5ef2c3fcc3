import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../../tests/support/for_each_database.ts';
import { IMPACT_A_RANK, LABEL_WEIGHTS, labelsOf } from './impact_labels.ts';

forEachDatabase((_, open) => {
  test('PostgreSQL reads every impact back from its labels, to a step of four', async () => {
    const database = await open();
    const impacts = Array.from({ length: 255 }, (_, at) => at + 1);
    const rows = await database.query<{ impact: number; read: number }>(
      `select impact, $3 * ts_rank_cd($1::float4[], ('word:' || labels)::tsvector, 'word'::tsquery) as read
       from jsonb_to_recordset($2::jsonb) as row (impact integer, labels text)`,
      [
        LABEL_WEIGHTS,
        JSON.stringify(impacts.map((impact) => ({ impact, labels: labelsOf(impact) }))),
        IMPACT_A_RANK,
      ],
    );
    const worst = Math.max(...rows.map(({ impact, read }) => Math.abs(impact - read)));
    expect(rows).toHaveLength(255);
    expect(worst).toBeLessThan(3.01);
  });
});
