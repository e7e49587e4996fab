/** How many times the long mode's usual patience is asked for; 0 where it is not. */
const LONG = Number(process.env.LEADLINE_LONG ?? 0);

/** How often something is tried: `npm run test:long` has more patience, and ten times that with `LEADLINE_LONG=10`. */
export const triesOf = (usual: number, long: number): number => (LONG > 0 ? long * LONG : usual);
