/** IPTC Digital Source Type NewsCodes; a term is the last part of its URL. */
export const DIGITAL_SOURCE_TYPE_URL = 'http://cv.iptc.org/newscodes/digitalsourcetype/';
/** PLUS LDF vocabulary for data mining. */
export const DATA_MINING_URL = 'http://ns.useplus.org/ldf/vocab/DMI-';
