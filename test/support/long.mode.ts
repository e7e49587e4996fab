/** How often something is tried: `npm run test:long` has more patience. */
export const triesOf = (usual: number, long: number): number =>
  process.env.LEADLINE_LONG === '1' ? long : usual;
