import { expect, test } from 'vitest';
import type { CallContext } from '../../definitions/tool.ts';
import { readText } from './read_text.ts';

const READER = { recognition: { sha256: 'a'.repeat(64) } };
const LINE = { text: 'SALE', confidence: 0.987, x: 0.1, y: 0.25, width: 0.5, height: 0.1 };

async function read(
  sent: object,
  models: { reader?: object | undefined; fetching?: object } = { reader: READER },
  unknown: object[] = [],
) {
  const requests: object[] = [];
  const warnings: string[] = [];
  const services = {
    models: {
      textLanguage: (code: string) => (code === 'de' ? { code: 'deu' } : undefined),
      textReader: async () => models.reader,
      fetching: async () => models.fetching,
    },
    pixels: {
      run: async (_: string, request: { format?: string }) => {
        requests.push(request);
        return { lines: [LINE], unknown, unread: 0, ...(request.format && { document: '# SALE' }) };
      },
    },
  };
  const image = { bytes: Buffer.from('x'), width: 200, height: 100 };
  const input = readText.input.parse({ image: 'upload:1', ...sent });
  const output = await readText.run(
    { ...input, image } as never,
    services as never,
    {
      warn: (text: string) => warnings.push(text),
    } as unknown as CallContext,
  );
  return { output, requests, warnings };
}

test('lines have boxes in pixels, and their text is marked as untrusted', async () => {
  const { output } = await read({});
  expect(output.lines).toEqual([
    { untrusted_text: 'SALE', x: 20, y: 25, width: 100, height: 10, confidence: 0.99 },
  ]);
  expect(output.untrusted_text).toBeUndefined();
});

test('lines in an unsupported script have boxes and no text', async () => {
  const { text: _, ...box } = LINE;
  const { output, warnings } = await read({}, { reader: READER }, [box]);
  expect(output.unread).toEqual([{ x: 20, y: 25, width: 100, height: 10 }]);
  expect(warnings).toEqual([expect.stringMatching(/^One line is in an unsupported script/)]);
});

test('a document replaces the lines', async () => {
  const { output, requests } = await read({ format: 'markdown' });
  expect(output).toMatchObject({ untrusted_text: '# SALE', lines_read: 1 });
  expect(output.lines).toBeUndefined();
  expect(requests).toMatchObject([{ format: 'markdown' }]);
});

test('without models the error says how to install them, or reports download progress', async () => {
  await expect(read({}, {})).rejects.toThrow('atelier models pull ppocr_recognition');
  const fetching = { retryAfterSeconds: 9, text: 'ppocr_recognition is being downloaded (3 of 15 MB)' };
  await expect(read({}, { fetching })).rejects.toThrow('being downloaded');
});

test.each(['en', 'en-GB', 'zh_CN'])('language %s is accepted', async (language) => {
  await expect(read({ language })).resolves.toBeDefined();
});

test('an installed language is read by Tesseract, and the response says so', async () => {
  const { output, requests } = await read({ language: 'de-AT' });
  expect(output.engine).toEqual({ name: 'Tesseract', version: 'deu' });
  expect(requests).toMatchObject([{ reader: { language: { code: 'deu' } } }]);
});

test('any other language is rejected with the supported languages', async () => {
  await expect(read({ language: 'fr' })).rejects.toThrow('Send en or zh');
});
