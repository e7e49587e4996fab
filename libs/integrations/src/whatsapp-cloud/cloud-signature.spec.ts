import { isSignedBy, signatureOf } from './cloud-signature';

const ESCAPED = String.raw`{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[{"field":"messages","value":{"text":"\u0421\u0422\u041e\u041f"}}]}]}`;
const RAW = ESCAPED.replace(String.raw`\u0421\u0422\u041e\u041f`, 'СТОП');
const OF_ESCAPED = '018dab55950a41d4c85b41e14effe092c7e87d548cab4915ed70d11ef5c8dd19';
const OF_RAW = 'dad5c567b8e3ca0ba3a92952b5ddcb1bceb940951e8bc6c3e2ec7990bd2b699f';

const isSigned = (secret: string, hex: string, body: string): boolean =>
  isSignedBy(secret, signatureOf(`sha256=${hex}`) ?? Buffer.alloc(0), Buffer.from(body));

describe('the signature of a webhook', () => {
  it.each([
    ['secret', 'test', '0329a06b62cd16b33eb6792be8c60b158d89a2ee3a876fce9a881ebb488c0914'],
    ['app-secret-1', ESCAPED, OF_ESCAPED],
    ['app-secret-1', RAW, OF_RAW],
  ])('of %s over %s is as the facts have it', (secret, body, hex) => {
    expect(isSigned(secret, hex, body)).toBe(true);
  });

  it('is of the bytes, not of what they mean', () => {
    expect(isSigned('app-secret-1', OF_ESCAPED, RAW)).toBe(false);
    expect(isSigned('app-secret-1', OF_RAW, ESCAPED)).toBe(false);
  });

  it('is of the secret', () => {
    expect(isSigned('app-secret-2', OF_ESCAPED, ESCAPED)).toBe(false);
  });

  it.each([
    ['nothing', undefined],
    ['two headers', [`sha256=${OF_RAW}`, `sha256=${OF_RAW}`]],
    ['an empty one', ''],
    ['no algorithm', OF_RAW],
    ['another algorithm', `sha1=${OF_RAW}`],
    ['upper-case digits', `sha256=${OF_RAW.toUpperCase()}`],
    ['an upper-case algorithm', `SHA256=${OF_RAW}`],
    ['a digit too few', `sha256=${OF_RAW.slice(1)}`],
    ['a digit too many', `sha256=${OF_RAW}0`],
    ['what is no digit', `sha256=${OF_RAW.slice(2)}zz`],
    ['a space before it', ` sha256=${OF_RAW}`],
    ['a line end behind it', `sha256=${OF_RAW}\n`],
    ['a second value', `sha256=${OF_RAW}, sha256=${OF_RAW}`],
  ])('is not read from %s', (_, header) => {
    expect(signatureOf(header)).toBeNull();
  });

  it('of another length is refused, not thrown at', () => {
    expect(isSignedBy('secret', Buffer.alloc(0), Buffer.from('test'))).toBe(false);
  });
});
