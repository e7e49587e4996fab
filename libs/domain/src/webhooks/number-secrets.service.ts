import {
  NumberSecretRepository,
  type NumberSecretRow,
} from '@app/persistence/webhooks/number-secret.repository';
import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../accounts/secret-cipher.port';
import { appSecretBoundTo } from '../messages/credential.owner';
import { Slots } from '../work/work.slots';
import { numbersNamedIn } from './named.numbers';

/** Anybody can have a body looked at that nobody signed: it must not take the connections of those that are stored. */
const LOOKED_UP_AT_ONCE = 2;
/** Each is tried over the whole body. One app signs a body, so more than one is a change of secrets. */
const SECRETS_MAX = 8;

/** A number by whose own app secret a webhook is signed. */
export type SigningNumber = Pick<NumberSecretRow, 'sender' | 'identity'>;

/** The secret of an own app at Meta, and the numbers that have it. */
export interface NumberSecret {
  secret: string;
  numbers: SigningNumber[];
}

/** The app secrets of single numbers, beside those of the installation: a business may connect its number by an own app. */
@Injectable()
export class NumberSecrets {
  private readonly slots = new Slots(LOOKED_UP_AT_ONCE);

  constructor(
    private readonly numbers: NumberSecretRepository,
    private readonly cipher: SecretCipher,
  ) {}

  /**
   * The secrets of the numbers that a body names. Where it names numbers, not only their business account, one of them must
   * have the secret: a webhook about others alone is refused, so that Meta repeats it until they are connected.
   * @throws DatabaseUnavailableError
   */
  async namedIn(body: Buffer): Promise<NumberSecret[]> {
    const { senders, businesses } = numbersNamedIn(body);
    if (senders.size + businesses.size === 0) return [];
    const rows = await this.slots.run(() => this.numbers.named([...senders], [...businesses]));
    const bySecret = new Map<string, SigningNumber[]>();
    for (const row of rows) {
      const secret = this.opened(row);
      if (secret === null) continue;
      const number = { sender: row.sender, identity: row.identity };
      bySecret.set(secret, [...(bySecret.get(secret) ?? []), number]);
    }
    return [...bySecret]
      .map(([secret, numbers]) => ({ secret, numbers }))
      .filter(({ numbers }) => senders.size === 0 || numbers.some(({ sender }) => senders.has(sender)))
      .slice(0, SECRETS_MAX);
  }

  /** @returns null where another key sealed it */
  private opened({
    accountId,
    botId,
    channel,
    app_secret_key_id,
    app_secret,
  }: NumberSecretRow): string | null {
    try {
      return this.cipher.open(app_secret_key_id, app_secret, appSecretBoundTo(accountId, botId, channel));
    } catch {
      return null;
    }
  }
}
