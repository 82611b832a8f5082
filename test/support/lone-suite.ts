// Lets a suite run by its own path (`npm test -- test/rest/health.suite`). It calls the file's `describe…` functions as an entry file
// would, before Jest loads the file. Test files are left alone.

const { testPath = '' } = expect.getState();

if (testPath.endsWith('.suite.ts')) {
  const suite = (await import(testPath)) as Record<string, () => void>;
  for (const [name, describeSubject] of Object.entries(suite))
    if (name.startsWith('describe')) describe(name.slice('describe'.length), describeSubject);
}
