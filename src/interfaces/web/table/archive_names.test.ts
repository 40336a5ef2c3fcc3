import { expect, test } from 'vitest';
import { archiveNames } from './zip_operation.ts';

test('duplicate names are numbered, and no name escapes the archive', () => {
  expect(
    archiveNames(['cat.png', 'Cat.png', '../../etc/passwd', 'C:\\boot.ini', '', 'a\u0000b.png', '日本.jpg']),
  ).toEqual(['cat.png', 'Cat_2.png', '__.._etc_passwd', 'C__boot.ini', 'image', 'a_b.png', '日本.jpg']);
});
