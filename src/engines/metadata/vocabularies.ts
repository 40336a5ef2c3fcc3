/** IPTC Digital Source Type NewsCodes, http://cv.iptc.org/newscodes/digitalsourcetype/ */
export const DIGITAL_SOURCE_TYPES = [
  'digitalCapture',
  'computationalCapture',
  'negativeFilm',
  'positiveFilm',
  'print',
  'humanEdits',
  'compositeWithTrainedAlgorithmicMedia',
  'algorithmicallyEnhanced',
  'digitalCreation',
  'digitalArt',
  'dataDrivenMedia',
  'trainedAlgorithmicMedia',
  'algorithmicMedia',
  'screenCapture',
  'virtualRecording',
  'composite',
  'compositeCapture',
  'compositeSynthetic',
] as const;
export const DIGITAL_SOURCE_TYPE_URL = 'http://cv.iptc.org/newscodes/digitalsourcetype/';

/** PLUS Data Mining vocabulary, http://ns.useplus.org/LDF/ldf-XMPSpecification#DataMining */
export const DATA_MINING = [
  'UNSPECIFIED',
  'ALLOWED',
  'PROHIBITED-AIMLTRAINING',
  'PROHIBITED-GENAIMLTRAINING',
  'PROHIBITED-EXCEPTSEARCHENGINEINDEXING',
  'PROHIBITED',
  'PROHIBITED-SEECONSTRAINT',
  'PROHIBITED-SEEEMBEDDEDRIGHTSEXPR',
  'PROHIBITED-SEELINKEDRIGHTSEXPR',
] as const;
export const DATA_MINING_URL = 'http://ns.useplus.org/ldf/vocab/DMI-';
