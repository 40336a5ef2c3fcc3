declare module 'xkcd-colors' {
  /** The 949 names most often given in the colour survey of xkcd. */
  const survey: { readonly colors: readonly { name: string; hex: string; rgb: [number, number, number] }[] };
  export default survey;
}
