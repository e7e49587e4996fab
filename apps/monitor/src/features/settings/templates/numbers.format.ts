import type { BotAnswer, GovernedTemplateAnswer } from '@app/client/api-types';
import { isolated } from '../../../shared/format/direction.format';
import { leadWords } from '../../../shared/leads/lead.words';

/** Which of the numbers a template is for. */
export const numberOf = ({ bot_id, channel }: Pick<GovernedTemplateAnswer, 'bot_id' | 'channel'>): string =>
  `${bot_id} ${channel}`;

/** The numbers of all bots, as a choice between them. Templates belong to a number. */
export const numbersOf = (bots: readonly BotAnswer[]): { value: string; label: string }[] =>
  bots.flatMap((bot) =>
    bot.channels.map(({ channel }) => ({
      value: `${bot.id} ${channel}`,
      label: `${isolated(bot.name)} · ${leadWords.say(`short_channel_${channel}`)}`,
    })),
  );
