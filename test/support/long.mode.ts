/** How many times the long mode is asked for; 0 where it is not. */
const LONG = Number(process.env.LEADLINE_LONG ?? 0);

/** Whether the long mode is asked for. */
export const IS_LONG = LONG > 0;

/** How often something is tried: `npm run test:all` tries more often, and ten times that with `LEADLINE_LONG=10`. */
export const triesOf = (usual: number, long: number): number => (LONG > 0 ? long * LONG : usual);
