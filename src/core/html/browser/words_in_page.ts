/** The message of an unexpected page: an error of this server, or of a proxy in between. */
export const wordsInPage = (page: Document): string =>
  [...page.querySelectorAll('main h1, main p:not(.quiet)')]
    .map(({ textContent }) => (/[.?!]$/.test(textContent) ? textContent : `${textContent}.`))
    .join(' ') || 'The server gave no answer that can be read.';
