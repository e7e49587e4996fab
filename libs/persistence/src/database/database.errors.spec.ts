import { DatabaseUnavailableError, refusalOf, refusesChanges, RowBusyError } from './database.errors';

const errorWith = (code: string): Error => Object.assign(new Error('as the driver says it'), { code });

describe('an error of the database', () => {
  it.each([
    ['a name server that fails', 'EAI_AGAIN'],
    ['a name that is unknown', 'ENOTFOUND'],
    ['nobody that listens', 'ECONNREFUSED'],
    ['a connection to a primary that was demoted', '25006'],
    ['no memory left', '53200'],
    ['no disk left', '53100'],
    ['a shutdown', '57P01'],
    ['a broken protocol', '08P01'],
    ['an answer that TLS cannot read', 'ERR_SSL_WRONG_VERSION_NUMBER'],
    ['a connection that was given up', 'ERR_STREAM_DESTROYED'],
  ])('for %s (%s) says that the service is unavailable', (_, code) => {
    expect(refusalOf(errorWith(code))).toBeInstanceOf(DatabaseUnavailableError);
    expect(refusalOf(errorWith(code))).not.toBeInstanceOf(RowBusyError);
  });

  it.each([
    'Connection terminated unexpectedly',
    'Client was closed and is not queryable',
    'There was an error establishing an SSL connection',
    'Received unexpected commandComplete message from backend.',
  ])('for what the driver says without a code (%s) says that the service is unavailable', (message) => {
    expect(refusalOf(new Error(message))).toBeInstanceOf(DatabaseUnavailableError);
  });

  it.each(['40P01', '40001', '55P03'])('for a row that another transaction held (%s) says so', (code) => {
    expect(refusalOf(errorWith(code))).toBeInstanceOf(RowBusyError);
  });

  it.each(['23505', '42601', 'P0001', 'ERR_INVALID_ARG_TYPE', 'ERR_OUT_OF_RANGE', ''])(
    'that is our own error (%s) stays what it is',
    (code) => {
      const error = errorWith(code);
      expect(refusalOf(error)).toBe(error);
    },
  );

  it('tells a database that takes no changes from one that is away', () => {
    for (const code of ['25006', '53100', '53400', '57P03'])
      expect([code, refusesChanges(errorWith(code)), refusesChanges(refusalOf(errorWith(code)))]).toEqual([
        code,
        true,
        true,
      ]);
    for (const code of ['ECONNREFUSED', '28P01', '57P01', '40001'])
      expect(refusesChanges(errorWith(code))).toBe(false);
  });
});
