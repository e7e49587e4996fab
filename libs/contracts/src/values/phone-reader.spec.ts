import parsePhone, { getExampleNumber, type CountryCode, type PhoneNumber } from 'libphonenumber-js/max';
import numberingPlans from 'libphonenumber-js/max/metadata';
import examples from 'libphonenumber-js/mobile/examples';
import { countryOfPhone, readPhone } from './phone-reader';

describe('a phone', () => {
  it.each<[string, string | null, string]>([
    ['+7 702 555-99-02', null, '+77025559902'],
    ['\u202a+77025550010\u202c', null, '+77025550010'],
    ['\ufeff+7\u00a0(702)\u2009555\u201199\u201102\u200f', null, '+77025559902'],
    ['\u2800\u3164+7\ufe0f702\u034f555\u115f99\u116002\uffa0', null, '+77025559902'],
    ['+7\u2043702\u02d7555\u2796\ufe0f99\u207b02', null, '+77025559902'],
    ['+44 (0)7911 123456', null, '+447911123456'],
    ['(+44) 7911/123456', null, '+447911123456'],
    ['＋４４（０）７９１１ １２３４５６', null, '+447911123456'],
    ['＋７（７０２）５５５－９９－０２', null, '+77025559902'],
    ['+٢٠ ١٠٠ ١٢٣ ٤٥٦٧', null, '+201001234567'],
    ["'+7 701 000 00 02", null, '+77010000002'],
    ['tel:+1-415-555-2671', null, '+14155552671'],
    ['0084912340001', 'KZ', '+84912340001'],
    ['00 44 7911 123456', 'US', '+447911123456'],
    ['705 999 00 06', 'KZ', '+77059990006'],
    ['8 (701) 000-00-01', 'KZ', '+77010000001'],
    ['77010000001', 'KZ', '+77010000001'],
    ['8 912 345 67 89', 'KZ', '+79123456789'],
    ['(416) 555-1234', 'US', '+14165551234'],
    ['07911 123456', 'GB', '+447911123456'],
    ['030/12345', 'DE', '+493012345'],
    ['089 / 636 - 40123', 'DE', '+498963640123'],
    ['+43 (0)1/51230-40', null, '+4315123040'],
    ['01 51230/40', 'AT', '+4315123040'],
    ['01 51230 / 401', 'AT', '+43151230401'],
    ['01 512 30 40', 'AT', '+4315123040'],
    ['+43 1 51230 40', null, '+4315123040'],
    // An extension as long as the number before it: nothing tells it from a second phone.
    ['01 58801-18800', 'AT', '+4315880118800'],
    ['0664 1234 5678', 'AT', '+4366412345678'],
    ['030 123 456 78', 'DE', '+493012345678'],
    ['26 12 34  56', 'LU', '+35226123456'],
    ['26 12 34 56', 'LU', '+35226123456'],
    ['+39/06 698 12345', null, '+390669812345'],
    ['+39 06 698 12345', null, '+390669812345'],
    ['+39 (0)6 698 12345', null, '+390669812345'],
    ['+225 (0)7 07 12 34 56', null, '+2250707123456'],
  ])('is read as people write it: %s in %s', (text, country, phone) => {
    expect(readPhone(text, country)).toEqual({ phone });
  });

  it.each<[string, string | null, string]>([
    ['', 'KZ', 'empty'],
    [' \u200b ', 'KZ', 'empty'],
    ['\u3164\u2800\ufe0f', 'KZ', 'empty'],
    ['—', 'KZ', 'empty'],
    ['none', 'KZ', 'letters'],
    ['1-800-FLOWERS', 'US', 'letters'],
    ['12', 'KZ', 'too_short'],
    ['+123', null, 'too_short'],
    ['+7 702 555', null, 'too_short'],
    ['+22997123110', null, 'too_short'],
    ['+7 702 555 99 022', null, 'too_long'],
    ['8702555990287025559903', null, 'too_long'],
    ['+44 07911 123456', null, 'too_long'],
    ['+7 703 555 99 02', null, 'not_valid'],
    ['+999 123 456 789', null, 'not_valid'],
    ['+0084912340001', null, 'not_valid'],
    ['852 9123 0003', 'KZ', 'not_valid'],
    ['85512345678', 'KZ', 'not_valid'],
    ['+77025559902, +77025559903', null, 'not_valid'],
    ['87025559902\n87025559903', 'KZ', 'not_valid'],
    ['+77025559902²', null, 'not_valid'],
    ['705 999 00 06', null, 'no_country'],
    ['77025559902', null, 'no_country'],
    ['77025559902', 'AQ', 'no_country'],
    ['030 12345 / 030 12346', 'DE', 'too_long'],
    ['01 51230 / 01 51240', 'AT', 'too_long'],
    ['01 51230 / 51240', 'AT', 'too_long'],
    ['01 51230\u00a0 01 51240', 'AT', 'too_long'],
    ['01 51230 01 51240', 'AT', 'too_long'],
    ['(01) 51230 - (01) 51240', 'AT', 'too_long'],
    ['+43 1 51230 / 01 51240', null, 'too_long'],
    ['+43 1 51230 01 51240', 'KZ', 'too_long'],
    ['+43 1 51230 0043 1 51240', null, 'too_long'],
    ['01 51230; 01 51240', 'AT', 'not_valid'],
    ['01 51230 or 01 51240', 'AT', 'letters'],
    ['26 12 34 / 26 12', 'LU', 'too_long'],
    ['02742 2345/2346', 'AT', 'too_long'],
    ['+52 01 55 1234 5678', null, 'too_long'],
    ['+52 044 55 1234 5678', null, 'too_long'],
    ['0052 045 55 1234 5678', 'MX', 'too_long'],
    ['52 01 55 1234 5678', 'MX', 'too_long'],
    ['84912340002', 'KZ', 'ambiguous'],
    ['84912340002', 'RU', 'ambiguous'],
  ])('is never another number: %j in %s is a fault', (text, country, fault) => {
    expect(readPhone(text, country)).toEqual({ phone: null, fault });
  });

  it.each(['+1 415 555 2671 ext. 5', '+14155552671x5', '+1 415 555 2671 #5', '+1 415 555 2671 (доб. 5)'])(
    'has no extension: %s',
    (text) => expect(readPhone(text, 'US')).toEqual({ phone: null, fault: 'not_valid' }),
  );

  it('has no parameters, as links may have', () =>
    expect(readPhone('tel:+1-415-555-2671;ext=5', 'US').fault).toBe('not_valid'));

  it.each(['7,70E+10', '7.70255E10', '7,70Е+10', '77025559902.0', '77025559902,5', '+49301234567.0'])(
    'is not what a spreadsheet has made of it: %s',
    (text) => expect(readPhone(text, 'KZ').fault).toBe('not_valid'),
  );

  it.each<[string, string | null, string]>([
    ['+55 11 8765-4321', null, '+5511987654321'],
    ['(11) 8765-4321', 'BR', '+5511987654321'],
    ['011 98765-4321', 'BR', '+5511987654321'],
    ['+55 11 3765-4321', null, '+551137654321'],
    ['+52 1 55 1234 5678', null, '+525512345678'],
    ['044 55 1234 5678', 'MX', '+525512345678'],
    ['01 55 1234 5678', 'MX', '+525512345678'],
    ['52 1 55 1234 5678', 'MX', '+525512345678'],
    ['55 1234 5678', 'MX', '+525512345678'],
    ['+54 9 11 2345-6789', null, '+5491123456789'],
    ['+54 11 15 2345-6789', null, '+5491123456789'],
    ['011 15 2345-6789', 'AR', '+5491123456789'],
  ])('has the form of today in Brazil, Mexico and Argentina: %s', (text, country, phone) => {
    expect(readPhone(text, country)).toEqual({ phone });
  });

  it('tells its country, where it is one', () => {
    expect(
      ['+77010000001', '+79123456789', '+12125550123', '+870773111632', '+77030000001'].map(countryOfPhone),
    ).toEqual([...['KZ', 'RU', 'US', null, null]]);
  });
});

describe('phones of sixty countries', () => {
  const COUNTRIES = (
    'KZ RU US CA GB DE FR IT ES PT NL BE CH AT PL CZ SK HU RO BG GR TR UA BY MD GE AM AZ UZ KG TJ IL AE SA EG MA NG KE ' +
    'ZA GH CI BJ IN PK BD LK ID MY SG TH VN PH HK JP KR AU NZ BR MX AR CO PE CL'
  ).split(' ') as CountryCode[];

  const example = (country: CountryCode): PhoneNumber => {
    const found = getExampleNumber(country, examples);
    if (!found) throw new Error(`no example of ${country}`);
    return found;
  };
  const fullWidth = (text: string): string =>
    text.replace(/[0-9+]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));

  /** As people write a number who say its country. */
  const abroad = (number: PhoneNumber): string[] => {
    const international = number.formatInternational();
    const digits = number.number.slice(1);
    const home = number.formatNational().startsWith('0') && !number.nationalNumber.startsWith('0');
    return [
      ...[
        number.number,
        international,
        number.format('RFC3966'),
        `00${digits}`,
        `00 ${international.slice(1)}`,
      ],
      international.replaceAll(' ', '\u00a0'),
      international
        .replace(/ /, ' (')
        .replace(/ (?=[^ ]*$)/, ') ')
        .replaceAll(' ', '\u2013'),
      `\u202a${fullWidth(international)}\u202c`,
      ...(home ? [international.replace(' ', ' (0)')] : []),
    ];
  };
  const atHome = (number: PhoneNumber): string[] => [
    ...[number.formatNational(), number.formatNational().replace(/[ -]/g, '\u00a0'), number.nationalNumber],
  ];

  it('are right as the metadata has them where they say their country', () => {
    const wrong = COUNTRIES.flatMap((country) =>
      abroad(example(country)).flatMap((text) =>
        ['KZ', 'US', country, null].flatMap((account) => {
          const { phone } = readPhone(text, account);
          return phone === example(country).number ? [] : [{ country, text, account, phone }];
        }),
      ),
    );
    expect(wrong).toEqual([]);
    expect(new Set(COUNTRIES).size).toBeGreaterThanOrEqual(60);
    expect(COUNTRIES.flatMap((country) => abroad(example(country))).length).toBeGreaterThanOrEqual(400);
  });

  it('are right at home, or a fault of two meanings', () => {
    const readings = COUNTRIES.flatMap((country) =>
      atHome(example(country)).map((text) => ({ text, country, ...readPhone(text, country) })),
    );
    const wrong = readings.filter(
      ({ country, phone, fault }) => fault !== 'ambiguous' && phone !== example(country).number,
    );
    expect(wrong).toEqual([]);
    expect(readings.filter(({ phone }) => phone !== null).length).toBeGreaterThan(150);
  });

  it('are none, or one that the metadata reads there, in the account of another country', () => {
    for (const country of COUNTRIES)
      for (const text of atHome(example(country)))
        for (const account of ['KZ', 'US', 'DE', 'IN'] as const) {
          const { phone } = readPhone(text, account);
          if (phone !== null)
            expect([account, text, phone]).toEqual([account, text, parsePhone(text, account)?.number]);
        }
  });

  it('are never one number where two stand in one cell, whatever is between them', () => {
    const wrong: unknown[] = [];
    let pairs = 0;
    for (const country of Object.keys(numberingPlans.countries) as CountryCode[]) {
      const found = getExampleNumber(country, examples);
      if (!found) continue;
      const code = found.countryCallingCode;
      // Of any length: where numbers may be short, two of them may be as long as one.
      const numbers = [found.nationalNumber, '151230', '3012345', '26123456', '912345']
        .flatMap((national) => [national, national.slice(0, -1), national.slice(0, -2)])
        .map((national) => parsePhone(`+${code}${national}`))
        .filter((number) => number?.isValid() === true && number.country === country) as PhoneNumber[];
      for (const between of ['/', ' / ', '  ', '\t', '-', ' ', ';'])
        for (const [first, second] of numbers.flatMap((one) => numbers.map((other) => [one, other] as const)))
          for (const [left, right] of [
            [first.formatNational(), second.formatNational()],
            [first.formatInternational(), second.formatInternational()],
            [first.formatInternational(), second.formatNational()],
            [first.formatNational(), `00${second.number.slice(1)}`],
          ] as const) {
            const text = `${left}${between}${right}`;
            // Nothing tells a second number without a sign of its beginning from the end of the first.
            if (['-', ' '].includes(between) && !/^[+0]/.test(right)) continue;
            pairs += 1;
            const { phone } = readPhone(text, country);
            if (phone !== null) wrong.push([text, country, phone]);
          }
    }
    expect(wrong).toEqual([]);
    expect(pairs).toBeGreaterThan(20_000);
  });

  it('are valid exactly where the metadata says so, in every country and a digit beside', () => {
    const own = new Set(['52', '54', '55']);
    let valid = 0;
    for (const country of Object.keys(numberingPlans.countries) as CountryCode[]) {
      const found = getExampleNumber(country, examples);
      if (!found || own.has(found.countryCallingCode)) continue;
      const { number, countryCallingCode } = found;
      for (let place = countryCallingCode.length + 1; place <= number.length; place += 1)
        for (const digit of ['', '0', '3', '7', '88']) {
          const text = number.slice(0, place) + digit + number.slice(place + 1);
          const parsed = parsePhone(text);
          const right = parsed?.isValid() === true && parsed.number === text ? text : null;
          if (right !== null) valid += 1;
          expect([text, readPhone(text, null).phone]).toEqual([text, right]);
        }
    }
    expect(valid).toBeGreaterThan(2_000);
  });
});
