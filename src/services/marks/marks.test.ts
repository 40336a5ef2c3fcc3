import { expect, test } from 'vitest';
import { forEachDatabase } from '../../../tests/support/for_each_database.ts';
import { createMarks } from './marks.ts';

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

  test('without a wallet it ends after 180 days, unless it is made again; with one it stays', async () => {
    let day = 0;
    const marks = createMarks(await open(), { now: () => new Date(day * 86_400_000) });
    const [old, again, own] = [
      await marks.register('old'),
      await marks.register('again'),
      await marks.register('own', WALLET),
    ];
    expect([marks.until(undefined), marks.until(WALLET)]).toEqual([new Date(180 * 86_400_000), undefined]);
    day = 100;
    await marks.register('again');
    expect(await marks.sweep(new Date(181 * 86_400_000))).toBe(1);
    const found = await Promise.all([old, again, own].map((id) => marks.find(id)));
    expect(found.map((mark) => mark?.payload)).toEqual([undefined, 'again', 'own']);
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
