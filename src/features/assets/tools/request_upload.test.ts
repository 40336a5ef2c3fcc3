import { expect, test } from 'vitest';
import { quietCall } from '../../../../tests/support/quiet_call.ts';
import { requestUpload } from './request_upload.ts';

const LINK = 'http://atelier.test/api/uploads/token';
const uploads = {
  invite: () => ({ id: 'id', url: LINK, expected: {}, expiresAt: new Date(0), fileExpiresAt: new Date(0) }),
} as never;

async function ask(file: string) {
  const warnings: string[] = [];
  const answer = await requestUpload.run(
    { file, count: 1 },
    { uploads },
    quietCall({ warn: (message) => void warnings.push(message) }),
  );
  return { command: answer.command, warnings };
}

test.each([
  ['photo.jpg', 'curl -T "photo.jpg" '],
  ['/home/me/my photo.jpg', 'curl -T "/home/me/my photo.jpg" '],
  ['C:\\Users\\Zoë\\photo (1).jpg', 'curl -T "C:\\Users\\Zoë\\photo (1).jpg" '],
])('file name %s appears unchanged in the command', async (file, begins) => {
  const { command, warnings } = await ask(file);
  expect([command, warnings]).toEqual([begins + LINK, []]);
});

test.each(['"; rm -rf ~ #', '$(id).jpg', '`id`', '%PATH%', 'a{1,2}', 'x\n', '-', '!!', "it's.jpg & more"])(
  'unsafe file name %j is left out of the command',
  async (file) => {
    const { command, warnings } = await ask(file);
    expect(command).toBe(`curl -T "photo.jpg" ${LINK}`);
    expect(warnings).toHaveLength(1);
  },
);
