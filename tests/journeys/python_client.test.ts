import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type ServiceProcess, startService } from '../support/start_service.ts';
import { needs } from '../support/test_requirements.ts';

/** The Python client as pip installs it without a connection, against a running server. */

const PACKAGE = join(import.meta.dirname, '../../packages/python');
const folder = mkdtempSync(join(tmpdir(), 'atelier-python-'));
const installed = join(folder, 'installed');
const run = promisify(execFile);
let service: ServiceProcess;

/** What a program prints, line by line. */
async function printed(program: string, url = service.url): Promise<string[]> {
  const env = { ...process.env, PYTHONPATH: installed, PYTHONDONTWRITEBYTECODE: '1', ATELIER_URL: url };
  const { stdout } = await run('python3', ['-c', program], { cwd: folder, env });
  return stdout.trim().split('\n');
}
const START = `
import os
from atelier_client import *
atelier = Atelier(os.environ["ATELIER_URL"], retries=1)
photo = open("photo.jpg", "rb").read()
`;

describe('the Python client', needs('pip'), () => {
  beforeAll(async () => {
    await run('python3', ['-m', 'pip', 'install', '--no-index', '--target', installed, PACKAGE]);
    const photo = { create: { width: 400, height: 300, channels: 3, background: 'teal' } } as const;
    await sharp(photo).toFile(join(folder, 'photo.jpg'));
    service = await startService({ DATA_DIR: join(folder, 'data') });
  }, 300_000);
  afterAll(() => {
    service?.process.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  test('the README program prints the documented output', async () => {
    const [, program] = /```python\n(.*?)```/s.exec(readFileSync(join(PACKAGE, 'README.md'), 'utf8'))!;
    expect(await printed(program!)).toEqual(['80', expect.stringMatching(/#/), '2']);
    expect(await sharp(join(folder, 'small.png')).metadata()).toMatchObject({ width: 80, height: 60 });
  });

  test('asyncio calls run concurrently', async () => {
    const program = `${START}
import asyncio
async def main():
    studio = AsyncAtelier(os.environ["ATELIER_URL"])
    answers = await asyncio.gather(*[studio.resize_image(image=photo, width=side, height=side) for side in (8, 16)])
    print([answer["width"] for answer in answers])
asyncio.run(main())`;
    expect(await printed(program)).toEqual(['[8, 16]']);
  });

  test('progress and jobs are followed to the result', async () => {
    const program = `${START}
told = []
options = Options(on_progress=lambda fraction, message: told.append(fraction))
print(atelier.resize_image(image=photo, width=8, height=8, options=options)["width"], len(told) > 0)
print(atelier.resize_image(image=photo, width=9, height=9, payer="0x${'a'.repeat(40)}", options=Options(as_job=True))["width"])`;
    expect(await printed(program)).toEqual(['8 True', '9']);
  });

  test('an error carries the message and code of the service', async () => {
    const program = `${START}
try:
    atelier.upscale_image(image=photo)
except AtelierProblem as problem:
    print(problem.code, problem.status, "2 credits" in str(problem))`;
    expect(await printed(program)).toEqual(['payment_required 402 True']);
  });

  test('a repeated paid call is charged once', async () => {
    const program = `${START}
wallet = "0x${'b'.repeat(40)}"
atelier.register_wallet(wallet=wallet)
payer = Atelier(os.environ["ATELIER_URL"], bearer=wallet)
named = Options(idempotency_key="the-same")
handle = payer.upload(photo)
first, again = [payer.mockup_image(image=handle, product="mug", options=named) for _ in range(2)]
print(first["payment"]["transaction_id"] == again["payment"]["transaction_id"])`;
    expect(await printed(program)).toEqual(['True']);
  });

  test('an unreachable server raises a one-sentence error', async () => {
    const program = `${START}
try:
    atelier.check_balance(wallet="0x${'a'.repeat(40)}")
except AtelierConnectionError as error:
    print(error)`;
    const [said] = await printed(program, 'http://127.0.0.1:9');
    expect(said).toMatch(/^No server answers at http:\/\/127\.0\.0\.1:9 /);
  });

  test('two builds produce the same wheel', async () => {
    const build = `import sys; sys.path.insert(0, ${JSON.stringify(PACKAGE)}); sys.dont_write_bytecode = True; import build_wheel, hashlib
print(hashlib.sha256(open(build_wheel.build_wheel("."), "rb").read()).hexdigest())`;
    writeFileSync(join(folder, 'build.py'), build);
    const digest = async () => (await run('python3', ['build.py'], { cwd: folder })).stdout;
    expect(await digest()).toBe(await digest());
  });
});
