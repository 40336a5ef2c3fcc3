import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPressProfiles } from './press_profiles.ts';

test('bundled profiles are found with their registered printing conditions', async () => {
  const profiles = createPressProfiles({ folder: undefined });
  expect(await profiles.find('coated_fogra39', 'profile')).toMatchObject({ registered: 'FOGRA39' });
  expect((await profiles.list()).length).toBe(3);
});

test('operator profiles extend the bundled profiles but do not override them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'atelier-profiles-'));
  for (const file of ['newspaper.icc', 'coated_fogra39.icm', 'notes.txt'])
    await writeFile(join(folder, file), '');
  const profiles = createPressProfiles({ folder });
  expect(await profiles.find('newspaper', 'profile')).toEqual({
    name: 'newspaper',
    path: join(folder, 'newspaper.icc'),
  });
  expect((await profiles.find('coated_fogra39', 'profile')).path).not.toContain(folder);
  expect((await profiles.list()).length).toBe(4);
});

test.each(['../secret', '/etc/passwd', 'notes', ''])('the profile name %j is rejected', async (name) => {
  const profiles = createPressProfiles({ folder: '/nowhere' });
  await expect(profiles.find(name, 'profile')).rejects.toMatchObject({ code: 'invalid_input' });
});
