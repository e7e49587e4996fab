import type { TemplateDefinition } from '@app/domain/templates/template-gateway.port';
import Ajv from 'ajv/dist/2020';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { templateForCreation, templateForEdit, templateOf } from './cloud-template-mapping';

const readOracle = (name: string): unknown =>
  JSON.parse(readFileSync(`${process.cwd()}/test/oracle/${name}.json`, 'utf8'));

const isValid = new Ajv({ strict: false }).compile(readOracle('edit-template.schema') as object);
const PUBLISHED = readOracle('template-examples') as Record<
  'create_request' | 'edit_request' | 'list_response',
  Record<string, object>
>;

const TEMPLATE: TemplateDefinition = {
  name: 'visit_reminder',
  language: 'ru',
  category: 'utility',
  parameterFormat: 'positional',
  header: { format: 'text', text: 'Our {{1}} is on!' },
  body: 'Hello {{1}}, see you on {{2}}. Bye, {{1}}',
  ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
  footer: 'Reply STOP',
  buttons: [
    { type: 'quick_reply', text: 'Yes' },
    { type: 'url', text: 'Map', url: 'https://a.example/{{1}}' },
    { type: 'url', text: 'Site', url: 'https://a.example/' },
    { type: 'phone_number', text: 'Call', phone_number: '+77010000001' },
    { type: 'copy_code', text: 'SAVE10' },
  ],
  examples: { header: 'Sale', body: ['Aida', '21 Nov'] },
};

const AUTHENTICATION: TemplateDefinition = {
  ...{ name: 'authentication_code_copy_code_button', language: 'en_US', category: 'authentication' },
  ...{
    parameterFormat: 'positional',
    header: null,
    body: '*{{1}}* is your verification code.',
    footer: null,
  },
  ...{ addSecurityRecommendation: true, codeExpirationMinutes: 10, examples: {} },
  buttons: [{ type: 'otp', text: 'Copy Code', otp_type: 'copy_code' }],
};

describe('a template that is created', () => {
  it('has its parts and the examples that moderation demands', () => {
    expect(templateForCreation(TEMPLATE)).toEqual({
      name: 'visit_reminder',
      language: 'ru',
      category: 'UTILITY',
      parameter_format: 'POSITIONAL',
      components: [
        { type: 'HEADER', format: 'TEXT', text: 'Our {{1}} is on!', example: { header_text: ['Sale'] } },
        { type: 'BODY', text: TEMPLATE.body, example: { body_text: [['Aida', '21 Nov']] } },
        { type: 'FOOTER', text: 'Reply STOP' },
        {
          type: 'BUTTONS',
          buttons: [
            { type: 'QUICK_REPLY', text: 'Yes' },
            { type: 'URL', text: 'Map', url: 'https://a.example/{{1}}', example: ['example'] },
            { type: 'URL', text: 'Site', url: 'https://a.example/' },
            { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+77010000001' },
            { type: 'COPY_CODE', example: 'SAVE10' },
          ],
        },
      ],
    });
  });

  it('has the names of named variables, the handle of a file, and nothing optional that it lacks', () => {
    const named = { parameterFormat: 'named', body: 'Hi {{first_name}}!' } as const;
    const header = { format: 'image' } as const;
    const examples = { header: '4::handle', body: ['Ann'] };
    expect(templateForCreation({ ...TEMPLATE, ...named, header, examples })).toMatchObject({
      parameter_format: 'NAMED',
      components: [
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['4::handle'] } },
        {
          type: 'BODY',
          example: { body_text_named_params: [{ param_name: 'first_name', example: 'Ann' }] },
        },
        {},
        {},
      ],
    });
    const bare = { ...TEMPLATE, header: null, body: 'Hello', footer: null, buttons: [], examples: {} };
    expect(templateForCreation(bare)).toHaveProperty('components', [{ type: 'BODY', text: 'Hello' }]);
  });

  it('of one-time codes is as Meta publishes it', () => {
    expect(templateForCreation(AUTHENTICATION)).toEqual(
      PUBLISHED.create_request['Create authentication template w/ OTP copy code button'],
    );
    const unlimited = templateForCreation({ ...AUTHENTICATION, codeExpirationMinutes: null });
    expect(unlimited).toHaveProperty('components.1', {
      type: 'BUTTONS',
      buttons: [{ type: 'OTP', otp_type: 'COPY_CODE', text: 'Copy Code' }],
    });
  });
});

describe('a template that is edited', () => {
  it('has category and components as Meta publishes them, and no name or language, which cannot change', () => {
    const { name, language, ...published } = PUBLISHED.edit_request['Edit template'] as TemplateDefinition;
    const edited = templateForEdit({
      ...TEMPLATE,
      ...{ name, language, category: 'marketing', header: { format: 'text', text: 'Fall Sale' } },
      body: 'Hi {{1}}, our Fall Sale is on! Use promo code {{2}} Get an extra 25% off every order above $350!',
      footer: 'Not interested in any of our sales? Tap Stop Promotions',
      buttons: [{ type: 'quick_reply', text: 'Stop promotions' }],
      examples: { body: ['Mark', 'FALL25'] },
    });
    expect([name, language]).toEqual(['2023_april_promo', 'en_US']);
    expect(edited).toEqual(published);
  });

  it('validates against Meta’s schema whatever it holds', () => {
    expect(Object.values(PUBLISHED.edit_request).map((body) => isValid(body))).toEqual([true]);
    expect(isValid({ components: {} })).toBe(false);
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 });
    const none = { nil: null };
    const template: fc.Arbitrary<TemplateDefinition> = fc.record({
      name: fc.constant('visit'),
      language: fc.constant('ru'),
      category: fc.constantFrom('marketing' as const, 'utility' as const, 'authentication' as const),
      parameterFormat: fc.constantFrom('positional' as const, 'named' as const),
      header: fc.option(
        fc.oneof(
          fc.record({ format: fc.constant('text' as const), text }),
          fc.record({ format: fc.constantFrom('image' as const, 'location' as const) }),
        ),
        none,
      ),
      body: fc.constantFrom('Hello', 'Hi {{1}}!', 'Hi {{first_name}}, see {{place}}.'),
      footer: fc.option(text, none),
      buttons: fc.array(
        fc.oneof(
          fc.record({ type: fc.constant('quick_reply' as const), text }),
          fc.record({ type: fc.constant('url' as const), text, url: fc.constant('https://a.example/{{1}}') }),
          fc.record({ type: fc.constant('phone_number' as const), text, phone_number: text }),
          fc.record({ type: fc.constant('copy_code' as const), text }),
          fc.record({ type: fc.constant('otp' as const), text, otp_type: fc.constant('copy_code' as const) }),
        ),
        { maxLength: 3 },
      ),
      addSecurityRecommendation: fc.boolean(),
      codeExpirationMinutes: fc.option(fc.integer({ min: 1, max: 90 }), none),
      examples: fc.record({ header: text, body: fc.array(text, { maxLength: 2 }) }),
    });
    fc.assert(
      fc.property(template, (given) => {
        isValid(JSON.parse(JSON.stringify(templateForEdit(given))));
        expect(isValid.errors).toBeNull();
      }),
    );
  });
});

describe('a template that is listed', () => {
  it('is read without parts, and is none without an id, a name, a language or its list of parts', () => {
    const listed = {
      ...{ id: '1', name: 't1', language: 'en-US', status: 'PAUSED', category: 'MARKETING' },
      components: [],
    };
    expect(templateOf(listed)).toEqual({
      providerId: '1',
      ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
      quality: null,
      name: 't1',
      language: 'en_US',
      category: 'marketing',
      parameterFormat: 'positional',
      status: 'paused',
      reason: null,
      header: null,
      body: '',
      footer: null,
      buttons: [],
      examples: {},
    });
    const broken = [
      ...['id', 'name', 'language', 'components'].map((field) => ({ ...listed, [field]: undefined })),
      ...[null, 'a template', { ...listed, components: 'none' }],
    ];
    expect(broken.map(templateOf)).toEqual(broken.map(() => null));
  });

  it('has its samples, but for those of files, whose addresses no submission takes', () => {
    const examplesOf = (components: object[], parameter_format = 'POSITIONAL') =>
      templateOf({ id: '1', name: 't1', language: 'ru', parameter_format, components })?.examples;
    const header = { type: 'HEADER', format: 'TEXT' };
    expect(
      examplesOf([
        { ...header, text: 'Our {{1}} is on!', example: { header_text: ['Sale'] } },
        { type: 'BODY', text: 'Hi {{1}}, {{2}}!', example: { body_text: [['Mark', 'FALL25']] } },
      ]),
    ).toEqual({ header: 'Sale', body: ['Mark', 'FALL25'] });
    const named = [{ param_name: 'who', example: 'Ann' }];
    expect(
      examplesOf(
        [
          { ...header, text: 'For {{who}}', example: { header_text_named_params: named } },
          {
            ...{ type: 'BODY', text: 'Hi {{day}}, {{who}}!' },
            example: { body_text_named_params: [...named, { param_name: 'day', example: 'Monday' }] },
          },
        ],
        'NAMED',
      ),
    ).toEqual({ header: 'Ann', body: ['Monday', 'Ann'] });
    expect(
      examplesOf([
        { type: 'HEADER', format: 'IMAGE', example: { header_handle: ['https://a.example/image'] } },
        // One sample of two is none.
        { type: 'BODY', text: 'Hi {{1}}, {{2}}!', example: { body_text: [['Mark']] } },
      ]),
    ).toEqual({});
  });

  it('is read as Meta’s published list has it', () => {
    const { data } = PUBLISHED.list_response['Example response'] as { data: unknown[] };
    expect(data.map(templateOf)).toMatchObject([
      {
        providerId: '1192339204654487',
        status: 'approved',
        header: { format: 'text', text: 'Hello World' },
      },
      { language: 'en_US', buttons: [{ type: 'quick_reply', text: 'Stop promotions' }] },
    ]);
  });

  it('of one-time codes is read', () => {
    const components = [
      { type: 'BODY', text: 'Ваш код: *{{1}}*.', add_security_recommendation: true },
      { type: 'FOOTER', text: 'Код действует 10 минут.', code_expiration_minutes: 10 },
      {
        type: 'BUTTONS',
        buttons: [
          {
            ...{ type: 'URL', text: 'Скопировать код' },
            url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code_expiration_minutes=10&code=otp{{1}}',
          },
        ],
      },
    ];
    const listed = { id: '7', name: 'code', language: 'ru', category: 'AUTHENTICATION', components };
    expect(templateOf(listed)).toMatchObject({
      ...{ category: 'authentication', body: 'Ваш код: *{{1}}*.', footer: 'Код действует 10 минут.' },
      ...{ addSecurityRecommendation: true, codeExpirationMinutes: 10 },
      buttons: [{ type: 'otp', text: 'Скопировать код', otp_type: 'copy_code' }],
    });
  });

  it.each(['one_tap', 'zero_tap'] as const)(
    'of one-time codes that an app takes (%s) is read',
    (otp_type) => {
      const type = otp_type.toUpperCase();
      const app =
        'cta_display_name=Autofill&package_name=com.example.luckyshrub&signature_hash=K8a%2FAINcGX7';
      const forms = [
        { type: 'OTP', otp_type: type, text: 'Copy Code', autofill_text: 'Autofill' },
        {
          ...{ type: 'URL', text: 'Copy Code' },
          url: `https://www.whatsapp.com/otp/code/?otp_type=${type}&${app}&code=otp{{1}}`,
        },
      ];
      const body = { type: 'BODY', text: '*{{1}}* is your verification code.' };
      const listed = { id: '7', name: 'code', language: 'en', category: 'AUTHENTICATION' };
      const read = forms.map((form) =>
        templateOf({ ...listed, components: [body, { type: 'BUTTONS', buttons: [form] }] }),
      );
      const button = { type: 'otp', text: 'Copy Code', otp_type };
      expect(read.map((template) => template?.buttons)).toEqual([[button], [button]]);
    },
  );

  it('has its parts in their places, those that we cannot send too', () => {
    const components = [
      { type: 'HEADER', format: 'GIF' },
      { type: 'BODY', text: 'Hello' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'FLOW', text: 'Book', flow_id: 1 },
          { type: 'URL', text: 'Map', url: 'https://a.example/{{1}}' },
        ],
      },
    ];
    const ours = { id: '1', name: 'visit', language: 'ru', status: 'APPROVED', category: 'UTILITY' };
    expect(templateOf({ ...ours, components, quality_score: { score: 'YELLOW', date: 1 } })).toMatchObject({
      ...{ providerId: '1', name: 'visit', quality: 'yellow', header: { format: 'other' }, body: 'Hello' },
      buttons: [
        { type: 'other', text: 'Book' },
        { type: 'url', text: 'Map', url: 'https://a.example/{{1}}' },
      ],
    });
  });
});
