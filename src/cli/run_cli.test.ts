import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { sampleTools } from '../../tests/support/sample_tools.ts';
import { createCatalogue } from '../catalogue/index.ts';
import { readConfig } from '../config.ts';
import type { AtelierError } from '../errors.ts';
import { getToolSchema } from '../tools/account/get_tool_schema.ts';
import { searchTools } from '../tools/account/search_tools.ts';
import type { CallContext } from '../tools/tool.ts';
import { runCli } from './run_cli.ts';

const PNG = Buffer.from('89504e470d0a1a0a', 'hex');
const WALLET = `0x${'a'.repeat(40)}`;
const KEY = `atl_key_${'k'.repeat(43)}`;
const turned = {
  image_b64: PNG.toString('base64'),
  content_type: 'image/png',
  note: null,
  result_url: 'http://fake/api/results/1',
  cost: { credit: 0, usd: 0 },
};
type Reply = { status: number; body: Record<string, unknown> };

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atelier-cli-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const services = { catalogue: createCatalogue(sampleTools) };

/** The two catalogue tools really run; any other call is answered with `reply` over an event stream. */
async function answer(request: Request, reply: Reply, sent: SentCall[]): Promise<Response> {
  const tool = new URL(request.url).pathname.replace('/api/tools/', '');
  if (tool === '/api/jobs/job_1') return Response.json(await job(sent));
  if (tool === '/api/results/1') return new Response(PNG, { headers: { 'Content-Type': 'image/png' } });
  if (tool === '/api/wallet') {
    const isKnown = request.headers.get('authorization') === `Bearer ${KEY}`;
    return Response.json(isKnown ? { wallet: WALLET } : { detail: 'The key was revoked.' });
  }
  const input = (await request.json()) as Record<string, unknown>;
  try {
    if (tool === 'search_tools')
      return Response.json(
        await searchTools.run(searchTools.input.parse(input), services, {} as CallContext),
      );
    if (tool === 'get_tool_schema')
      return Response.json(
        await getToolSchema.run(getToolSchema.input.parse(input), services, {} as CallContext),
      );
  } catch (error) {
    const { message, details, status } = error as AtelierError;
    return Response.json({ detail: message, status, ...details.members }, { status });
  }
  const authorization = request.headers.get('authorization');
  const prefer = request.headers.get('prefer');
  sent.push({ tool, input, authorization, prefer });
  if (prefer) return Response.json({ job_id: 'job_1', state: 'queued' }, { status: 202 });
  const events = `: hello\n\nevent: progress\ndata: {"fraction":0.5,"message":"half\\u001b[2J way"}\n\nevent: result\r\ndata: ${JSON.stringify(reply)}\r\n\r\n`;
  return new Response(events, { headers: { 'Content-Type': 'text/event-stream' } });
}

/** Runs when first looked at, and has ended when looked at again. */
async function job(sent: SentCall[]) {
  const progress = { fraction: 0.25, message: 'a quarter' };
  if (sent.length === 1) {
    sent.push({ tool: 'looked', input: {}, authorization: null, prefer: null });
    return { job_id: 'job_1', state: 'running', progress, estimate: { seconds_left: 3 } };
  }
  return { job_id: 'job_1', state: 'succeeded', progress, result: turned };
}

interface SentCall {
  prefer: string | null;
  tool: string;
  input: Record<string, unknown>;
  authorization: string | null;
}
interface Options {
  reply?: Reply;
  isTTY?: boolean;
  stdin?: Buffer;
  wallet?: string;
}

async function run(
  words: string[],
  { reply = { status: 200, body: turned }, isTTY = false, stdin, wallet }: Options = {},
) {
  const sent: SentCall[] = [];
  const written = { stdout: [] as Buffer[], stderr: [] as Buffer[] };
  const output = (to: Buffer[]) => ({
    isTTY,
    columns: 80,
    write: (text: string | Uint8Array) => to.push(Buffer.from(text)),
  });
  const code = await runCli(words, {
    terminal: {
      stdout: output(written.stdout),
      stderr: output(written.stderr),
      readStdin: async () => stdin ?? Buffer.alloc(0),
    },
    settings: { wallet },
    folder,
    signal: new AbortController().signal,
    readConfig: () =>
      readConfig({ SIGNING_SECRET: 's'.repeat(32), DATABASE_URL: 'postgres://me:hunter2@db/x' }),
    openModels: () => Promise.reject(new Error('no test here asks for networks')),
    openDataset: () => Promise.reject(new Error('no test here asks for the dataset')),
    connect: async () => ({
      baseUrl: 'http://fake',
      fetch: (request) => answer(request, reply, sent),
      close: async () => {},
    }),
  });
  const [stdout, stderr] = [Buffer.concat(written.stdout), Buffer.concat(written.stderr).toString()];
  return { code, stdout, stderr, sent: sent[0] };
}

const picture = (name = 'photo.png'): string => {
  writeFileSync(join(folder, name), PNG);
  return join(folder, name);
};

test('a file goes out as base64 and the typed flags as JSON types', async () => {
  const { code, sent } = await run([
    ...['call', 'turn_image', '--image', picture(), '--quarter-turns', '2'],
    ...['--no-keep-metadata', '--format=jpeg', '--border', '{"width_px": 3}'],
  ]);
  expect(code).toBe(0);
  expect(sent?.input).toEqual({
    image: PNG.toString('base64'),
    quarter_turns: 2,
    keep_metadata: false,
    format: 'jpeg',
    border: { width_px: 3 },
  });
});

test.each(['-dash.png', '--double.png', 'mit leer & "quote".png', 'ünïcødé 图.png', '%2e%2e.png', 'a=b.png'])(
  'a file may be called %s',
  async (name) => {
    picture(name);
    const before = process.cwd();
    process.chdir(folder);
    const { sent } = await run(['call', 'turn_image', '--image', name]).finally(() => process.chdir(before));
    expect(sent?.input.image).toBe(PNG.toString('base64'));
  },
);

test('standard input, handles and URLs', async () => {
  expect((await run(['call', 'turn_image', '--image', '-'], { stdin: PNG })).sent?.input.image).toBe(
    PNG.toString('base64'),
  );
  expect((await run(['call', 'turn_image', '--image', 'upload:upl_1'])).sent?.input.image).toBe(
    'upload:upl_1',
  );
  expect((await run(['call', 'turn_image', '--image=https://a.test/x.png'])).sent?.input.image).toBe(
    'https://a.test/x.png',
  );
});

test('--out writes the file and leaves its base64 out of the JSON', async () => {
  const { stdout, stderr } = await run([
    'call',
    'turn_image',
    '--image',
    picture(),
    '--out',
    join(folder, 'out.png'),
  ]);
  expect(readFileSync(join(folder, 'out.png'))).toEqual(PNG);
  expect(JSON.parse(stdout.toString())).toEqual({ ...turned, image_b64: undefined });
  expect(stderr).toContain('out.png (8 bytes, image/png)');
});

test('--out - sends the bytes to standard output and nothing else', async () => {
  const { stdout } = await run(['call', 'turn_image', '--image', picture(), '--out', '-']);
  expect(stdout).toEqual(PNG);
});

test('on a terminal a file gets a name of its own; in a pipe the whole answer is JSON', async () => {
  await run(['call', 'turn_image', '--image', picture()], { isTTY: true });
  await run(['call', 'turn_image', '--image', picture()], { isTTY: true });
  expect(readdirSync(folder).sort()).toEqual(['photo.png', 'turn_image-2.png', 'turn_image.png']);
  const { stdout } = await run(['call', 'turn_image', '--image', picture()]);
  expect(JSON.parse(stdout.toString())).toEqual(turned);
});

test('with only a link in the answer, --out fetches it', async () => {
  const { image_b64: _, ...linked } = turned;
  const reply = { status: 200, body: linked };
  await run(['call', 'turn_image', '--image', 'upload:1', '--out', join(folder, 'x.png')], { reply });
  expect(readFileSync(join(folder, 'x.png'))).toEqual(PNG);
});

test('vector and plain files are written as they are', async () => {
  const reply = { status: 200, body: { svg_content: '<svg/>' } };
  await run(['call', 'turn_image', '--image', 'upload:1', '--out', folder], { reply });
  expect(readFileSync(join(folder, 'turn_image.svg'), 'utf8')).toBe('<svg/>');
});

test('the wallet pays, and fills the field of that name', async () => {
  const wallet = `0x${'a'.repeat(40)}`;
  const { sent } = await run(['call', 'keep_note', '--text', 'hi', '--size', '2'], { wallet });
  expect(sent).toMatchObject({ authorization: `Bearer ${wallet}`, input: { wallet, text: 'hi', size: 2 } });
});

test.each(['--wallet', 'ATELIER_WALLET'])(
  'a key in %s pays, and the field gets the address it proves',
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

test('a key pays for a tool without such a field, which nobody is asked about', async () => {
  const { sent } = await run(['call', 'turn_image', '--image', 'upload:1'], { wallet: 'atl_sess_any' });
  expect(sent).toMatchObject({ authorization: 'Bearer atl_sess_any', input: { image: 'upload:1' } });
});

test('a key that proves nothing is said as such, and nothing is called', async () => {
  const words = ['call', 'keep_note', '--text', 'hi', '--size', '2', '--wallet', 'atl_key_old'];
  const { code, stderr, sent } = await run(words);
  expect([code, sent]).toEqual([2, undefined]);
  expect(stderr).toContain('The key was revoked.');
});

test('progress is lines in a pipe and a bar on a terminal, and cannot steer the terminal', async () => {
  const words = ['call', 'turn_image', '--image', 'upload:1'];
  expect((await run(words)).stderr).toBe(' 50%  half�[2J way\n');
  expect((await run(words, { isTTY: true })).stderr).toContain('[████████████            ]  50%');
});

test.each([
  [['--imag', 'x.png'], 'Did you mean --image?'],
  [['photo.png'], 'Did you mean --image photo.png?'],
  [['--image', 'upload:1', '--format', 'jpg'], 'must be one of png, jpeg; got "jpg". Did you mean jpeg?'],
  [['--image', 'upload:1', '--quarter-turns', '7'], 'must be one of 1, 2, 3'],
  [['--image', 'upload:1', '--border', '{oops'], '--border takes JSON'],
  [['--image', '/nowhere/x.png'], 'There is no file /nowhere/x.png.'],
  [['--image', '/'], '/ is not a file.'],
  [['--image', '--format', 'png'], '--image needs a value.'],
  [['--format', 'png'], 'turn_image needs --image'],
])('%j is refused with what to type instead', async (words, hint) => {
  const { code, stderr, sent } = await run(['call', 'turn_image', ...words]);
  expect([code, sent]).toEqual([2, undefined]);
  expect(stderr).toContain(hint);
});

test('numbers are checked before anything is sent', async () => {
  expect((await run(['call', 'keep_note', '--size', '2.5'])).stderr).toContain(
    '--size must be a whole number; got "2.5"',
  );
});

test('a failed call prints what is wrong, what to do and the flags that would work', async () => {
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

test('a 402 names the command that opens an account', async () => {
  const step = { action: 'Register a wallet', endpoint: 'POST /api/wallet/register', why: '10 free credits' };
  const reply = { status: 402, body: { detail: 'No payment.', next_steps: [step] } };
  const { stderr } = await run(['call', 'describe_image', '--image', 'upload:1'], { reply });
  expect(stderr).toContain(
    'Next: Register a wallet (atelier call register_wallet --wallet 0x…): 10 free credits',
  );
});

test('an unknown tool and an unknown command are met with near names', async () => {
  expect(await run(['call', 'turn_imge'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Near names: turn_image'),
  });
  expect(await run(['hlep'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Did you mean "atelier help"?'),
  });
});

test('tools lists names and prices; help explains every flag', async () => {
  expect((await run(['tools', 'note'])).stdout.toString()).toBe(
    'keep_note  3 credits  Keep a few words under a name.\n',
  );
  const help = (await run(['help', 'turn_image'])).stdout.toString();
  expect(help).toContain('atelier call turn_image --image <file>\n');
  expect(help).toMatch(/--quarter-turns +1\|2\|3 +default 1/);
});

test('config shows values and hides secrets', async () => {
  const text = (await run(['config'])).stdout.toString();
  expect(text).toMatch(/^PORT +8080 +Port to listen on/m);
  expect(text).toContain('postgres://me@db/x');
  expect(text).not.toMatch(/hunter2|ssss/);
});

test('--async follows a job to its result', async () => {
  const { code, sent, stdout, stderr } = await run([
    ...['call', 'turn_image', '--async', '--image', picture(), '--out', '-'],
  ]);
  expect(code).toBe(0);
  expect(sent).toMatchObject({ tool: 'turn_image', prefer: 'respond-async' });
  expect(stderr).toContain('http://fake/api/jobs/job_1');
  expect(stderr).toContain('a quarter (about 3 s left)');
  expect(stdout).toEqual(PNG);
});
