import type { Judged } from './judged.ts';

const sentence = (query: string, wanted: Judged['wanted']): Judged => ({
  kind: 'long sentence',
  query,
  wanted,
});

/**
 * Whole sentences that sentence parsing was developed on, beside those of the public benchmark. Rules were
 * written before any result was seen.
 */
export const SENTENCES: readonly Judged[] = [
  sentence('show me paintings made before 1700 with a dog in them', {
    shown: '\\bdogs?\\b|\\bhond',
    kind: 'paint|schilderij',
    years: [-2000, 1699],
  }),
  sentence('are there any drawings of trees by Dutch artists from the seventeenth century', {
    shown: '\\btrees?\\b|\\bbo(om|men)\\b',
    kind: 'drawing|tekening',
    years: [1601, 1700],
  }),
  sentence('do you have prints of a mother holding her child', {
    shown: '(moeder|mother).*(\\bkind|child|baby)|(\\bkind|child).*(moeder|mother)',
    kind: 'print|prent|etching|engraving|woodcut|woodblock',
  }),
  sentence('a quiet winter village scene with snow on the roofs', {
    shown:
      '(winter|sneeuw|snow).*(dorp|village|huizen|houses)|(dorp|village).*(winter|sneeuw|snow)|winterlandschap|winter landscape',
  }),
  sentence('I need an image of the Virgin Mary with the infant Jesus and angels', {
    shown: '(maria|madonna|virgin).*(engel|angel)',
  }),
  sentence('photographs of the pyramids taken in the nineteenth century in Egypt', {
    shown: 'p[iy]ramid',
    kind: 'foto|photo|albumen',
  }),
  sentence('what portraits of children with their pets are there', {
    shown:
      '(\\bkind|child|meisje|jongen|girl|boy).*(hond|\\bkat\\b|poes|vogel|\\bdog|\\bcat\\b|bird|lamm?\\b|rabbit|konijn)',
  }),
  sentence('an old map that shows the city of Amsterdam', {
    shown: '(kaart|plattegrond|\\bmap\\b).*amsterdam',
  }),
  sentence('anything by Hokusai that shows a waterfall', {
    maker: 'hokusai',
    shown: 'waterfall|waterval|falls\\b',
  }),
  sentence('pictures where people are playing cards in a tavern', {
    shown: 'kaartspel|kaartend|kaarten?\\b.*spelen|card ?play|playing cards|cardsharp|kaartspelers',
  }),
  sentence('something with a skull and a candle, like a vanitas', {
    shown: 'vanitas|(schedel|skull).*(kaars|candle)|(kaars|candle).*(schedel|skull)',
  }),
  sentence('a still life with lemons and oysters but no flowers', {
    shown: '(stilleven|still life).*(citroen|lemon|oester|oyster)|banketje|ontbijtje|breakfast piece',
  }),
  sentence('which works depict Saint Jerome reading or writing in his study', { shown: 'hieronymus|jerome' }),
  sentence('find me a drawing in red chalk of a nude man', {
    shown: 'naakt|nude|academie',
    kind: '(chalk|krijt)',
  }),
  sentence('bronze statues of Buddha sitting', { shown: 'buddha|boeddha', kind: 'bronze|brons|copper' }),
  sentence('the crucifixion of Christ with the two thieves painted on wood', {
    shown: 'crucifi|kruisig|calvar',
    kind: 'wood|panel|paneel',
  }),
  sentence('could you find blue and white porcelain vases made in China', {
    shown: '\\bvases?\\b|\\bvaas|jar\\b|bottle',
    kind: 'porcelain|porselein',
    place: 'chin',
  }),
  sentence('Are there etchings of Venice with gondolas by Whistler?', {
    maker: 'whistler',
    shown: 'venice|veneti|venetian',
  }),
  sentence('how did artists show the fall of Icarus', { shown: 'icarus' }),
  sentence("I'd love to see peasants dancing at a wedding or village fair", {
    shown:
      '(boer|peasant).*(dans|bruiloft|kermis|danc|wedding|fair)|(dans|danc|kermis).*(boer|peasant)|boerenkermis|boerenbruiloft',
  }),
  sentence('a woman who is writing a letter at a table', {
    shown: '(vrouw|woman|girl|lady|dame|meisje).*(brief|letter)|briefschrijf',
  }),
  sentence('images of soldiers on horses fighting in a battle', {
    shown:
      'ruitergevecht|(ruiter|cavalr|horse).*(gevecht|battle|slag|skirmish)|(battle|slag|gevecht).*(ruiter|cavalr|horse|paard)',
  }),
  sentence('who painted portraits of Napoleon on a horse', {
    shown: 'napoleon.*(paard|horse|ruiter)|(ruiter|horse|paard).*napoleon',
  }),
  sentence('fishing boats pulled up on the beach at Scheveningen', {
    shown: 'scheveningen|(vissersboot|vissersschip|bomschuit|fishing boat|pinken?\\b).*(strand|beach|shore)',
  }),
  // Written on 28 November 2026, before phrasing, proper names and settings were read further.
  sentence('I am trying to find portraits of women wearing a large ruff or lace collar', {
    shown: '(vrouw|woman|lady|dame).*(kraag|ruff|collar)|(kraag|ruff|collar).*(vrouw|woman|lady)',
  }),
  sentence('do you happen to have any paintings of the Last Supper', {
    shown: 'last supper|laatste avondmaal',
    kind: 'paint|schilderij|oil|tempera|olieverf',
  }),
  sentence('a windmill beside a river under a cloudy sky', { shown: '(molen|mill\\b|windmill)' }),
  sentence('engravings after Rubens that show a hunting scene with lions', {
    shown: '(leeuw|lion).*(jacht|hunt)|(jacht|hunt).*(leeuw|lion)|leeuwenjacht',
  }),
  sentence('show me Japanese prints with rain', {
    shown: '\\brain|regen',
    kind: 'print|prent|woodblock',
    place: 'japan',
  }),
  sentence('I want to see how the temptation of Saint Anthony was depicted', {
    shown: '(antoni|anthon).*(verzoek|verleid|bekor|tempt)|(verzoek|verleid|bekor|tempt).*(antoni|anthon)',
  }),
  sentence('photographs of a railway station or a locomotive from before 1900', {
    shown: 'station|locomot|trein|railway|railroad|\\btrain',
    kind: 'foto|photo|albumen|gelatin',
    years: [1800, 1899],
  }),
  sentence('an interior with a mother and a sleeping baby in a cradle', { shown: 'wieg|cradle' }),
  sentence('are there any works about the Tower of Babel', { shown: 'babel|babylon.*tower' }),
  sentence('still life paintings by Dutch artists that have a parrot or another bird in them', {
    shown:
      '(stilleven|still life).*(papegaai|parrot|vogel|bird|haan|fowl|gevogelte)|(papegaai|parrot|vogels?|bird).*(stilleven|still life)',
  }),
  sentence('a caricature making fun of Napoleon or the French', {
    shown: 'spotprent|caricatu|karikatuur|satire',
    kind: 'print|prent|etch|engrav|litho',
  }),
  sentence('silver candlesticks made in the eighteenth century', {
    shown: 'kandelaar|candlestick',
    years: [1701, 1800],
  }),
  sentence('which prints show the eruption of a volcano', {
    shown: 'vulkaan|volcan|vesuvi|uitbarsting|eruption|etna',
    kind: 'print|prent|etching|engraving|woodcut',
  }),
  sentence('I need a picture of an old man with a beard for my book', {
    shown: '(oude man|old man|grijsaard).*|(man|hoofd|kop|head).*(baard|beard)',
  }),
  sentence('a naked Venus lying on a bed with Cupid beside her', {
    shown: 'venus.*(amor|cupid|cupido)|(amor|cupid).*venus',
  }),
  sentence('drawings of hands or feet made as a study', {
    shown: '\\b(hand|handen|hands|voet|voeten|foot|feet|armen|arm)\\b',
    kind: 'drawing|tekening|chalk|krijt',
  }),
  sentence('sea battles between the English and the Dutch fleets', {
    shown:
      'zeeslag|zeegevecht|sea battle|naval battle|vierdaagse|battle.*(fleet|sea)|slag bij (terheide|livorno|kijkduin|lowestoft|solebay|ter heide)|driedaagse',
  }),
  sentence('an angel appearing to shepherds in the night', {
    shown:
      '(herder|shepherd).*(engel|angel|verkondig|annunc|boodschap)|(engel|angel|verkondig|annunc).*(herder|shepherd)',
  }),
  sentence('anything with a monkey dressed up as a human being', {
    shown: '\\baap\\b|\\bapen\\b|monkey|singerie|\\baapje',
  }),
  sentence('what do you have by Hiroshige that shows a bridge', {
    maker: 'hiroshige',
    shown: 'bridge|brug|bashi',
  }),
  sentence('a horse-drawn carriage in a street of Paris', {
    shown: '(koets|rijtuig|carriage|coach|cab\\b).*|paris.*(street|rue)|(street|rue|straat).*(paris|parijs)',
  }),
  sentence('ceramic tiles decorated with ships', {
    shown: '(tegel|tile).*(schip|schepen|ship|boat)|(schip|schepen|ship).*(tegel|tile)',
  }),
  sentence('Greek vases on which Herakles fights a lion', {
    shown: 'herakles|heracles|hercules',
    kind: 'terracotta|vase|ceramic|pottery',
  }),
  sentence('self portraits of women artists from the nineteenth or twentieth century', {
    shown: 'zelfportret|self.?portrait',
    years: [1801, 2000],
  }),
  sentence('a skeleton that takes away a child or a king, a dance of death', {
    shown: 'dodendans|dance of death|totentanz',
  }),
  sentence('the adoration of the three kings with camels', {
    shown:
      'aanbidding.*(koningen|wijzen)|adoration of the (magi|kings)|(koningen|magi|wijzen).*(aanbid|adorat)',
  }),
  sentence('I would love a landscape with cows standing in the water at sunset', {
    shown: '(koe\\b|koeien|cow|cattle|vee\\b)',
  }),
  sentence('a concert or a group of people making music with a lute', { shown: '\\bluit|\\blute' }),
  sentence('people watching fireworks over a city', { shown: 'vuurwerk|firework' }),
];
