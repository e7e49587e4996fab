import { createHmac } from 'node:crypto';
import { asciiJson } from './webhook-queue';

const value = (text: string) => ({
  object: 'whatsapp_business_account',
  entry: [{ id: '1', changes: [{ field: 'messages', value: { text } }] }],
});

it("a body's bytes are ASCII, and give the signature that Meta's would", () => {
  const body = asciiJson(value('СТОП'));
  expect(body.toString('latin1')).toContain('\\u0421\\u0422\\u041e\\u041f');
  expect(createHmac('sha256', 'app-secret-1').update(body).digest('hex')).toBe(
    '018dab55950a41d4c85b41e14effe092c7e87d548cab4915ed70d11ef5c8dd19',
  );
  expect(asciiJson('😀').toString('latin1')).toBe('"\\ud83d\\ude00"');
});
