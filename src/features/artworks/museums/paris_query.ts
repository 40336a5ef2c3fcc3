/**
 * The question for works of one title in the GraphQL interface of Paris Musées, with what a record is made of. Its numbers (Adlib) can
 * be asked for the same way.
 */
export const parisQuery = (field: 'title' | 'field_lref_adlib', value: string): string =>
  JSON.stringify({
    query: `query Works($value: [String]) {
  nodeQuery(filter: {conditions: [{field: "type", value: "oeuvre"}, {field: "${field}", value: $value}]}, limit: 10) {
    entities { ... on NodeOeuvre {
      nid title absolutePath fieldUrlAlias fieldLrefAdlib fieldTitreDeMediation fieldOeuvreNumInventaire fieldOeuvreDescriptionIcono
      fieldOeuvreAuteurs { entity {
        fieldAuteurAuteur { entity { name fieldPipDateNaissance { startYear } fieldPipDateDeces { startYear } } }
        fieldAuteurFonction { entity { name } }
      } }
      fieldVisuels { entity { name vignette publicUrl } }
      fieldDateProduction { startYear endYear processed }
      fieldOeuvreSiecle { entity { name } }
      fieldOeuvreTypesObjet { entity { name } }
      fieldDenominations { entity { name } }
      fieldMateriauxTechnique { entity { name } }
      fieldOeuvreDimensions { entity {
        fieldDimensionType { entity { name } } fieldDimensionValeur fieldDimensionUnite { entity { name } }
      } }
      fieldOeuvreThemeRepresente { entity { name } }
      fieldLieuxConcernes { entity { name } }
      fieldModaliteAcquisition { entity { name } }
      fieldDonateurs { entity { name } }
      fieldMusee { entity { name } }
    } }
  }
}`,
    variables: { value: [value] },
  });
