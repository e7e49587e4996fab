/** Settings of a server that loads these plants (`<name>.plant.js`) before all else. */
export const planted = (...names: readonly string[]): { NODE_OPTIONS: string } => ({
  NODE_OPTIONS: names.map((name) => `--require ${__dirname}/${name}.plant.js`).join(' '),
});
