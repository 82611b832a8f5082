// What the runner and Jest's global teardown tell each other.

/** A file that the teardown writes when it has ended well: the run's server is gone, and no log holds a secret. */
export const endedVariable = 'LEADWIRE_TEST_RUN_ENDED';
