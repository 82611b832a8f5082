// Runs the short test of fuzzed lead sources with 10,000 bodies of forms.

process.env['FORM_FUZZ_ROUNDS'] ??= '10000';
const { describeFuzzedSources } = await import('../features/lead-sources/fuzzed-sources.suite.js');

describe('fuzzed forms', describeFuzzedSources);
