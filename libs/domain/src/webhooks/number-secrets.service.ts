import {
  NumberSecretRepository,
  type NumberSecretRow,
} from '@app/persistence/webhooks/number-secret.repository';
import { Injectable } from '@nestjs/common';
import { SecretCipher } from '../accounts/secret-cipher.port';
import { appSecretBoundTo } from '../messages/sending/channel-connections.service';
import { Slots } from '../work/work-slots';

/** Anybody can have a body looked at that nobody signed: it must not take the connections of those that are stored. */
const LOOKED_UP_AT_ONCE = 2;
/** Each is tried over the whole body. One app signs a body, so more than one is a change of secrets. */
const SECRETS_MAX = 8;

/** What a body names, as far as anybody can tell who does not know yet who wrote it. */
interface NamedNumbers {
  /** Cloud API's phone_number_id. */
  senders: ReadonlySet<string>;
  /** What may be the id of a business account: of an entry, or of whatever else has one of digits. */
  businesses: ReadonlySet<string>;
}

/** Meta puts at most a thousand changes into a body. */
const NAMES_MAX = 1_000;
/** Strangers may send a quarter of a million, whose reading would take a tenth of a second (measured). */
const READ_MAX = 10_000;
/** In a text of a customer a quotation mark would be escaped. */
const NAME = /"(phone_number_id|waba_id|id)"\s{0,9}:\s{0,9}"?(\d{5,20})(?!\d)/g;

/**
 * Looks through a body without parsing it: nobody has signed for it yet. What it finds decides which secrets are tried,
 * never what an item is about.
 */
export function numbersNamedIn(body: Buffer): NamedNumbers {
  const [senders, businesses] = [new Set<string>(), new Set<string>()];
  let read = 0;
  for (const [, key, name = ''] of body.toString('latin1').matchAll(NAME)) {
    const names = key === 'phone_number_id' ? senders : businesses;
    if (names.size < NAMES_MAX) names.add(name);
    if ((read += 1) === READ_MAX) break;
  }
  return { senders, businesses };
}

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
