const wrongMs = Number(process.env.WRONG_CLOCK_MS);
if (!Number.isInteger(wrongMs)) throw new Error('WRONG_CLOCK_MS must say by how many milliseconds');
const Right = Date;

/** Loaded into a server before all else: its own clock is wrong by so many milliseconds. */
globalThis.Date = class extends Right {
  constructor(...given) {
    if (given.length > 0) super(...given);
    else super(Right.now() + wrongMs);
  }

  static now() {
    return Right.now() + wrongMs;
  }
};
