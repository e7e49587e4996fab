import { Injectable } from '@nestjs/common';
import { type BotChannelEntity, identityOf } from '../bots/bot.entity';
import type { NumberKey } from '../bots/bot-trouble.repository';
import { IntakeDatabase } from '../database/database.service';
import type { NotNull } from '../database/row-types';
import { statement } from '../database/sql.statements';

/** A connected number, stopped or not, with the sealed secret of its own app. */
export type NumberSecretRow = NumberKey &
  Pick<BotChannelEntity, 'sender'> &
  NotNull<Pick<BotChannelEntity, 'app_secret_key_id' | 'app_secret'>> & {
    /** By which what it signs is kept. */
    identity: string;
  };

const NAMED = statement('number-secret-named').takes('senders', 'businesses').returns<NumberSecretRow>(`
  SELECT account_id AS "accountId", bot_id AS "botId", channel, sender, app_secret_key_id, app_secret,
         ${identityOf('c')} AS identity
    FROM bot_channels c
   WHERE channel = 'waba_coexistence' AND app_secret IS NOT NULL AND credential IS NOT NULL
     AND (sender = ANY (:senders::text[]) OR settings ->> 'waba_id' = ANY (:businesses::text[]))
   ORDER BY account_id, bot_id`);

/** Secrets of numbers' own apps at Meta. Searched across accounts, because a webhook names only the number. */
@Injectable()
export class NumberSecretRepository {
  constructor(private readonly intake: IntakeDatabase) {}

  /** Of the numbers that are named, and of those of the business accounts that are named. */
  async named(senders: readonly string[], businesses: readonly string[]): Promise<NumberSecretRow[]> {
    return this.intake.run(NAMED, { senders, businesses });
  }
}
