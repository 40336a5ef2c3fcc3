/** Elements whose content is always text. */

/** An element with text or other elements in it. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  content: string | readonly Node[] = '',
  classes = '',
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (classes) element.className = classes;
  element.append(...(typeof content === 'string' ? [content] : content));
  return element;
}

/** A button that reports its error in place. */
export function button(label: string, act: () => unknown, classes = ''): HTMLButtonElement {
  const element = create('button', label, classes);
  element.type = 'button';
  element.addEventListener('click', async () => {
    element.disabled = true;
    try {
      await act();
    } catch (error) {
      say(`${label}: ${error instanceof Error ? error.message : 'request rejected'}`);
    }
    element.disabled = false;
  });
  return element;
}

/** Names and values, as a list. */
export const factList = (rows: readonly (readonly [string, string])[]): HTMLElement =>
  create(
    'dl',
    rows.flatMap(([name, value]) => [create('dt', name), create('dd', shorten(value))]),
  );

/** Announces a text to screen readers. */
export function say(text: string): void {
  document.querySelector('#status')!.textContent = text;
}

const TEXT_CHARACTERS_MAX = 400;

export const shorten = (text: string, most = TEXT_CHARACTERS_MAX): string =>
  text.length > most ? `${text.slice(0, most)} …` : text;

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** An http(s) URL, never `javascript:`. */
export function webAddress(value: unknown): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  return /^https?:$/.test(new URL(value).protocol) ? value : undefined;
}

/** `size_bytes` as "size bytes". */
export const wordsOf = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

export const bytesInWords = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1e6
      ? `${(bytes / 1e3).toFixed(0)} kB`
      : `${(bytes / 1e6).toFixed(1)} MB`;

export const creditsInWords = (credits: number): string =>
  `${credits} ${credits === 1 ? 'credit' : 'credits'}`;

/** Image types that browsers display; for other files, such as a print layout, the attached preview is shown. */
export const isShown = (type: string): boolean =>
  /^image\/(png|apng|jpeg|webp|avif|gif|x-icon|svg\+xml)$/.test(type);
