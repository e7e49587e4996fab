import { StoreUnavailableError } from '@app/domain/media/media-store.port';

/**
 * Does something with files of this machine. A disk that is full, broken, read-only or not what it should be is a store
 * that is away: administrators mend it, and the request can be repeated.
 * @throws StoreUnavailableError
 */
export async function onDisk<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    throw new StoreUnavailableError(error);
  }
}
