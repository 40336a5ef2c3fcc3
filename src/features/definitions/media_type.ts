/** RFC 9110 section 8.3.1: type, subtype, parameters. */
const TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]+";
export const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}( *; *${TOKEN}=(${TOKEN}|"[ !#-\\[\\]-~]*"))*$`);
