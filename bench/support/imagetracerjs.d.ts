declare module 'imagetracerjs' {
  const tracer: {
    imagedataToSVG(
      image: { width: number; height: number; data: Uint8ClampedArray },
      options: { numberofcolors: number },
    ): string;
  };
  export default tracer;
}
