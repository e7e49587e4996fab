import { AddressRefusedError, NameUnknownError } from '../http-tools/guarded-addresses';
import { faultOfConnection } from './guarded-webhook-sender';

const coded = (code: string): Error => Object.assign(new Error(code), { code });

describe('A connection that failed', () => {
  it.each([
    ['name_address', new AddressRefusedError()],
    ['name_unknown', new NameUnknownError()],
    ['refused', coded('ECONNREFUSED')],
    ['reset', coded('UND_ERR_SOCKET')],
    ['unreachable', coded('EHOSTUNREACH')],
    ['certificate', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
    ['certificate', coded('CERT_HAS_EXPIRED')],
    ['certificate', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
    ['certificate', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
    ['tls', coded('ERR_SSL_WRONG_VERSION_NUMBER')],
    ['tls', coded('EPROTO')],
    ['connection', coded('E_OF_A_LATER_VERSION')],
    ['connection', new Error('without a code')],
  ])('is known as %s: %s', (fault, error) => {
    expect(faultOfConnection(error)).toBe(fault);
  });
});
