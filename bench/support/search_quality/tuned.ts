import type { Judged } from './judged.ts';

/** Queries that search was tuned on. */
export const TUNED: readonly Judged[] = [
  { kind: 'number', query: 'RP-P-1909-2451', wanted: { ids: ['rijks_RP-P-1909-2451'] } },
  { kind: 'number', query: 'rijks_RP-P-1884-A-8145', wanted: { ids: ['rijks_RP-P-1884-A-8145'] } },
  { kind: 'number', query: '17.190.2126', wanted: { ids: ['met_194458'] } },
  { kind: 'number', query: 'JP2776', wanted: { ids: ['met_45064'] } },
  { kind: 'number', query: 'object number 436884', wanted: { ids: ['met_436884'] } },
  { kind: 'number', query: 'met_354228', wanted: { ids: ['met_354228'] } },
  { kind: 'number', query: '1949.3.109', wanted: { ids: ['nga_35258'] } },
  { kind: 'number', query: 'accession number 2018.1066', wanted: { ids: ['cleveland_84858'] } },
  { kind: 'number', query: 'BK-NM-13271 silver spice box', wanted: { ids: ['rijks_BK-NM-13271'] } },
  { kind: 'number', query: 'smithsonian_saam_1915.11.17', wanted: { ids: ['smithsonian_saam_1915.11.17'] } },
  { kind: 'known work', query: 'chess players liberale da verona', wanted: { ids: ['met_436884'] } },
  { kind: 'known work', query: 'the card players cezanne', wanted: { ids: ['met_435868'] } },
  { kind: 'known work', query: 'woman with a parrot courbet', wanted: { ids: ['met_436002'] } },
  { kind: 'known work', query: 'wheat field with cypresses', wanted: { ids: ['met_436535'] } },
  { kind: 'known work', query: 'mona lisa', wanted: { ids: ['rijks_RP-F-00-351'] } },
  { kind: 'known work', query: 'monet la corniche near monaco', wanted: { ids: ['rijks_SK-A-1892'] } },
  { kind: 'known work', query: 'eruption of vesuvius volaire', wanted: { ids: ['chicago_57996'] } },
  {
    kind: 'known work',
    query: 'rembrandt the three trees',
    wanted: { maker: /rembrandt/, shown: /drie bomen|three trees/ },
  },
  {
    kind: 'known work',
    query: 'durer knight death and the devil',
    wanted: { maker: /durer/, shown: /ridder.*dood|knight.*death/ },
  },
  { kind: 'subject', query: 'chess players', wanted: { shown: /\bchess\b|schaak(?!ir)|schaken|\bschaken/ } },
  { kind: 'subject', query: 'elephant', wanted: { shown: /elephant|olifant/ } },
  { kind: 'subject', query: 'rhinoceros', wanted: { shown: /rhinoceros|neushoorn|rinoceros/ } },
  {
    kind: 'subject',
    query: 'Jonah and the whale',
    wanted: { shown: /\bjona(h|s)?\b.*(whale|vis\b|walvis|zeemonster|fish)|whale.*jonah/ },
  },
  {
    kind: 'subject',
    query: 'saint george and the dragon',
    wanted: { shown: /(saint|st\.?) george.*dragon|dragon.*saint george|(joris|georgius).*draak/ },
  },
  { kind: 'subject', query: 'unicorn', wanted: { shown: /unicorn|eenhoorn/ } },
  { kind: 'subject', query: 'skull', wanted: { shown: /\bskulls?\b|schedel|doodshoofd|doodskop|vanitas/ } },
  {
    kind: 'subject',
    query: 'boats',
    wanted: { shown: /\bboats?\b|\bboot|\bboten|roeiboot|vissersb|sloep|schuit|zeilb/ },
  },
  { kind: 'subject', query: 'waves', wanted: { shown: /\bwaves?\b|\bgolf\b|golven/ } },
  { kind: 'subject', query: 'lobster', wanted: { shown: /lobster|kreeft/ } },
  { kind: 'subject', query: 'prodigal son', wanted: { shown: /prodigal|verloren zoon/ } },
  {
    kind: 'subject',
    query: 'blind beggar',
    wanted: { shown: /blind.*(beggar|bedela)|(beggar|bedela).*blind/ },
  },
  { kind: 'subject', query: 'flight into egypt', wanted: { shown: /flight into egypt|vlucht naar egypte/ } },
  {
    kind: 'subject',
    query: 'fishermen on the beach',
    wanted: { shown: /(fisher|visser).*(beach|strand|shore)|(beach|strand).*(fisher|visser)/ },
  },
  {
    kind: 'subject',
    query: 'old woman reading',
    wanted: { shown: /(old woman|oude vrouw).*(read|lez|leest)|lezende oude vrouw|(read).*old woman/ },
  },
  { kind: 'subject', query: 'owl', wanted: { shown: /\bowls?\b|\buil(en|tje)?\b/ } },
  { kind: 'subject', query: 'crane bird', wanted: { shown: /\bcranes\b|kraanvogel/ } },
  { kind: 'foreign word', query: 'Totentanz', wanted: { shown: /dodendans|dance of death|danse macabre/ } },
  { kind: 'foreign word', query: 'Schmetterling', wanted: { shown: /butterfl|vlinder/ } },
  {
    kind: 'foreign word',
    query: 'nature morte aux fleurs',
    wanted: {
      shown:
        /(still ?life|stilleven).*(flower|bloem|rose|tulip)|(flower|bloem).*(still ?life|stilleven)|bloemstilleven/,
    },
  },
  { kind: 'foreign word', query: 'autorretrato', wanted: { shown: /self-portrait|zelfportret/ } },
  {
    kind: 'foreign word',
    query: 'cavallo e cavaliere',
    wanted: { shown: /ruiter|horse ?rid|rider|horseman|te paard/ },
  },
  { kind: 'foreign word', query: '富士山', wanted: { shown: /\bfuji\b/ } },
  { kind: 'foreign word', query: 'Kreuzigung', wanted: { shown: /crucifixion|kruisiging/ } },
  { kind: 'foreign word', query: 'molino de viento', wanted: { shown: /windmill|\bmolen|windmolen/ } },
  { kind: 'foreign word', query: 'sirène', wanted: { shown: /mermaid|zeemeermin|meermin|siren/ } },
  { kind: 'foreign word', query: '猫', wanted: { shown: /\bcats?\b|\bkat(ten)?\b|poes/ } },
  {
    kind: 'long sentence',
    query: 'I am looking for a painting of ships in a storm at sea with dark clouds',
    wanted: {
      shown:
        /(ship|schip|schepen|boat).*(storm)|storm.*(ship|schip|schepen|zee)|zeestorm|storm op zee|shipwreck|schipbreuk/,
    },
  },
  {
    kind: 'long sentence',
    query: 'can you show me some pictures of people skating on a frozen canal in the netherlands',
    wanted: { shown: /schaats|skat(ing|ers)|ijsvermaak|ijsgezicht/ },
  },
  {
    kind: 'long sentence',
    query: 'please find an etching by Rembrandt in which a beggar or beggars are shown',
    wanted: { maker: /rembrandt/, shown: /beggar|bedela/ },
  },
  {
    kind: 'long sentence',
    query: 'a picture where a man has his tooth pulled by a quack dentist',
    wanted: { shown: /kiezentrek|tandarts|tandentrek|tooth|kwakzalver|dentist|quack/ },
  },
  {
    kind: 'long sentence',
    query: 'what works do you have that show the biblical story of Judith cutting off the head of Holofernes',
    wanted: { shown: /judith/ },
  },
  {
    kind: 'long sentence',
    query: 'I would like a Japanese woodblock print showing a beautiful woman with a cat for my living room',
    wanted: {
      shown:
        /(vrouw|courtisane|wom[ae]n|geisha|dame|meisje|girl).*(\bkat|poes|\bcats?\b)|(\bkat|poes|\bcats?\b).*(vrouw|wom[ae]n|courtisane|meisje|girl)/,
    },
  },
  {
    kind: 'long sentence',
    query: 'is there a portrait of the Dutch prince Maurice of Orange on horseback',
    wanted: { shown: /maurits.*(te paard|ruiter)|(ruiterportret).*maurits|maurice.*horse/ },
  },
  {
    kind: 'typing error',
    query: 'rembrant self portrait',
    wanted: { maker: /rembrandt/, shown: /zelfportret|self-portrait/ },
  },
  { kind: 'typing error', query: 'caravagio musicians', wanted: { ids: ['met_435844'] } },
  { kind: 'typing error', query: 'hokusaii fuji', wanted: { maker: /hokusai/, shown: /fuji/ } },
  { kind: 'typing error', query: 'michelangleo', wanted: { maker: /michelangelo/ } },
  { kind: 'typing error', query: 'crucifiction', wanted: { shown: /crucifixion|kruisiging/ } },
  {
    kind: 'typing error',
    query: 'vincent van gough cypresses',
    wanted: { maker: /van gogh/, shown: /cypress/ },
  },
  {
    kind: 'name, date, medium',
    query: 'goya etching',
    wanted: { maker: /goya/, kind: /etching|ets|aquatint/ },
  },
  { kind: 'name, date, medium', query: 'callot 1630s', wanted: { maker: /callot/, years: [1630, 1639] } },
  {
    kind: 'name, date, medium',
    query: 'silver spoon 17th century',
    wanted: { shown: /lepel|spoon/, kind: /silver|zilver/, years: [1601, 1700] },
  },
  { kind: 'name, date, medium', query: 'degas pastel', wanted: { maker: /degas/, kind: /pastel/ } },
  {
    kind: 'name, date, medium',
    query: 'photograph of paris before 1860',
    wanted: { shown: /paris|parijs/, kind: /foto|photo|salted|albumen|daguerreotype/, years: [1800, 1859] },
  },
  {
    kind: 'name, date, medium',
    query: 'portraits by van dyck',
    wanted: { maker: /van dyck|van dijck/, shown: /portret|portrait/ },
  },
  {
    kind: 'style, school, period',
    query: 'impressionist painting',
    wanted: {
      kind: /paint|schilderij/,
      maker: /monet|manet|renoir|degas|pissarro|sisley|cassatt|morisot|caillebotte|guillaumin|hassam/,
    },
  },
  { kind: 'style, school, period', query: 'edo period', wanted: { place: /japan/, years: [1603, 1868] } },
  {
    kind: 'style, school, period',
    query: 'italian renaissance painting',
    wanted: { kind: /paint|schilderij/, place: /ital|venet|florent|siene/, years: [1400, 1600] },
  },
  {
    kind: 'style, school, period',
    query: 'pre-raphaelite',
    wanted: { maker: /rossetti|millais|holman hunt|burne-jones|madox brown/ },
  },
  {
    kind: 'style, school, period',
    query: 'hague school',
    wanted: {
      maker: /israels|mauve|maris\b|weissenbruch|mesdag|roelofs|gabriel\b|bosboom|blommers|neuhuys/,
      kind: /schilderij|tekening|prent|paint|print|drawing/,
    },
  },
  { kind: 'style, school, period', query: 'ming dynasty', wanted: { place: /chin/, years: [1368, 1644] } },
];
