import type { BotAnswer } from '@app/client/api-types';
import type { Channel } from '@app/contracts/message.words';
import { queryOptions } from '@tanstack/react-query';
import { api, wholeList } from '../api/page-api';
import { isolated } from '../format/direction.format';
import { leadWords } from './lead.words';

/** The bots that the person sees, by name. */
export const botsQuery = queryOptions({
  queryKey: ['bots'],
  queryFn: async ({ signal }) => {
    const bots = await wholeList(async (cursor) => {
      const params = { query: { limit: 200, ...(cursor === undefined ? {} : { cursor }) } };
      const answer = await api.get('/api/v1/admin/bots', { params, signal });
      return { items: answer.bots, next: answer.next_cursor };
    });
    return bots.sort((one, other) => one.name.localeCompare(other.name));
  },
});

/** A connected number of a bot. */
interface ConnectedNumber {
  botId: string;
  assistantId: string;
  channel: Channel;
  /** The bot's. */
  name: string;
  /** In which phones are read that do not say theirs. */
  phoneCountry: string | null;
}

const numbersOf = ({ id, name, assistant_id, channels }: BotAnswer): ConnectedNumber[] =>
  channels
    .filter(({ connected }) => connected)
    .map(({ channel, phone_country }) => ({
      ...{ botId: id, assistantId: assistant_id, channel, name, phoneCountry: phone_country },
    }));

/** The connected numbers of these bots. */
export const numbersQuery = queryOptions({
  ...botsQuery,
  select: (bots: BotAnswer[]) => bots.flatMap(numbersOf),
});

/** What tells one number from all others. */
export const numberKey = ({ botId, channel }: Pick<ConnectedNumber, 'botId' | 'channel'>): string =>
  `${botId} ${channel}`;

/** Numbers to choose from, for a `Select`. */
export const numberChoices = (numbers: readonly ConnectedNumber[]): { value: string; label: string }[] =>
  numbers.map((one) => ({
    value: numberKey(one),
    label: `${isolated(one.name)} · ${leadWords.say(`short_channel_${one.channel}`)}`,
  }));
