// A store of files fails with this error, and so does its staging folder.

/** The store cannot be used right now, or refuses. The message is for the log and names the variable to look at. */
export class ObjectStoreError extends Error {
  override readonly name = 'ObjectStoreError';
}
