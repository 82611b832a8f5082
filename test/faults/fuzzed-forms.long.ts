// Runs the short test of fuzzed lead sources with 150 bodies to each, and 10,000 of forms.

process.env['FUZZ_ROUNDS'] ??= '150';
process.env['FORM_FUZZ_ROUNDS'] ??= '10000';
const { describeFuzzedSources } = await import('../features/lead-sources/fuzzed-sources.suite.js');

describe('fuzzed forms', describeFuzzedSources);
