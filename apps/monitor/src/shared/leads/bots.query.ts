import type { BotAnswer } from '@app/client/api-types';
import type { Channel } from '@app/contracts/message.words';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../api/page-api';
import { wholeList } from '../api/whole-list.query';

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
export interface ConnectedNumber {
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
