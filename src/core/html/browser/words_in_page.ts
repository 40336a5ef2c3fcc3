/** What a page says that came instead of the one that was asked for: a refusal, or what stands between here and the server. */
export const wordsInPage = (page: Document): string =>
  [...page.querySelectorAll('main h1, main p:not(.quiet)')]
    .map(({ textContent }) => (/[.?!]$/.test(textContent) ? textContent : `${textContent}.`))
    .join(' ') || 'The server gave no answer that can be read.';
