// The cost of a GraphQL field beside the cost of its selection. operation-cost.ts adds it up.

/** Extension of a field: its own cost, in place of 1. */
export const costExtension = 'cost';

/**
 * Extension of a field whose reading is recorded. graphql-js executes a query that asks for it, once: a compiled plan that meets an error
 * would have it executed a second time.
 */
export const recordedExtension = 'isRecorded';

/**
 * The cost of a field that does a call's work and takes it back. By default an operation may have 19 of them, about as many as mutations.
 */
export const callCost = 1_000;
