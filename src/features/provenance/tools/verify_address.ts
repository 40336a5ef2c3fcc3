/** Path of the page on which people verify an image. */
export const VERIFY_PATH = '/verify';

/**
 * URL path of the verification page for an image of this server.
 * @param handle such as `result:…`
 */
export const verifyAddress = (handle: string): string =>
  `${VERIFY_PATH}?${new URLSearchParams({ image: handle })}`;
