import type { TemplateDefinition } from '@app/domain/templates/template-gateway.port';
import { formForCreation, formForEdit, gupshupTemplateOf } from './gupshup-template.gateway';

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

const EDITABLE = {
  category: 'UTILITY',
  templateType: 'TEXT',
  content: TEMPLATE.body,
  example: 'Hello Aida, see you on 21 Nov. Bye, Aida',
  enableSample: 'true',
  header: 'Our {{1}} is on!',
  exampleHeader: 'Our Sale is on!',
  footer: 'Reply STOP',
  buttons: JSON.stringify([
    { type: 'QUICK_REPLY', text: 'Yes' },
    { type: 'URL', text: 'Map', url: 'https://a.example/{{1}}', example: ['example'] },
    { type: 'URL', text: 'Site', url: 'https://a.example/' },
    { type: 'PHONE_NUMBER', text: 'Call', phone_number: '+77010000001' },
    { type: 'COPY_CODE', example: 'SAVE10' },
  ]),
};

describe('the form of a template', () => {
  it('that is created has samples filled in', () => {
    expect(Object.fromEntries(formForCreation(TEMPLATE))).toEqual({
      ...EDITABLE,
      elementName: 'visit_reminder',
      languageCode: 'ru',
      vertical: 'visit_reminder',
      allowTemplateCategoryChange: 'false',
    });
  });

  it('that is edited has all that may change', () => {
    expect(Object.fromEntries(formForEdit(TEMPLATE))).toEqual(EDITABLE);
    const plain: TemplateDefinition = { ...TEMPLATE, header: { format: 'text', text: 'Fall Sale' } };
    expect(
      Object.fromEntries(formForEdit({ ...plain, examples: { body: ['Aida', '21 Nov'] } })),
    ).toMatchObject({
      ...{ header: 'Fall Sale', exampleHeader: 'Fall Sale' },
    });
  });

  it('without samples of its variables claims none', () => {
    const form = Object.fromEntries(formForEdit({ ...TEMPLATE, examples: {} }));
    for (const field of ['example', 'exampleHeader', 'enableSample']) expect(form).not.toHaveProperty(field);
    const plain: TemplateDefinition = { ...TEMPLATE, header: null, body: 'Hello', examples: {} };
    expect(Object.fromEntries(formForEdit(plain))).toMatchObject({ example: 'Hello', enableSample: 'true' });
  });

  it('of one-time codes has WhatsApp’s own words', () => {
    const form = Object.fromEntries(
      formForCreation({
        ...TEMPLATE,
        ...{ category: 'authentication', header: null, body: '*{{1}}* is your verification code.' },
        ...{ addSecurityRecommendation: true, codeExpirationMinutes: 10, examples: {} },
        ...{
          footer: 'This code expires in 10 minutes.',
          buttons: [{ type: 'otp', text: '', otp_type: 'copy_code' }],
        },
      }),
    );
    expect(form).toMatchObject({
      ...{ category: 'AUTHENTICATION', content: '*{{1}}* is your verification code.' },
      ...{ example: '*123456* is your verification code.', addSecurityRecommendation: 'true' },
      ...{ codeExpirationMinutes: '10', buttons: JSON.stringify([{ type: 'OTP', otp_type: 'COPY_CODE' }]) },
    });
    expect(form).not.toHaveProperty('footer');
  });
});

describe('a template that is listed', () => {
  const LISTED = {
    id: 'uuid-129',
    elementName: 'visit',
    languageCode: 'ru',
    category: 'UTILITY',
    templateType: 'TEXT',
    status: 'approved',
    quality: 'GREEN',
    data: 'Hello {{1}}\n[Yes]',
    containerMeta: JSON.stringify({
      data: 'Hello {{1}}',
      footer: 'Bye',
      header: 'Head',
      buttons: [{ type: 'QUICK_REPLY', text: 'Yes' }, { type: 'FLOW' }],
    }),
  };

  it('has body and buttons from their own parts', () => {
    expect(gupshupTemplateOf(LISTED)).toEqual({
      providerId: 'uuid-129',
      ...{ addSecurityRecommendation: false, codeExpirationMinutes: null },
      name: 'visit',
      language: 'ru',
      category: 'utility',
      parameterFormat: 'positional',
      status: 'approved',
      reason: null,
      header: { format: 'text', text: 'Head' },
      body: 'Hello {{1}}',
      footer: 'Bye',
      quality: 'green',
      buttons: [
        { type: 'quick_reply', text: 'Yes' },
        { type: 'other', text: '' },
      ],
      examples: {},
    });
    const broken = [
      ...['id', 'elementName', 'languageCode'].map((field) => ({ ...LISTED, [field]: '' })),
      ...[null, { ...LISTED, containerMeta: '{' }, { ...LISTED, containerMeta: '"text"' }],
    ];
    expect(broken.map(gupshupTemplateOf)).toEqual(broken.map(() => null));
  });

  it('has its samples, as far as they are told from its words', () => {
    const examplesOf = (parts: object) =>
      gupshupTemplateOf({ ...LISTED, containerMeta: JSON.stringify(parts) })?.examples;
    const body = { data: 'Hello {{1}}, see you on {{2}}. Bye, {{1}}' };
    const texts = { ...body, header: 'Our {{1}} is on!' };
    const samples = { sampleHeader: 'Our Sale is on!' };
    const sampleText = 'Hello Aida, see you on 21 Nov. Bye, Aida';
    expect(examplesOf({ ...texts, ...samples, sampleText })).toEqual({
      ...{ header: 'Sale', body: ['Aida', '21 Nov'] },
    });
    const others = ['', 'Something else', 'Hello Aida, see you on 21 Nov. Bye, Bota', body.data];
    for (const other of others) expect(examplesOf({ ...body, sampleText: other })).toEqual({});
  });

  it('has its flat text when it has no parts', () => {
    const bare = { containerMeta: undefined, status: 'FAILED', reason: 'No', templateType: 'IMAGE' };
    expect(gupshupTemplateOf({ ...LISTED, ...bare, quality: undefined })).toMatchObject({
      ...{ body: 'Hello {{1}}\n[Yes]', status: 'rejected', reason: 'No', quality: null },
      ...{ header: { format: 'image' }, footer: null, buttons: [] },
    });
  });

  it.each(['copy_code', 'one_tap', 'zero_tap'])('of one-time codes (%s) is read', (otp_type) => {
    const containerMeta = JSON.stringify({
      ...{ data: '*{{1}}* is your code.', addSecurityRecommendation: true, codeExpirationMinutes: 10 },
      buttons: [{ type: 'OTP', otp_type: otp_type.toUpperCase(), text: 'Copy code' }],
    });
    expect(gupshupTemplateOf({ ...LISTED, category: 'AUTHENTICATION', containerMeta })).toMatchObject({
      ...{ category: 'authentication', addSecurityRecommendation: true, codeExpirationMinutes: 10 },
      buttons: [{ type: 'otp', text: 'Copy code', otp_type }],
    });
  });
});
