import { stemmer } from 'stemmer';

/**
 * One root for all words that mean the same in this field, in the languages callers write most. Verbs the stemmer cannot bend, other
 * words for the things, acts and places the tools are about; a word that means two of them stands in neither line.
 */
export const sameWord = (root: string): string => SAME.get(root) ?? root;

const LINES = `
picture image photo photograph pic img snapshot snap bild foto imagen immagine fotografia
background backdrop hintergrund fond arriere fondo sfondo
color colour hue shade tint tone farbe farben couleur couleurs colores colori
small smaller shrink downscale downsize reduce verkleinern reduire reducir ridurre
large larger big bigger huge enlarge upscale magnify vergrossern agrandir ampliar ingrandire
blurry blur blurred pixelated pixelate unsharp grainy unscharf flou borroso
sharp sharpen crisp crisper
cutout freistellen detourer recortar ritagliare
remove entfernen enlever supprimer quitar rimuovere
delete erase discard trash loschen effacer borrar cancellare
save keep kept store put speichern enregistrer guardar salvare
load retrieve fetch download
list listing overview liste lista
file document datei fichier archivo
print printed printing printer drucken imprimer imprimir stampare
poster plakat affiche cartel manifesto
shirt tshirt hoodie sweater jumper apparel clothing clothes garment
bag tote tasche
mug cup tasse taza tazza
wall room sofa couch interior apartment home bedroom office hang hanging hung
describe beschreiben decrire describir descrivere
keyword tag hashtag schlagwort
metadata exif iptc xmp
watermark wasserzeichen filigrane filigrana
hide hid hidden secret secretly invisible invisibly conceal covert covertly
read decode detect extract
steal stole stolen theft plagiarism repost reposted
fake deepfake photoshopped manipulated forged genuine authentic real trust trustworthy
ai artificial generated generative
date time timestamp
prove proof evidence
search find found look suchen chercher buscar cercare
painting paintings gemalde tableau cuadro dipinto quadro
art kunst
museum gallery collection musee museo
meaning explain symbol symbolism story interpretation interpret
dataset corpus
bulk hundreds thousands thousand batch mass
law legal regulation regulator regulatory act
disclose disclosure report paperwork documentation declaration
train training trained
permanent permanently forever eternal eternity lasting century centuries decade decades
blockchain arweave ipfs
wallet account konto compte cuenta conto
join start signup
earlier yesterday ago previous previously
later tomorrow
credit credits money coin coins fund funds balance budget guthaben solde saldo
spend spent spending expense expenses
pay paid payment
tool function feature endpoint capability
parameter argument option expect accept
network algorithm
compare comparison versus best winner
vector svg vectorise vectorize
draw drew drawn drawing sketch zeichnung dessin dibujo disegno
write wrote written
make made create produce
take took taken
give gave given
send sent
sell sold
buy bought purchase
show shown display
lose lost
forget forgot forgotten
begin began begun
author artist painter maker
licence license permission allowed permitted
phone smartphone iphone
`;

/** Without the marks on letters, so that those who leave them out are understood too. */
export const plain = (word: string): string => word.normalize('NFD').replace(/\p{M}/gu, '');

const SAME = new Map(
  LINES.trim()
    .split('\n')
    .flatMap((line) => {
      const [first, ...others] = line.split(' ').map(stemmer);
      return others.map((root) => [root, first!] as const);
    }),
);

/** Words that mean something only together, as one. */
export const joinPhrases = (text: string): string =>
  PHRASES.reduce((said, [phrase, word]) => said.replaceAll(phrase, word), text);

const PHRASES: readonly (readonly [phrase: RegExp, word: string])[] = [
  [/\b(met|chicago|nga|rijks|smithsonian|cleveland|paris)_[\w.-]+/g, 'workid'],
  [/\b0x[0-9a-f]{40}\b/g, 'walletaddress'],
  [
    /,? (and )?(then|after that|afterwards)\b|\bin (one|a single) (go|step|call|request)\b|\bat once\b/g,
    ' afterwards',
  ],
  [
    /\b(?!1\b)(\d+|two|three|four|five|six|ten|dozen|dozens of|twenty|fifty|many|multiple) (pictures|photos|images|files)\b/g,
    'several pictures',
  ],
  [/\b(for|in) (\w+ ){0,2}(years|decades|centuries)\b/g, 'permanent'],
  [
    /\b(is|was) (this|that|it|the)( \w*(image|picture|photo))? (an? )?(ai|fake|real|made|generated|genuine|copy|stolen)\b/g,
    'authenticity $5',
  ],
  [/\bcut(ting)? (\w+ ){0,3}out\b/g, 'cutout $2'],
  [/\bget(ting)? rid of\b/g, 'remove'],
  [/\b(no|any|not) (longer|more)\b/g, 'unneeded'],
  [/\b[ab][0-6]\b/g, 'papersize'],
  [/\b\d+ ?(mm|cm|inch|inches)\b/g, 'papersize'],
  [/\b\d+ ?(px|pixels?)\b|\b\d{2,} ?(x|by) ?\d{2,}\b/g, 'dimensions'],
  [/\b(how|what) (do|can|should) (i|we) (start|begin|use|do)\b/g, 'help'],
  [/\b(every|each|all|several|different) (\w*(model|network|upscaler|enlarger)s?)\b/g, 'compare $2'],
  [/\blast (time|week|month|night)\b/g, 'earlier'],
  [/\bnext (time|week|month)\b/g, 'later'],
  [/\b(which|what|all|my|of the) (\w+ )?(files|assets|uploads)\b/g, 'list files'],
  [/\bblow(ing|n)? up\b/g, 'enlarge'],
  [/\bsign(ing)? (up|in)\b/g, 'signup'],
  [/\bwhat is (shown )?(in|on) (this|the|a|my) (picture|photo|image)\b/g, 'describe picture'],
];
