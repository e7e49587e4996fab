const Reporter = jest.requireActual<
  new (
    config: object,
    options: object,
    context: object,
    print: (text: string) => void,
  ) => { onRunComplete(contexts: object, results: object): void }
>('./closing-line.reporter.js');

const SUMS = {
  numPassedTests: 7,
  numFailedTests: 0,
  numPendingTests: 2,
  numTodoTests: 1,
  numFailedTestSuites: 0,
};
const ONCE = { fullName: 'moves a lead', status: 'passed', invocations: 1 };
const TWICE = { fullName: 'sends a text', status: 'passed', invocations: 2 };
const SKIPPED = { fullName: 'needs php', status: 'pending' };

function linesOf(results: object): string[] {
  let printed = '';
  new Reporter({ rootDir: '/repo' }, {}, {}, (text) => (printed += text)).onRunComplete([], {
    ...SUMS,
    testResults: [],
    ...results,
  });
  return printed.split('\n');
}

it('ends with the sum on a line of its own', () => {
  expect(linesOf({}).slice(-2)).toEqual(['Tests: 7 passed, 0 failed, 3 skipped', '']);
});

it('counts files that could not be run, where no test failed', () => {
  expect(linesOf({ numFailedTestSuites: 2 })).toContain('Tests: 7 passed, 2 failed, 3 skipped');
  expect(linesOf({ numFailedTests: 1, numFailedTestSuites: 1 })).toContain(
    'Tests: 7 passed, 1 failed, 3 skipped',
  );
});

it('says that no test was tried again', () => {
  const testResults = [{ testFilePath: '/repo/test/a.spec.ts', testResults: [ONCE, SKIPPED] }];
  expect(linesOf({ testResults })).toEqual([
    ...['', 'Tests that were tried again: 0', '', 'Tests: 7 passed, 0 failed, 3 skipped', ''],
  ]);
});

it('names each test that was tried again, and what became of it', () => {
  const testResults = [
    { testFilePath: '/repo/test/b.spec.ts', testResults: [ONCE, { ...TWICE, status: 'failed' }] },
    { testFilePath: '/repo/test/a.spec.ts', testResults: [TWICE] },
  ];
  expect(linesOf({ testResults }).slice(1, 4)).toEqual([
    'Tests that were tried again: 2',
    '  test/a.spec.ts: sends a text (passed)',
    '  test/b.spec.ts: sends a text (failed)',
  ]);
});
