import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { createMarks } from './index.ts';

const WALLET = `0x${'a'.repeat(40)}`;

forEachDatabase((_name, open) => {
  test('a payload is found by its id, zeros and all', async () => {
    const marks = createMarks(await open());
    const id = await marks.register('a\0b 🎨 حقوق', WALLET);

    expect(id).toMatch(/^[0-9a-f]{12}$/);
    expect(await marks.find(id)).toMatchObject({ id, payload: 'a\0b 🎨 حقوق', wallet: WALLET });
    expect(await marks.find('000000000000')).toBeUndefined();
  });

  test('the same payload keeps its id; of another wallet, or of none, it has another', async () => {
    const marks = createMarks(await open());
    const ids = [
      await marks.register('one', WALLET),
      await marks.register('one', WALLET),
      await marks.register('one'),
    ];
    expect(ids[1]).toBe(ids[0]);
    expect(ids[2]).not.toBe(ids[0]);
  });

  test('two payloads that fall on one id get two', async () => {
    const idOf = (_payload: Uint8Array, _wallet: string | undefined, attempt: number) =>
      `00000000000${attempt}`;
    const marks = createMarks(await open(), { idOf });
    const ids = [await marks.register('first'), await marks.register('second')];
    expect(ids).toEqual(['000000000000', '000000000001']);
    expect((await marks.find(ids[1]!))?.payload).toBe('second');
  });
});
