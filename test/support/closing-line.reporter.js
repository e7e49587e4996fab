/** Prints one plain line at the end that any reader of the log understands. */
module.exports = class ClosingLineReporter {
  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numFailedTestSuites },
  ) {
    const failed = numFailedTests + (numFailedTests === 0 ? numFailedTestSuites : 0);
    process.stdout.write(
      `\nTests: ${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped\n`,
    );
  }
};
