import type { ChannelConnectionRepository } from '@app/persistence/messages/sending/channel-connection.repository';
import type { ChannelConnection } from '../messages/dispatch/message-sender.port';
import type { NumberReading } from './number-probe.port';
import { phoneCountryOf, PhoneCountries } from './phone-countries.service';

const CONNECTION = {
  accountId: 'a',
  botId: 'b',
  channel: 'waba_coexistence',
  sender: '10654',
} as ChannelConnection;

/** @param stored what the database has of the number */
function open(stored: { phone: string | null; default_country: string | null }, reading: NumberReading) {
  const kept: unknown[] = [];
  let asked = 0;
  const numbers = {
    findPhone: async () => ({ sender: CONNECTION.sender, ...stored }),
    keepPhone: async (...given: unknown[]) => void kept.push(given),
  } as unknown as ChannelConnectionRepository;
  const probe = {
    channels: [],
    read: async () => ((asked += 1), reading),
    confirm: () => Promise.reject(new Error('nobody connects it')),
  };
  return { countries: new PhoneCountries(numbers, { of: () => probe }), kept, asked: () => asked };
}

const CANNOT: NumberReading = { ok: false, problem: 'no', response: null };

describe('the country in which phones of files are read', () => {
  it('is the account’s, whatever the number is', async () => {
    const { countries, asked } = open({ phone: '+77015550101', default_country: 'GB' }, CANNOT);
    expect([await countries.of(CONNECTION), asked()]).toEqual(['GB', 0]);
  });

  it('else is the number’s: as it is known, or as its sender says it', async () => {
    const { countries, asked } = open({ phone: '+77015550101', default_country: null }, CANNOT);
    expect([await countries.of(CONNECTION), asked()]).toEqual(['KZ', 0]);
    const gupshup = { default_country: null, channel: 'waba', sender: '447400123456', phone: null } as const;
    expect(phoneCountryOf(gupshup)).toBe('GB');
    expect(phoneCountryOf({ ...gupshup, channel: 'waba_coexistence' })).toBeNull();
  });

  it('is asked for at the provider once, where it is not known', async () => {
    const reading: NumberReading = { ok: true, number: '+4915112345678' };
    const { countries, kept } = open({ phone: null, default_country: null }, reading);
    expect(await countries.of(CONNECTION)).toBe('DE');
    expect(kept).toEqual([['a', 'b', 'waba_coexistence', '10654', '+4915112345678']]);
  });

  it('is none where the provider does not say it', async () => {
    for (const reading of [CANNOT, { ok: true, number: null } as const]) {
      const { countries, kept } = open({ phone: null, default_country: null }, reading);
      expect([await countries.of(CONNECTION), kept]).toEqual([null, []]);
    }
  });
});
