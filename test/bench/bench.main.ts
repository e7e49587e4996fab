import { benchBulk } from './bulk.bench';
import { benchLeads } from './leads.bench';
import { benchWebhooks } from './webhooks.bench';

/** Each says what it measured, and whether all that must hold whatever the figures are did. */
const PARTS: Readonly<Record<string, (quick: boolean) => Promise<boolean>>> = {
  leads: benchLeads,
  bulk: benchBulk,
  webhooks: benchWebhooks,
};

/** Runs the parts one after another, or the one of `--only=<name>`; `--quick` for fewer and shorter rounds. */
async function bench(words: readonly string[]): Promise<boolean> {
  const only = words.find((word) => word.startsWith('--only='))?.slice('--only='.length);
  if (only !== undefined && !Object.hasOwn(PARTS, only))
    throw new Error(`no part is called ${only}: there are ${Object.keys(PARTS).join(', ')}`);
  let sound = true;
  for (const [name, part] of Object.entries(PARTS)) {
    if (only !== undefined && only !== name) continue;
    console.log(`\n=== ${name}\n`);
    sound = (await part(words.includes('--quick'))) && sound;
  }
  return sound;
}

bench(process.argv.slice(2)).then(
  (sound) => process.exit(sound ? 0 : 1),
  (error: unknown) => {
    console.error(error);
    process.exit(1);
  },
);
