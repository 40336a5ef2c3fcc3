/** A longer text is the picture itself. */
const HANDLE_LENGTH_MAX = 300;

/**
 * The picture a call was sent, for the parameters of a next one, where it came as a handle: bytes are not sent back.
 * @param image field of the input, which is text until the picture is loaded
 */
export const sentHandle = (image: unknown): { image?: string } =>
  typeof image === 'string' && image.length <= HANDLE_LENGTH_MAX && HANDLE.test(image) ? { image } : {};

const HANDLE = /^(https?:\/\/|(upload|result|asset|artwork):)/;
