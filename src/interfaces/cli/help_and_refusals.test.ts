import { expect, test } from 'vitest';
import { cliInAFolder } from '../../../tests/support/cli_in_a_folder.ts';

const here = cliInAFolder();
const { run } = here;

test.each([
  [['--imag', 'x.png'], 'Did you mean --image?'],
  [['photo.png'], 'Did you mean --image photo.png?'],
  [['--image', 'upload:1', '--format', 'jpg'], 'must be one of png, jpeg; got "jpg". Did you mean jpeg?'],
  [['--image', 'upload:1', '--quarter-turns', '7'], 'must be one of 1, 2, 3'],
  [['--image', 'upload:1', '--border', '{oops'], '--border must be JSON'],
  [['--image', '/nowhere/x.png'], 'There is no file /nowhere/x.png.'],
  [['--image', '/'], '--image / matches no file.'],
  [['--image', '--format', 'png'], '--image needs a value.'],
  [['--format', 'png'], 'turn_image needs --image'],
])('%j is rejected with a suggestion', async (words, hint) => {
  const { code, stderr, sent } = await run(['call', 'turn_image', ...words]);
  expect([code, sent]).toEqual([2, undefined]);
  expect(stderr).toContain(hint);
});

test('an enum value matches regardless of case and separators', async () => {
  const { code, sent } = await run(['call', 'turn_image', '--image', 'upload:1', '--format', ' JPEG']);
  expect([code, sent]).toMatchObject([0, { input: { format: 'jpeg' } }]);
});

test('numbers are validated before any request is sent', async () => {
  expect((await run(['call', 'keep_note', '--size', '2.5'])).stderr).toContain(
    '--size must be a whole number; got "2.5"',
  );
});

test('a failed call prints the problem, the fix and the valid flags', async () => {
  const body = {
    detail: 'size is wrong.',
    fix: 'Correct it.',
    errors: [
      { field: 'text', message: 'too long' },
      { field: 'size', message: 'too small' },
    ],
    try: { text: "it's", size: 2, wallet: 'w' },
    request_id: 'req_1',
  };
  const words = ['call', 'keep_note', '--text', 'x', '--size', '1', '--wallet', 'w'];
  const { code, stderr, stdout } = await run(words, { reply: { status: 400, body } });
  expect(code).toBe(1);
  expect(stdout).toHaveLength(0);
  expect(stderr).toContain(
    'keep_note failed: size is wrong.\n  --text: too long\n  --size: too small\nWhat to do: Correct it.',
  );
  expect(stderr).toContain("Try: atelier call keep_note … --text 'it'\\''s' --size 2\n");
});

test('a 402 response names the command that registers a wallet', async () => {
  const params = { wallet: `0x${'a'.repeat(40)}` };
  const step = {
    action: 'Register it',
    endpoint: 'POST /api/wallet/register',
    why: '10 free credits',
    params,
  };
  const reply = { status: 402, body: { detail: 'No payment.', next_steps: [step] } };
  const { stderr } = await run(['call', 'describe_image', '--image', 'upload:1'], { reply });
  expect(stderr).toContain(
    `Next: Register it (atelier call register_wallet --wallet ${params.wallet}): 10 free credits`,
  );
});

test('an unknown tool or command gets name suggestions', async () => {
  expect(await run(['call', 'turn_imge'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Similar names: turn_image'),
  });
  expect(await run(['hlep'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean "atelier help"?'),
  });
});

test('tools lists names and prices, and help describes every flag', async () => {
  expect((await run(['tools', 'note'])).stdout.toString()).toBe(
    'keep_note  3 credits  Keep a few words under a name.\n',
  );
  const help = (await run(['help', 'turn_image'])).stdout.toString();
  expect(help).toContain('atelier call turn_image --image <file>\n');
  expect(help).toMatch(/--quarter-turns +1\|2\|3 +default 1/);
});

test('config prints values and hides secrets', async () => {
  const text = (await run(['config'])).stdout.toString();
  expect(text).toMatch(/^PORT +8080 +Port to listen on/m);
  expect(text).toContain('postgres://me@db/x');
  expect(text).not.toMatch(/hunter2|ssss/);
});
