// What a field of GraphQL costs beside what is selected of it. operation-cost.ts adds it up.

/** Extension of a field: what it costs by itself, in place of 1. */
export const costExtension = 'cost';

/** Of a field that does a call's work and takes it back. By default an operation may have 19 of them, about as many as mutations. */
export const callCost = 1_000;
