/** A longer text is the picture itself. */
const HANDLE_LENGTH_MAX = 300;

/**
 * What a picture field was sent, for the parameters of a next call, where it came as a handle: bytes are not sent back.
 * @param image field of the input, which is text until the picture is loaded
 */
export const handleIn = (image: unknown): string | undefined =>
  typeof image === 'string' && image.length <= HANDLE_LENGTH_MAX && HANDLE.test(image) ? image : undefined;

const HANDLE = /^(https?:\/\/|(upload|result|asset|artwork):)/;
