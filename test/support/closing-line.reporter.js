/** Prints plain lines at the end that any reader of the log understands: which tests were tried again, and the sum. */
module.exports = class ClosingLineReporter {
  constructor({ rootDir }, _options, _context, print = (text) => process.stdout.write(text)) {
    this.rootDir = rootDir;
    this.print = print;
  }

  onRunComplete(
    _contexts,
    { numPassedTests, numFailedTests, numPendingTests, numTodoTests, numFailedTestSuites, testResults },
  ) {
    const retried = testResults.flatMap(({ testFilePath, testResults: tests }) =>
      tests
        .filter(({ invocations }) => invocations > 1)
        .map(
          ({ fullName, status }) =>
            `  ${testFilePath.slice(this.rootDir.length + 1)}: ${fullName} (${status})\n`,
        ),
    );
    const failed = numFailedTests + (numFailedTests === 0 ? numFailedTestSuites : 0);
    this.print(
      `\nTests that were tried again: ${retried.length}\n${retried.sort().join('')}` +
        `\nTests: ${numPassedTests} passed, ${failed} failed, ${numPendingTests + numTodoTests} skipped\n`,
    );
  }
};
