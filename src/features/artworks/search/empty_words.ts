/**
 * Words that say nothing about a work, in the languages people ask in: articles, prepositions, and how somebody asks. What is a word of
 * another of these languages is left out: German "war" is English, French "son" is, too.
 */
const EMPTY = new Set(
  (
    'a an the this that these those it its he she they we you i me my your our us his her their who which what where when how ' +
    'of in on at to for with by from into onto over under near and or but if than then so as is are was were be been being am ' +
    'has have had do does did can could may might will would shall should must not there here some any all every each another ' +
    'other others more most very please thanks about showing shows show shown showed depicting depicts depicted looking look ' +
    'looks find finding found search searching searched want wanted wants need needed needs like liked give get see seen ' +
    'something anything someone somebody picture pictures image images work works art artwork artworks piece pieces example ' +
    'examples kind suitable use using decorate thing things really also just called named entitled titled famous beautiful nice ' +
    'de het een van der den des en te ter ten op met dat dit deze die is zijn wat waar wie hoe ik wil zoek zoeken toon laat zien ' +
    'werk werken afbeelding afbeeldingen le la les l un une du d et au aux dans sur avec pour par je cherche veux montre moi oeuvre oeuvres ' +
    'das dem ein eine einen einem einer und oder mit von vom zu zum zur im ich suche mir zeige bild bilder el los las una y con por ' +
    'para del busco quiero obra obras il lo gli dei della delle degli di e che cerco voglio opera opere'
  ).split(' '),
);

export const isEmpty = (word: string): boolean => EMPTY.has(word);
