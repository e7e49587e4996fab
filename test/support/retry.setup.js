/* global jest */
// On CI a test that fails is tried once more, at once, and its first error is logged: the machine is shared and noisy.
// Elsewhere it fails at once, so that an unsteady test is seen by whoever works on it.
if (process.env.CI) jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });
