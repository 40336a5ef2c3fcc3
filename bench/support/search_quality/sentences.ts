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
];
