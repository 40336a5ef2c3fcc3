import type { Judged } from './judged.ts';

/** Queries written before any tuning and run only at the end. */
export const HELD_BACK: readonly Judged[] = [
  { kind: 'number', query: 'RP-P-1906-661', wanted: { ids: ['rijks_RP-P-1906-661'] } },
  { kind: 'number', query: 'rijks_RP-T-1992-16', wanted: { ids: ['rijks_RP-T-1992-16'] } },
  { kind: 'number', query: '64.228.224', wanted: { ids: ['met_308757'] } },
  { kind: 'number', query: 'SK-A-1969', wanted: { ids: ['rijks_SK-A-1969'] } },
  { kind: 'number', query: 'met 437385', wanted: { ids: ['met_437385'] } },
  { kind: 'number', query: 'met_1447', wanted: { ids: ['met_1447'] } },
  { kind: 'number', query: '1942.8.22', wanted: { ids: ['nga_1116'] } },
  { kind: 'number', query: 'inv. no. NPG.80.135', wanted: { ids: ['smithsonian_npg_NPG.80.135'] } },
  { kind: 'number', query: 'rijksmuseum RP-F-00-1279', wanted: { ids: ['rijks_RP-F-00-1279'] } },
  { kind: 'number', query: '1975.268.414', wanted: { ids: ['met_44833'] } },
  { kind: 'known work', query: 'the unicorn is found tapestry', wanted: { ids: ['met_467638'] } },
  { kind: 'known work', query: 'degas a woman ironing', wanted: { ids: ['met_436174'] } },
  { kind: 'known work', query: 'majas on a balcony', wanted: { ids: ['met_436548'] } },
  { kind: 'known work', query: 'whalers by turner', wanted: { ids: ['met_437854'] } },
  { kind: 'known work', query: 'cassatt children playing on the beach', wanted: { ids: ['nga_52163'] } },
  { kind: 'known work', query: 'finding of moses bourdon', wanted: { ids: ['nga_46164'] } },
  { kind: 'known work', query: 'modigliani madam pompadour', wanted: { ids: ['chicago_27281'] } },
  {
    kind: 'known work',
    query: 'rembrandt hundred guilder print',
    wanted: { maker: /rembrandt/, shown: /honderdguldenprent|hundred guilder/ },
  },
  {
    kind: 'known work',
    query: 'durer saint jerome in his study',
    wanted: { maker: /durer/, shown: /hieronymus.*(studeer|cel|stud)|jerome.*study/ },
  },
  { kind: 'subject', query: 'parrots', wanted: { shown: /parrot|papegaai/ } },
  { kind: 'subject', query: 'skeleton', wanted: { shown: /skelet/ } },
  { kind: 'subject', query: 'fish market', wanted: { shown: /fish ?market|vismarkt|visverko|fishmonger/ } },
  { kind: 'subject', query: 'david and bathsheba', wanted: { shown: /bathsheba|bath?seba/ } },
  {
    kind: 'subject',
    query: 'beheading of john the baptist',
    wanted: {
      shown:
        /(beheading|onthoofding|decapitation).*(baptist|johannes)|(baptist|johannes de doper).*(onthoof|behead)/,
    },
  },
  { kind: 'subject', query: 'fall of icarus', wanted: { shown: /i[ck]arus/ } },
  { kind: 'subject', query: 'man smoking a pipe', wanted: { shown: /smok|rokend|roker|pijp/ } },
  {
    kind: 'subject',
    query: 'spinning woman',
    wanted: { shown: /spinning|spinner|spinnend|spinster|spinnewiel/ },
  },
  { kind: 'subject', query: 'peacock', wanted: { shown: /peacock|\bpauw/ } },
  { kind: 'subject', query: 'good samaritan', wanted: { shown: /samarita/ } },
  {
    kind: 'subject',
    query: 'temptation of saint anthony',
    wanted: {
      shown:
        /(temptation|verzoeking|verleiding).*(anthon|antoni)|(anthon|antoni).*(temptation|verzoeking|bekoring)/,
    },
  },
  { kind: 'subject', query: 'shipwreck', wanted: { shown: /shipwreck|schipbreuk|wrak/ } },
  { kind: 'subject', query: 'naval battle', wanted: { shown: /zeeslag|naval battle|sea battle|zeegevecht/ } },
  {
    kind: 'subject',
    query: 'shepherd with sheep',
    wanted: { shown: /(shepherd|herder).*(sheep|schap|schaap|kudde|flock)|(sheep|schap).*(shepherd|herder)/ },
  },
  { kind: 'subject', query: 'spider web', wanted: { shown: /spider|\bspin\b|spinnenweb/ } },
  {
    kind: 'subject',
    query: 'blacksmith',
    wanted: { shown: /blacksmith|\bsmid\b|smederij|smidse|hoefsmid|smithy/ },
  },
  { kind: 'subject', query: 'boots', wanted: { shown: /\bboots?\b|laars|laarzen|schoen|shoe/ } },
  { kind: 'foreign word', query: 'Jüngstes Gericht', wanted: { shown: /last judg|laatste oordeel/ } },
  { kind: 'foreign word', query: 'Eule', wanted: { shown: /\bowls?\b|\buil(en|tje)?\b/ } },
  { kind: 'foreign word', query: 'paysage d’hiver', wanted: { shown: /winter|sneeuw|snow/ } },
  {
    kind: 'foreign word',
    query: 'natura morta con frutta',
    wanted: {
      shown:
        /(still ?life|stilleven).*(fruit|vrucht|druiven|grapes|peach|pear|lemon)|(fruit|vrucht).*(still ?life|stilleven)|vruchtenstilleven/,
    },
  },
  {
    kind: 'foreign word',
    query: 'mujer leyendo',
    wanted: {
      shown:
        /(wom[ae]n|vrouw|meisje|girl).*(reading|lez|leest)|(lezende|reading).*(wom[ae]n|vrouw|meisje|girl)/,
    },
  },
  { kind: 'foreign word', query: '自画像', wanted: { shown: /self-portrait|zelfportret/ } },
  {
    kind: 'foreign word',
    query: 'Sündenfall',
    wanted: { shown: /zondeval|fall of man|temptation of (adam|eve)/ },
  },
  { kind: 'foreign word', query: 'el arca de Noé', wanted: { shown: /noah|\bnoach|\bark\b|zondvloed/ } },
  { kind: 'foreign word', query: 'éléphant', wanted: { shown: /elephant|olifant/ } },
  { kind: 'foreign word', query: '滝', wanted: { shown: /waterfall|waterval/ } },
  {
    kind: 'long sentence',
    query: 'I need a picture that shows a group of peasants dancing at a village fair',
    wanted: {
      shown: /(boeren|peasant).*(dans|danc)|(dans|danc).*(boer|peasant)|kermis|boerenbruiloft|village f/,
    },
  },
  {
    kind: 'long sentence',
    query: 'which engravings do you have of the philosopher Erasmus of Rotterdam by any artist',
    wanted: { shown: /erasmus/ },
  },
  {
    kind: 'long sentence',
    query: 'show me drawings by Hendrick Goltzius where you can see hands',
    wanted: { maker: /goltzius/, shown: /\bhand/ },
  },
  {
    kind: 'long sentence',
    query: 'a quiet scene with cows standing in a meadow near the water please',
    wanted: { shown: /\bkoe(ien)?\b|\bcows?\b|\bvee\b|cattle/ },
  },
  {
    kind: 'long sentence',
    query: 'I am searching for an image of the angel telling Mary that she will have a child',
    wanted: { shown: /annunciati|verkondiging/ },
  },
  {
    kind: 'long sentence',
    query: 'do you have something with a lion and a mouse or another fable of Aesop',
    wanted: { shown: /fabel|fable|aesop|lion.*mouse|leeuw.*muis/ },
  },
  {
    kind: 'long sentence',
    query: 'we want to decorate a restaurant with old kitchen scenes in which fish is being prepared',
    wanted: { shown: /keuken|kitchen|\bvis(sen)?\b.*(bereid|schoon)|fish.*prepar|prepar.*fish/ },
  },
  {
    kind: 'typing error',
    query: 'breugel winter landscape',
    wanted: { maker: /br(ue|eu)g(h)?el/, shown: /winter|sneeuw|snow|ijs/ },
  },
  {
    kind: 'typing error',
    query: 'remrbandt three crosses',
    wanted: { maker: /rembrandt/, shown: /drie kruisen|three crosses/ },
  },
  {
    kind: 'typing error',
    query: 'hiroshge rain',
    wanted: { maker: /hiroshige/, shown: /rain|regen|shower/ },
  },
  { kind: 'typing error', query: 'lucas van leiden', wanted: { maker: /lucas van leyden/ } },
  { kind: 'typing error', query: 'anunciation', wanted: { shown: /annunciati|verkondiging/ } },
  { kind: 'typing error', query: 'goltzuis hercules', wanted: { maker: /goltzius/, shown: /hercules/ } },
  { kind: 'name, date, medium', query: 'blake watercolor', wanted: { maker: /blake/, kind: /watercolou?r/ } },
  { kind: 'name, date, medium', query: 'hollar 1640s', wanted: { maker: /hollar/, years: [1640, 1649] } },
  {
    kind: 'name, date, medium',
    query: 'porcelain teapot 18th century',
    wanted: { shown: /theepot|teapot|trekpot/, kind: /porce/, years: [1701, 1800] },
  },
  {
    kind: 'name, date, medium',
    query: 'eakins photographs',
    wanted: { maker: /eakins/, kind: /photo|print|platinum|albumen/ },
  },
  {
    kind: 'name, date, medium',
    query: 'drawing of rome 1600-1700',
    wanted: { shown: /\brome\b|romein/, kind: /tekening|drawing|ink|chalk|krijt/, years: [1600, 1700] },
  },
  {
    kind: 'name, date, medium',
    query: 'woodcuts by altdorfer',
    wanted: { maker: /altdorfer/, kind: /woodcut|houtsnede|prent|print/ },
  },
  {
    kind: 'style, school, period',
    query: 'post-impressionism',
    wanted: { maker: /van gogh|cezanne|gauguin|seurat|signac|toulouse-lautrec|emile bernard|rousseau/ },
  },
  {
    kind: 'style, school, period',
    query: 'meiji era print',
    wanted: { place: /japan/, kind: /print|prent|woodblock/, years: [1868, 1912] },
  },
  {
    kind: 'style, school, period',
    query: 'dutch golden age still life',
    wanted: { shown: /still ?life|stilleven/, years: [1588, 1690] },
  },
  {
    kind: 'style, school, period',
    query: 'barbizon school',
    wanted: { maker: /corot|millet|theodore rousseau|daubigny|diaz|troyon|dupre|jacque/ },
  },
  {
    kind: 'style, school, period',
    query: 'hudson river school landscape',
    wanted: {
      maker: /thomas cole|church|bierstadt|durand|kensett|gifford|cropsey|moran|heade|inness|doughty/,
    },
  },
  {
    kind: 'style, school, period',
    query: 'qing dynasty porcelain',
    wanted: { place: /chin/, kind: /porce/, years: [1644, 1912] },
  },
];
