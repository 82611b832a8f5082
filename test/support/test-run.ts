// The agreement between the runner and Jest's global teardown.

/** Names a file that the teardown writes when it has ended well: the run's server is gone, and no log holds a secret. */
export const endedVariable = 'LEADWIRE_TEST_RUN_ENDED';
