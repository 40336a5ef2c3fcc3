/** Where people ask about a picture, and read what is known of it. */
export const VERIFY_PATH = '/verify';

/** The page with what is known of a picture of this server. @param handle such as `result:…` */
export const verifyAddress = (handle: string): string =>
  `${VERIFY_PATH}?${new URLSearchParams({ image: handle })}`;
