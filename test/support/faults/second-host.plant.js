const addresses = require('../../../dist/libs/integrations/src/http-tools/public.address');
const { expectMembers } = require('./plant.guard');

expectMembers(addresses, 'function', 'isPublicAddress');

/**
 * Loaded into a server before all else: this one address of the machine counts as public, so that a test has a host of
 * somebody else's that may be called.
 */
const SECOND_HOST = '127.0.0.2';
const { isPublicAddress } = addresses;
require.cache[require.resolve('../../../dist/libs/integrations/src/http-tools/public.address')].exports = {
  ...addresses,
  isPublicAddress: (address) => address === SECOND_HOST || isPublicAddress(address),
};
