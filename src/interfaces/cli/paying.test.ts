import { expect, test } from 'vitest';
import { cliInAFolder, KEY, WALLET } from '../../../tests/support/cli_in_a_folder.ts';

const here = cliInAFolder();
const { run } = here;

test('the wallet pays for the call and fills the wallet field', async () => {
  const wallet = `0x${'a'.repeat(40)}`;
  const { sent } = await run(['call', 'keep_note', '--text', 'hi', '--size', '2'], { wallet });
  expect(sent).toMatchObject({ authorization: `Bearer ${wallet}`, input: { wallet, text: 'hi', size: 2 } });
});

test.each(['--wallet', 'ATELIER_WALLET'])(
  'a key in %s pays for the call, and the wallet field gets its address',
  async (way) => {
    const words = ['call', 'keep_note', '--text', 'hi', '--size', '2'];
    const { sent, stderr } =
      way === '--wallet' ? await run([...words, '--wallet', KEY]) : await run(words, { wallet: KEY });
    expect(sent).toMatchObject({
      authorization: `Bearer ${KEY}`,
      input: { wallet: WALLET, text: 'hi', size: 2 },
    });
    expect(stderr).not.toContain(KEY);
  },
);

test('for a tool without a wallet field, the key is not resolved to an address', async () => {
  const { sent } = await run(['call', 'turn_image', '--image', 'upload:1'], { wallet: 'atl_sess_any' });
  expect(sent).toMatchObject({ authorization: 'Bearer atl_sess_any', input: { image: 'upload:1' } });
});

test('an invalid key is reported and the tool is not called', async () => {
  const words = ['call', 'keep_note', '--text', 'hi', '--size', '2', '--wallet', 'atl_key_old'];
  const { code, stderr, sent } = await run(words);
  expect([code, sent]).toEqual([2, undefined]);
  expect(stderr).toContain('The key was revoked.');
});
