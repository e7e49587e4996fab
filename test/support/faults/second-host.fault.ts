import { BlockList } from 'node:net';
import { override } from './fault.injection';

const SECOND_HOST = '127.0.0.2';

/** This one address of the machine is on no list, so that a test has a host of somebody else's that may be called. */
export const inject = (): void =>
  override(
    BlockList.prototype,
    'check',
    (own) =>
      function (this: BlockList, ...given: Parameters<BlockList['check']>) {
        return given[0] !== SECOND_HOST && own.apply(this, given);
      } as BlockList['check'],
  );
