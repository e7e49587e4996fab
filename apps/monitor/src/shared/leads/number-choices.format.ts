import { isolated } from '../format/direction.format';
import type { ConnectedNumber } from './bots.query';
import { leadWords } from './lead.words';

/** What tells one number from all others. */
export const numberKey = ({ botId, channel }: Pick<ConnectedNumber, 'botId' | 'channel'>): string =>
  `${botId} ${channel}`;

/** Numbers to choose from, for a `Select`. */
export const numberChoices = (numbers: readonly ConnectedNumber[]): { value: string; label: string }[] =>
  numbers.map((one) => ({
    value: numberKey(one),
    label: `${isolated(one.name)} · ${leadWords.say(`short_channel_${one.channel}`)}`,
  }));
