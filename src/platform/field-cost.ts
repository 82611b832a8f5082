// What a field of GraphQL costs beside what is selected of it. operation-cost.ts adds it up.

/** Extension of a field: what it costs by itself, in place of 1. */
export const costExtension = 'cost';

/**
 * Extension of a field whose reading is recorded. A query that asks for it is executed by graphql-js, once: a plan that meets an error has it
 * executed a second time.
 */
export const recordedExtension = 'isRecorded';

/** Of a field that does a call's work and takes it back. By default an operation may have 19 of them, about as many as mutations. */
export const callCost = 1_000;
